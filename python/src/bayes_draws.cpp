#include <nanobind/stl/map.h>

#include "bochner/assess/loo.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/models/bayes/inference_data.hpp"
#include "bochner/models/bayes/spectrum.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

using Named = std::map<std::string, double>;

Named named(const Loo& l) {
  return {{"elpd_loo", l.elpd_loo},
          {"se", l.se},
          {"p_loo", l.p_loo},
          {"n_samples", double(l.n_samples)},
          {"n_data_points", double(l.n_data_points)},
          {"good_k", l.good_k},
          {"pareto_k_above_good_k", double(l.bad)},
          {"pareto_k_above_1", double(l.very_bad)}};
}

Named named(const Waic& w) {
  return {{"elpd_waic", w.elpd_waic},
          {"se", w.se},
          {"p_waic", w.p_waic},
          {"n_samples", double(w.n_samples)},
          {"n_data_points", double(w.n_data_points)},
          {"variance_above_0.4", double(w.unstable)}};
}

using Criteria = std::vector<std::tuple<std::string, Named, Named>>;

/// Writes draws, if `path` says where, and gives LOO and WAIC of each view if there are data. `data`: what the fit has seen, of
/// its samples and views in their order.
Criteria keep_draws(const BayesFit& fit, const std::optional<std::string>& path,
                    const std::optional<BayesData>& data, int threads) {
  return without_lock([&] {
    Criteria out;
    InferenceData kept{.fit = fit, .draws = stored_draws(fit)};
    if (!data) {
      if (path) write_inference_data(*path, kept);
      return out;
    }
    NormalisedRows rows = normalised_for(fit, data->data);
    BayesData seen = *data;
    seen.data = std::move(rows.data);
    const Compute compute = make_threads(threads);
    const InferenceData all = make_inference_data(fit, stored_draws(fit), seen, rows.factors, {}, compute);
    if (path) write_inference_data(*path, all);
    for (const ViewCriteria& c : criteria(*all.pointwise, all.reff, compute))
      out.emplace_back(c.view, named(c.loo), named(c.waic));
    return out;
  });
}

using Predictive = std::vector<std::tuple<std::string, VectorResult, MatrixResult>>;

/// Of each view: what was measured, and a measurement there for every stored draw.
Predictive predictive_draws(const BayesFit& fit, const BayesData& data, int threads) {
  Pointwise found = without_lock([&] {
    NormalisedRows rows = normalised_for(fit, data.data);
    BayesData seen = data;
    seen.data = std::move(rows.data);
    return pointwise(stored_draws(fit), fit, seen, rows.factors, {}, Rng(fit.seed).split("pointwise"),
                     make_threads(threads));
  });
  Predictive out;
  for (PointwiseView& view : found.views)
    out.emplace_back(view.view, to_numpy(std::move(view.observed)), to_numpy(std::move(view.predictive)));
  return out;
}

auto band_tuple(Band b) {
  return std::tuple(to_numpy(std::move(b.at)), to_numpy(std::move(b.low)), to_numpy(std::move(b.median)),
                    to_numpy(std::move(b.high)));
}

}  // namespace

void add_bayes_draws(nb::module_& m) {
  m.def("keep_draws", &keep_draws, nb::arg("fit"), nb::arg("path").none(), nb::arg("data").none(),
        nb::arg("threads"),
        "LOO and WAIC of each view of the data; writes draws as NetCDF if a path is given.");
  m.def(
      "loo",
      [](const MatrixArg& log_likelihood, double reff, int threads) {
        Loo l = loo(map(log_likelihood), reff, make_threads(threads));
        return std::tuple(named(l), to_numpy(std::move(l.elpd_i)), to_numpy(std::move(l.pareto_k)));
      },
      nb::arg("log_likelihood"), nb::arg("reff"), nb::arg("threads"));
  m.def(
      "waic",
      [](const MatrixArg& log_likelihood, int threads) {
        return named(waic(map(log_likelihood), make_threads(threads)));
      },
      nb::arg("log_likelihood"), nb::arg("threads"));
  m.def("predictive_draws", &predictive_draws, nb::arg("fit"), nb::arg("data"), nb::arg("threads"),
        "Of each view: observed entries, and draws x entries from the posterior predictive.");
  m.def(
      "bayes_spectrum",
      [](const BayesFit& fit, const std::string& view, Index points) {
        SpectralPosterior s = spectral_posterior(fit.view(view), points);
        return std::tuple(band_tuple(std::move(s.density)), band_tuple(std::move(s.kernel)));
      },
      nb::arg("fit"), nb::arg("view"), nb::arg("points"),
      "Bands (at, low, median, high) of the spectral density and of the kernel, a column for each "
      "dimension.");
  m.def(
      "bayes_mixtures",
      [](const BayesFit& fit, const std::string& view) {
        std::vector<std::tuple<VectorResult, MatrixResult, MatrixResult, double, double>> out;
        for (const BayesFunctions& draw : fit.view(view).draws) {
          const SpectralDraw& s = draw.spectrum;
          out.emplace_back(to_numpy(Vector(s.weights)), to_numpy(Matrix(s.means)),
                           to_numpy(Matrix(s.covariances)), s.concentration, s.amplitude);
        }
        return out;
      },
      nb::arg("fit"), nb::arg("view"),
      "Of every stored draw: weights, means, covariances (flat), concentration, amplitude.");
}

}  // namespace bochner::python
