#include "bochner/models/bayes/assess.hpp"
#include "bochner/assess/normal_interval.hpp"
#include "bochner/assess/prediction_scores.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/data/splits.hpp"
#include "bochner/models/forecast/assess.hpp"
#include "bochner/models/gplvm/assess.hpp"
#include "bochner/models/gplvm/calibrate.hpp"
#include "bochner/models/gplvm/held_out_latents.hpp"
#include "bochner/models/harmonic/assess.hpp"
#include "bochner/models/kpca/assess.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// Entries that are hidden from a fit, one mask for each view of a dataset.
struct HeldOut {
  std::vector<BoolMatrix> masks;
};

/// What Python sees of any assessment: scores by view or outcome, those of views that samples lack, and the verdict.
struct Assessment {
  std::vector<std::pair<std::string, NamedScores>> scores{}, absent_views{};
  Verdict verdict;
};

Assessment of_views(ViewAssessment a) {
  Assessment out{.verdict = std::move(a.verdict)};
  for (const ViewScores& s : a.scores) {
    out.scores.emplace_back(s.view, NamedScores{{"entries", double(s.entries)}});
    const NamedScores more = named_scores(s);
    out.scores.back().second.insert(out.scores.back().second.end(), more.begin(), more.end());
  }
  for (const AbsentViewScores& s : a.absent) out.absent_views.emplace_back(s.view, named_scores(s));
  return out;
}

Assessment of_rows(const HarmonicFit& fit, HarmonicAssessment a) {
  Assessment out{.verdict = std::move(a.verdict)};
  for (std::size_t o = 0; o < a.scores.model.size(); ++o)
    out.scores.emplace_back(fit.outcomes[o], named_scores(a.scores, Index(o), outcome_kind(fit)));
  return out;
}

Assessment of_cross_views(KpcaAssessment a) {
  Assessment out{.verdict = std::move(a.verdict)};
  for (const CrossView& s : a.scores) {
    out.scores.emplace_back(s.view, NamedScores{{"samples", double(s.samples)}, {"r2", s.r2}});
    if (s.accuracy) out.scores.back().second.emplace_back("accuracy", *s.accuracy);
  }
  return out;
}

Assessment of_backtest(ForecastAssessment a) {
  const BacktestScores& s = a.scores;
  return {.scores = {{"backtest",
                      {{"rmse", s.rmse},
                       {"rmse_seasonal_naive", s.naive_rmse},
                       {"rmse_linear_ar", s.ar_rmse},
                       {"rmse_smoothing", s.smoothing_rmse},
                       {"rmse_mean", s.mean_rmse},
                       {"coverage90", s.coverage90}}}},
          .verdict = std::move(a.verdict)};
}

void add_verdict(nb::module_& m) {
  nb::class_<Warning>(m, "Warning", "A reason to doubt a fit, or to look twice.")
      .def_prop_ro("kind", [](const Warning& w) { return to_string(w.kind); })
      .def_prop_ro("severity",
                   [](const Warning& w) { return w.severity == Severity::error ? "error" : "warning"; })
      .def_ro("message", &Warning::message)
      .def_prop_ro("remedy", [](const Warning& w) { return to_string(w.remedy); })
      .def_ro("suggested", &Warning::suggested);
  m.def(
      "remedies",
      [] {
        std::vector<std::string> out;
        for (int r = 0; *to_string(static_cast<Remedy>(r)) != '\0'; ++r)
          out.emplace_back(to_string(static_cast<Remedy>(r)));
        return out;
      },
      "The names that Warning.remedy may have.");
  nb::class_<Verdict>(m, "Verdict", "Whether a fit may be trusted.")
      .def_prop_ro("kind", [](const Verdict& v) { return to_string(v.kind); })
      .def_ro("warnings", &Verdict::warnings)
      .def_prop_ro("not_converged", &Verdict::not_converged)
      .def("message", &Verdict::message, nb::arg("remedy"),
           "The verdict as text; `remedy` says what a Warning recommends, or nothing.");
  nb::class_<Assessment>(m, "Assessment", "Scores by view or outcome, and the verdict.")
      .def_ro("scores", &Assessment::scores)
      .def_ro("absent_views", &Assessment::absent_views)
      .def_ro("verdict", &Assessment::verdict);
}

