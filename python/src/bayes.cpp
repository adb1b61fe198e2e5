#include "bochner/models/bayes/bayes.hpp"

#include "bochner/data/row_factors.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/covariate_effects.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/forecast.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/models/bayes/prior_text.hpp"
#include "bochner/models/bayes/relevance.hpp"
#include "module.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "relevance.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

std::vector<Matrix> copies(const std::vector<MatrixArg>& arrays) {
  std::vector<Matrix> out;
  for (const MatrixArg& a : arrays) out.emplace_back(map(a));
  return out;
}

std::vector<MatrixResult> to_numpy_all(std::vector<Matrix> matrices) {
  std::vector<MatrixResult> out;
  for (Matrix& m : matrices) out.push_back(to_numpy(std::move(m)));
  return out;
}

void add_options(nb::module_& m) {
  using View = BayesViewOptions;
  nb::class_<View> view(m, "BayesViewOptions", "Options of one view of a Bayesian model.");
  view.def(nb::init<>());
  text_attribute(view, "likelihood", &View::likelihood, &parse_bayes_likelihood);

  using Options = BayesOptions;
  nb::class_<Options> options(m, "BayesOptions", "Options of a Bayesian model.");
  options.attr("until_settled") = until_settled;
  options.def(nb::init<>())
      .def_rw("dims", &Options::dims)
      .def_rw("frequencies", &Options::frequencies)
      .def_rw("views", &Options::views)
      .def_rw("chains", &Options::chains)
      .def_rw("warmup", &Options::warmup)
      .def_rw("draws", &Options::draws)
      .def_rw("thin", &Options::thin)
      .def_rw("stored", &Options::stored)
      .def_prop_rw(
          "dirichlet", [](const Options& o) { return o.priors.frequencies.dirichlet; },
          [](Options& o, bool value) { o.priors.frequencies.dirichlet = value; },
          "Whether frequencies have a Dirichlet-process mixture as their prior.")
      .def_prop_rw(
          "dynamic", [](const Options& o) { return o.latent.dynamic; },
          [](Options& o, bool value) { o.latent.dynamic = value; }, "Whether latents are paths over time.")
      .def_prop_rw(
          "time_kernel", [](const Options& o) { return to_text(o.latent.kind); },
          [](Options& o, const std::string& text) { o.latent.kind = parse_path_kind(text); });
  options
      .def(
          "set_prior", [](Options& o, const std::string& text) { set_prior(o.priors, text); },
          nb::arg("text"), "Sets the prior of a scalar parameter from NAME=DISTRIBUTION.")
      .def_prop_ro(
          "priors", [](const Options& o) { return prior_texts(o.priors); },
          "All of them as NAME=DISTRIBUTION.");
  text_attribute(options, "start", &Options::start, &parse_bayes_start);
  options.def_prop_rw(
      "starts",
      [](const Options& o) {
        std::vector<std::string> out;
        for (const BayesStart start : o.starts) out.push_back(to_text(start));
        return out;
      },
      [](Options& o, const std::vector<std::string>& texts) {
        o.starts.clear();
        for (const std::string& text : texts) o.starts.push_back(parse_bayes_start(text));
      },
      "Of the chains in turn; empty: all at `start`.");
}