void add_held_out(nb::module_& m) {
  nb::class_<HeldOut>(m, "HeldOut", "Entries that are hidden from a fit to judge it by.")
      .def(nb::init<>())
      .def_prop_ro("count", [](const HeldOut& h) { return count_held_out(h.masks); })
      .def(
          "hide", [](const HeldOut& h, const Dataset& data) { return hide(data, h.masks); }, nb::arg("data"))
      .def(
          "hide_views",
          [](const HeldOut& h, const Dataset& data) {
            return h.masks.empty() ? data : hide(data, split_held_out(data, h.masks).views);
          },
          nb::arg("data"), "Hides whole views only.")
      .def(
          "truth",
          [](const HeldOut& h, const Dataset& data, const std::string& view) {
            const Index v = data.view_index(view);
            return to_numpy(held_out_values(data.view(v).Y, h.masks.at(static_cast<std::size_t>(v))));
          },
          nb::arg("data"), nb::arg("view"), "The hidden entries of a view, NaN elsewhere.");
  m.def(
      "hold_out",
      [](const Dataset& data, double share, std::uint64_t seed) {
        return HeldOut{held_out_masks(data, share, seed)};
      },
      nb::arg("data"), nb::arg("share"), nb::arg("seed"),
      "The entries that 'bochner fit --inference mcmc' hides.");
  m.def(
      "hold_out_entries_and_views",
      [](const Dataset& data, double share, std::uint64_t seed, const std::string& whole) {
        return HeldOut{held_out_entries_and_views(data, share, seed, whole)};
      },
      nb::arg("data"), nb::arg("share"), nb::arg("seed"), nb::arg("whole") = "",
      "The entries that 'bochner fit' hides.");
  m.def(
      "hold_out_of_new",
      [](const Dataset& data, double share, std::uint64_t seed) {
        return HeldOut{held_out_of_new(data, share, seed)};
      },
      nb::arg("data"), nb::arg("share"), nb::arg("seed"), "Entries of new samples, at least one.");
  m.def(
      "hide_bayes",
      [](const BayesData& data, const HeldOut& held_out) {
        BayesData out = data;
        out.data = hide(data.data, held_out.masks);
        return out;
      },
      nb::arg("data"), nb::arg("held_out"));
  m.def(
      "divide_bayes",
      [](const BayesData& data, const RowFactors& factors) {
        BayesData out = data;
        out.data = divide_rows(data.data, factors);
        return out;
      },
      nb::arg("data"), nb::arg("factors"));
  m.def("held_out_rows", &held_out_rows, nb::arg("rows"), nb::arg("share"), nb::arg("seed"),
        "The rows that 'bochner regress' and 'bochner classify' hold out.");
}

void add_baselines(nb::module_& m) {
  using Baselines = HarmonicBaselines;
  nb::class_<Baselines>(m, "HarmonicBaselines", "What predicts without a Gaussian process.")
      .def("__getstate__",
           [](const Baselines& b) {
             const OutcomeBaselines& o = b.outcomes;
             Matrix columns(o.mean.size(), 4);
             columns.setZero();
             if (o.mean.size() > 0) columns.leftCols(2) << o.mean, o.variance;
             if (o.has_linear()) columns.rightCols(2) << o.intercept, o.residual_variance;
             return std::tuple(to_numpy(std::move(columns)), to_numpy(o.weights), to_numpy(b.shares));
           })
      .def("__setstate__", [](Baselines& b, const std::tuple<MatrixArg, MatrixArg, VectorArg>& state) {
        const auto& [columns, weights, shares] = state;
        const MatrixMap c = map(columns);
        new (&b) Baselines{.outcomes = {.mean = c.col(0), .variance = c.col(1), .weights = map(weights)},
                           .shares = map(shares)};
        if (!b.outcomes.has_linear()) return;
        b.outcomes.intercept = c.col(2);
        b.outcomes.residual_variance = c.col(3);
      });
  m.def(
      "harmonic_baselines",
      [](const HarmonicFit& fit, const MatrixArg& X, const MatrixArg& Y) {
        return without_lock([&] { return harmonic_baselines(memory_rows(map(X), map(Y)), fit); });
      },
      nb::arg("fit"), nb::arg("X"), nb::arg("Y"));
}

void add_models(nb::module_& m) {
  m.def(
      "calibrated_gplvm",
      [](const GplvmFit& fit, const Dataset& data, const HeldOut& held_out, int threads) {
        return without_lock([&] { return calibrated(fit, data, held_out.masks, make_threads(threads)); });
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("threads"),
      "The fit with intervals that hold what was hidden from it.");
  m.def(
      "gplvm_with_held_out",
      [](const GplvmFit& fit, const Dataset& data, const HeldOut& held_out, int threads) {
        return without_lock([&] { return with_held_out(fit, data, held_out.masks, make_threads(threads)); });
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("threads"),
      "The judged fit, with the latents of all entries of samples from which much was hidden.");
  m.def(
      "assess_gplvm",
      [](const GplvmFit& fit, const Dataset& data, const HeldOut& held_out, int threads) {
        return of_views(
            without_lock([&] { return assess(fit, data, held_out.masks, make_threads(threads)); }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("threads"));
  m.def(
      "assess_new_gplvm",
      [](const GplvmFit& fit, const Dataset& data, const HeldOut& held_out, int threads) {
        return of_views(without_lock([&] {
          const Dataset own = normalised_for(fit, hide(data, held_out.masks), data).data;
          return assess_new(fit, own, held_out.masks, make_threads(threads));
        }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("threads"));
  m.def(
      "assess_bayes",
      [](const BayesFit& fit, const BayesData& data, const HeldOut& held_out, int threads) {
        return of_views(
            without_lock([&] { return assess(fit, data, held_out.masks, make_threads(threads)); }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("threads"));
  m.def(
      "assess_new_bayes",
      [](const BayesFit& fit, const BayesData& data, const HeldOut& held_out, bool by_id, int threads) {
        return of_views(without_lock([&] {
          BayesData own = data;
          own.data = normalised_for(fit, hide(data.data, held_out.masks), data.data).data;
          return assess_new(fit, own, held_out.masks, make_threads(threads), by_id);
        }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("held_out"), nb::arg("by_id"), nb::arg("threads"));
  m.def(
      "assess_harmonic",
      [](const HarmonicFit& fit, const HarmonicBaselines& baselines, const MatrixArg& X, const MatrixArg& Y,
         int threads) {
        return of_rows(
            fit, without_lock([&] { return assess(fit, baselines, map(X), map(Y), make_threads(threads)); }));
      },
      nb::arg("fit"), nb::arg("baselines"), nb::arg("X"), nb::arg("Y"), nb::arg("threads"));
  m.def(
      "assess_kpca",
      [](const KpcaFit& fit, const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
         double holdout, int threads) {
        return of_cross_views(
            without_lock([&] { return assess(fit, data, options, seed, holdout, make_threads(threads)); }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("holdout"),
      nb::arg("threads"));
  m.def(
      "assess_new_kpca",
      [](const KpcaFit& fit, const Dataset& data, int threads) {
        return of_cross_views(without_lock([&] { return assess_new(fit, data, make_threads(threads)); }));
      },
      nb::arg("fit"), nb::arg("data"), nb::arg("threads"));
  m.def(
      "assess_forecast",
      [](const std::vector<BacktestFold>& folds, bool tuned) { return of_backtest(assess(folds, tuned)); },
      nb::arg("folds"), nb::arg("tuned"));
}

}  // namespace

void add_assess(nb::module_& m) {
  add_verdict(m);
  add_held_out(m);
  add_baselines(m);
  add_models(m);
  m.def("normal_quantile_of_interval", &normal_quantile_of_interval, nb::arg("level"));
  m.def(
      "log_predictive_density",
      [](const MatrixArg& truth, const MatrixArg& mean, const MatrixArg& variance) {
        return log_predictive_density(map(truth), map(mean), map(variance));
      },
      nb::arg("truth"), nb::arg("mean"), nb::arg("variance"),
      "The mean over the entries where the truth is known.");
}

}  // namespace bochner::python