void add_data(nb::module_& m) {
  nb::class_<BayesData>(m, "BayesData", "Tables, and what some likelihoods and priors need beside them.")
      .def(
          "__init__", [](BayesData* self, const Dataset& data) { new (self) BayesData{.data = data}; },
          nb::arg("data"))
      .def_prop_rw(
          "trials", [](const BayesData& d) { return to_numpy_all(d.trials); },
          [](BayesData& d, const std::vector<MatrixArg>& trials) { d.trials = copies(trials); },
          "Of each view: a matrix, 1 x 1 for one number, or 0 x 0 for none.", nb::rv_policy::move)
      .def_prop_rw(
          "exposure",
          [](const BayesData& d) {
            std::vector<VectorResult> out;
            for (const Vector& own : d.exposure) out.push_back(to_numpy(Vector(own)));
            return out;
          },
          [](BayesData& d, const std::vector<VectorArg>& exposure) {
            d.exposure.clear();
            for (const VectorArg& own : exposure) d.exposure.emplace_back(map(own));
          },
          "Of each view: one for each row, or none.", nb::rv_policy::move)
      .def_rw("exposure_names", &BayesData::exposure_names, "Of each view: where they come from, or \"\".")
      .def_rw("classes", &BayesData::classes, "Of each view: names of the classes of each column.")
      .def(
          "set_covariates",
          [](BayesData& d, const std::vector<std::string>& names,
             const std::vector<std::vector<std::string>>& cells) {
            d.covariates = learn_covariates(names, cells, d.data.ids());
            d.design = encode(d.covariates, cells, d.data.ids());
          },
          nb::arg("names"), nb::arg("cells"), "Learns how columns of text or numbers enter f.")
      .def(
          "set_known_covariates",
          [](BayesData& d, const BayesFit& fit, const std::vector<std::vector<std::string>>& cells) {
            d.covariates = fit.covariates;
            d.design = encode(fit.covariates, cells, d.data.ids());
          },
          nb::arg("fit"), nb::arg("cells"), "Of new samples, as those of the fit.")
      .def(
          "set_design",
          [](BayesData& d, const BayesFit& fit, const MatrixArg& design) {
            d.covariates = fit.covariates;
            d.design = map(design);
          },
          nb::arg("fit"), nb::arg("design"))
      .def_prop_ro(
          "design", [](const BayesData& d) { return to_numpy(Matrix(d.design)); }, nb::rv_policy::move)
      .def(
          "keep_design",
          [](BayesData& d, const BayesFit& fit) { d.covariates = fit.covariates, d.design = fit.design; },
          nb::arg("fit"), "For the samples of the fit in its order.")
      .def_prop_ro(
          "time", [](const BayesData& d) { return to_numpy(d.axis.time); }, nb::rv_policy::move)
      .def_prop_ro("group", [](const BayesData& d) { return d.axis.group; })
      .def(
          "set_axis",
          [](BayesData& d, const VectorArg& time, std::vector<Index> group,
             std::vector<std::string> group_names, bool dates, std::string column, std::string group_column) {
            d.axis = {map(time),         std::move(group),        std::move(group_names),
                      std::move(column), std::move(group_column), dates};
          },
          nb::arg("time"), nb::arg("group"), nb::arg("group_names"), nb::arg("dates"), nb::arg("column"),
          nb::arg("group_column"), "Names of columns may be \"\".")
      .def_prop_rw(
          "start", [](const BayesData& d) { return to_numpy(d.start); },
          [](BayesData& d, const MatrixArg& start) { d.start = map(start); }, nb::rv_policy::move);
}

std::pair<BayesFit, bool> fit(const BayesData& data, const BayesOptions& options, std::uint64_t seed,
                              int threads, std::optional<OnStep> on_step) {
  PythonCallback callback(std::move(on_step));
  BayesHooks hooks{
      .on_start = [&](const BayesStartProgress&) { return callback.keep_going(); },
      .keep_going = [&] { return callback.keep_going(); },
      .on_sweep = [&](const BayesProgress& p) { return callback.keep_going(p.sweep, p.of, p.log_density); }};
  BayesFit out = without_lock([&] { return fit_bayes(data, options, seed, make_threads(threads), hooks); });
  callback.rethrow();
  return {std::move(out), callback.interrupted()};
}

BayesKnown known_of(const std::optional<MatrixArg>& Y, const std::optional<MatrixArg>& trials,
                    const std::optional<VectorArg>& exposure, const std::optional<MatrixArg>& design) {
  BayesKnown known;
  if (design) known.design = map(*design);
  if (exposure) known.exposure = map(*exposure);
  if (Y) known.Y = map(*Y);
  if (trials) known.trials = map(*trials);
  return known;
}

}  // namespace

void add_bayes(nb::module_& m) {
  add_options(m);
  add_data(m);
  add_fit<BayesFit>(m, "BayesFit", &bayes_group, &bayes_from)
      .def_ro("ids", &BayesFit::ids)
      .def_ro("seed", &BayesFit::seed)
      .def_prop_ro("draws", [](const BayesFit& f) { return f.draws; })
      .def_prop_ro("chains", &BayesFit::chains)
      .def_prop_ro("status", [](const BayesFit& f) { return status_text(f); })
      .def_prop_ro("has_time", [](const BayesFit& f) { return !f.paths.empty(); })
      .def_prop_ro("has_axis", [](const BayesFit& f) { return f.axis.time.size() > 0; })
      .def_prop_ro("group_names", [](const BayesFit& f) { return f.axis.group_names; })
      .def_prop_ro("dates", [](const BayesFit& f) { return f.axis.dates; })
      .def_prop_ro(
          "latent_mean", [](const BayesFit& f) { return to_numpy(f.latent.mean); }, nb::rv_policy::move)
      .def_prop_ro(
          "latent_sd", [](const BayesFit& f) { return to_numpy(f.latent.sd); }, nb::rv_policy::move)
      .def_prop_ro(
          "latent_draws", [](const BayesFit& f) { return to_numpy_all(f.X); }, nb::rv_policy::move)
      .def_prop_ro(
          "log_density", [](const BayesFit& f) { return to_numpy(f.log_density); }, nb::rv_policy::move)
      .def_prop_ro("views",
                   [](const BayesFit& f) {
                     std::vector<std::tuple<std::string, std::vector<std::string>, std::string>> out;
                     for (const BayesViewFit& view : f.views)
                       out.emplace_back(view.name, view.columns, to_text(view.likelihood));
                     return out;
                   })
      .def(
          "mean_trials", [](const BayesFit& f, const std::string& view) { return f.view(view).trials; },
          nb::arg("view"))
      .def_prop_ro(
          "covariates",
          [](const BayesFit& f) {
            std::vector<std::string> out;
            for (const Covariate& own : f.covariates.columns) out.push_back(own.name);
            return out;
          },
          "Names of the columns.")
      .def_prop_ro("coefficients", [](const BayesFit& f) { return f.covariates.names(); })
      .def_prop_ro(
          "design", [](const BayesFit& f) { return to_numpy(Matrix(f.design)); }, nb::rv_policy::move)
      .def(
          "covariate_effects",
          [](const BayesFit& f, int threads) {
            std::vector<std::pair<std::string, std::vector<MatrixResult>>> out;
            for (CovariateEffects& e :
                 without_lock([&] { return covariate_effects(f, stored_draws(f), make_threads(threads)); }))
              out.emplace_back(e.view,
                               to_numpy_all({e.mean, e.sd, e.low, e.high, e.rhat, e.ess_bulk, e.ess_tail}));
            return out;
          },
          nb::arg("threads"),
          "By view: mean, sd, low, high, R-hat, bulk and tail ESS, coefficients x functions.")
      .def(
          "exposure",
          [](const BayesFit& f, const std::string& view) { return to_numpy(Vector(f.view(view).exposure)); },
          nb::arg("view"), "Of the rows of the fit; empty without.", nb::rv_policy::move)
      .def(
          "classes", [](const BayesFit& f, const std::string& view) { return f.view(view).class_names; },
          nb::arg("view"))
      .def_prop_ro("monitors",
                   [](const BayesFit& f) {
                     std::vector<std::tuple<std::string, double, double, double>> out;
                     for (const BayesMonitor& x : f.monitors)
                       out.emplace_back(x.name, x.rhat, x.ess_bulk, x.ess_tail);
                     return out;
                   })
      .def(
          "embed",
          [](const BayesFit& f, const BayesData& data, bool by_id, int threads) {
            return to_numpy_all(without_lock([&] {
              BayesData own = data;
              own.data = normalised_for(f, data.data).data;
              return embed(f, own, Rng(f.seed).split("embed"), make_threads(threads), by_id);
            }));
          },
          nb::arg("data"), nb::arg("by_id"), nb::arg("threads"))
      .def(
          "relevance",
          [](const BayesFit& f, const BayesData& data, int threads) {
            return to_tuple(without_lock([&] { return relevance(f, data.data, make_threads(threads)); }));
          },
          nb::arg("data"), nb::arg("threads"), relevance_text)
      .def(
          "loadings",
          [](const BayesFit& f, const BayesData& data, int threads) {
            std::pair<std::vector<MatrixResult>, std::vector<MatrixResult>> out;
            for (BayesLoadings& own :
                 without_lock([&] { return loadings(f, data.data, make_threads(threads)); })) {
              out.first.push_back(to_numpy(std::move(own.mean)));
              out.second.push_back(to_numpy(std::move(own.sd)));
            }
            return out;
          },
          nb::arg("data"), nb::arg("threads"), "Posterior means and standard deviations, by view.")
      .def(
          "response",
          [](const BayesFit& f, const std::string& view, Index dim, Index count, double interval,
             int threads) {
            Vector values = response_values(f.latent.mean, dim, count);
            BayesResponse own = without_lock(
                [&] { return response(f, f.view(view), dim, values, interval, make_threads(threads)); });
            return std::tuple(to_numpy(std::move(values)), to_numpy(std::move(own.mean)),
                              to_numpy(std::move(own.low)), to_numpy(std::move(own.high)));
          },
          nb::arg("view"), nb::arg("dim"), nb::arg("count"), nb::arg("interval"), nb::arg("threads"))
      .def(
          "sample",
          [](const BayesFit& f, Index count, std::uint64_t seed) {
            return to_numpy_all(without_lock([&] { return sample_measurements(f, count, Rng(seed)); }));
          },
          nb::arg("count"), nb::arg("seed"))
      .def(
          "predict",
          [](const BayesFit& f, const std::string& view, const std::vector<MatrixArg>& X,
             std::optional<MatrixArg> known, std::optional<MatrixArg> trials, double interval, bool of_fit,
             int threads, std::optional<VectorArg> factors, std::optional<VectorArg> exposure,
             std::optional<MatrixArg> design) {
            const std::vector<Matrix> at = copies(X);
            const BayesKnown beside = known_of(known, trials, exposure, design);
            // Samples of the fit draw the numbers that `bochner fit` draws for its imputed/ tables.
            const Rng rng = of_fit ? Rng(f.seed).split("imputed") : Rng(f.seed).split("predict").split(view);
            const BayesViewFit& own = f.view(view);
            Vector units;
            if (own.row_median > 0) units = Vector::Constant(at.front().rows(), own.row_median);
            if (factors) units = map(*factors);
            BayesPrediction p = without_lock([&] {
              return multiply_rows(
                  predict(own, at, beside, {.interval = interval}, rng, make_threads(threads)), units);
            });
            return std::tuple(to_numpy(std::move(p.mean)), to_numpy(std::move(p.f_variance)),
                              to_numpy(std::move(p.y_variance)), to_numpy(std::move(p.low)),
                              to_numpy(std::move(p.high)), to_numpy(std::move(p.median)));
          },
          nb::arg("view"), nb::arg("X"), nb::arg("known").none(), nb::arg("trials").none(),
          nb::arg("interval"), nb::arg("of_fit"), nb::arg("threads"), nb::arg("factors").none() = nb::none(),
          nb::arg("exposure").none() = nb::none(), nb::arg("design").none() = nb::none(),
          "`factors`: of rows that are normalised; None: their median.")
      .def(
          "log_density_of",
          [](const BayesFit& f, const std::string& view, const std::vector<MatrixArg>& X, const MatrixArg& Y,
             const MatrixArg& known, std::optional<MatrixArg> trials, int threads,
             std::optional<VectorArg> factors, std::optional<VectorArg> exposure,
             std::optional<MatrixArg> design) {
            const std::vector<Matrix> at = copies(X);
            const BayesKnown beside = known_of(known, trials, exposure, design);
            const Vector units = factors ? Vector(map(*factors)) : Vector();
            return to_numpy(without_lock([&] {
              Matrix own = map(Y);
              if (units.size() > 0) own.array().colwise() /= units.array();
              Matrix out = log_density(f.view(view), at, own, beside, make_threads(threads));
              if (units.size() > 0) out.array().colwise() -= units.array().log();  // per unit of the table
              return out;
            }));
          },
          nb::arg("view"), nb::arg("X"), nb::arg("Y"), nb::arg("known"), nb::arg("trials").none(),
          nb::arg("threads"), nb::arg("factors").none() = nb::none(), nb::arg("exposure").none() = nb::none(),
          nb::arg("design").none() = nb::none())
      .def(
          "row_factors",
          [](const BayesFit& f, const std::string& view,
             const MatrixArg& values) -> std::optional<VectorResult> {
            const double median = f.view(view).row_median;
            if (!(median > 0)) return std::nullopt;
            Vector out = row_factors(map(values));
            return to_numpy(Vector(out.array().isNaN().select(median, out)));
          },
          nb::arg("view"), nb::arg("values"), "Of rows of a view that is normalised, else None.")
      .def(
          "keep_row_medians",
          [](BayesFit& f, const RowFactors& factors) { f = with_row_medians(std::move(f), factors); },
          nb::arg("factors"))
      .def(
          "forecast",
          [](const BayesFit& f, Index steps, double gap) {
            return to_numpy_all(
                without_lock([&] { return forecast(f, steps, gap, Rng(f.seed).split("forecast")); }));
          },
          nb::arg("steps"), nb::arg("gap"));
  m.def("fit_bayes", &fit, nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("on_step").none());
}

}  // namespace bochner::python
