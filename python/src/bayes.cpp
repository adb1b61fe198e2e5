#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/forecast.hpp"
#include "bochner/models/bayes/names.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// What views have, in the order of the data: likelihood, trials (a matrix, or one number as 1 x 1), classes of columns.
using ViewWords = std::tuple<std::string, std::optional<MatrixArg>, std::vector<std::vector<std::string>>>;

struct Beside {
  std::optional<VectorArg> time;
  std::vector<Index> group;
  std::optional<MatrixArg> start;
};

BayesData make_data(const Dataset& data, const std::vector<ViewWords>& views, const Beside& beside) {
  BayesData out{.data = data};
  for (const auto& [likelihood, trials, classes] : views) {
    out.trials.push_back(trials ? Matrix(map(*trials)) : Matrix());
    out.classes.push_back(classes);
  }
  if (beside.time) out.time = map(*beside.time);
  out.group = beside.group;
  if (beside.start) out.start = map(*beside.start);
  return out;
}

std::pair<BayesFit, bool> fit(const Dataset& data, const std::vector<ViewWords>& views, Index dims,
                              bool mixture, Index frequencies, const std::string& path, Index chains,
                              Index warmup, Index draws, Index thin, Index stored,
                              const std::string& start_word, std::optional<VectorArg> time,
                              std::vector<Index> group, std::optional<MatrixArg> start, std::uint64_t seed,
                              int threads, std::optional<OnStep> on_step) {
  BayesOptions options{.dims = dims,
                       .frequencies = frequencies,
                       .latent = {time.has_value(), parse_path_kind(path)},
                       .chains = chains,
                       .warmup = warmup,
                       .draws = draws,
                       .thin = thin,
                       .stored = stored,
                       .start = start ? BayesStart::given : parse_bayes_start(start_word)};
  options.priors.frequencies.dirichlet = mixture;
  for (const auto& words : views)
    options.views.push_back({.likelihood = parse_bayes_likelihood(std::get<0>(words))});
  const BayesData with = make_data(data, views, {time, std::move(group), start});
  Conversation talk(std::move(on_step));
  BayesHooks hooks{
      .on_start = [&](const BayesStartProgress&) { return talk.go_on(); },
      .keep_going = [&] { return talk.go_on(); },
      .on_sweep = [&](const BayesProgress& p) { return talk.go_on(p.sweep, p.of, p.log_density); }};
  BayesFit out = without_lock([&] { return fit_bayes(with, options, seed, make_threads(threads), hooks); });
  talk.rethrow();
  return {std::move(out), talk.interrupted()};
}

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

BayesKnown known_of(const std::optional<MatrixArg>& Y, const std::optional<MatrixArg>& trials) {
  BayesKnown known;
  if (Y) known.Y = map(*Y);
  if (trials) known.trials = map(*trials);
  return known;
}

}  // namespace

void add_bayes(nb::module_& m) {
  add_fit<BayesFit>(m, "BayesFit", &bayes_group, &bayes_from)
      .def_ro("ids", &BayesFit::ids)
      .def_ro("seed", &BayesFit::seed)
      .def_prop_ro("draws", [](const BayesFit& f) { return f.draws; })
      .def_prop_ro("status", [](const BayesFit& f) { return status_text(f); })
      .def_prop_ro("has_time", [](const BayesFit& f) { return !f.paths.empty(); })
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
      .def("mean_trials", [](const BayesFit& f, const std::string& view) { return f.view(view).trials; })
      .def("classes", [](const BayesFit& f, const std::string& view) { return f.view(view).class_names; })
      .def_prop_ro("monitors",
                   [](const BayesFit& f) {
                     std::vector<std::tuple<std::string, double, double, double>> out;
                     for (const BayesMonitor& x : f.monitors)
                       out.emplace_back(x.name, x.rhat, x.ess_bulk, x.ess_tail);
                     return out;
                   })
      .def("embed",
           [](const BayesFit& f, const Dataset& data, const std::vector<MatrixArg>& trials, bool by_id,
              int threads) {
             const std::vector<Matrix> own = copies(trials);
             return to_numpy_all(without_lock([&] {
               return embed(f, data, own, Rng(f.seed).split("embed"), make_threads(threads), by_id);
             }));
           })
      .def(
          "predict",
          [](const BayesFit& f, const std::string& view, const std::vector<MatrixArg>& X,
             std::optional<MatrixArg> known, std::optional<MatrixArg> trials, double interval, bool of_fit,
             int threads) {
            const std::vector<Matrix> at = copies(X);
            const BayesKnown beside = known_of(known, trials);
            // Samples of the fit draw the numbers that `bochner fit` draws for its imputed/ tables.
            const Rng rng = of_fit ? Rng(f.seed).split("imputed") : Rng(f.seed).split("predict").split(view);
            BayesPrediction p = without_lock([&] {
              return predict(f.view(view), at, beside, {.interval = interval}, rng, make_threads(threads));
            });
            return std::tuple(to_numpy(std::move(p.mean)), to_numpy(std::move(p.f_variance)),
                              to_numpy(std::move(p.y_variance)), to_numpy(std::move(p.low)),
                              to_numpy(std::move(p.high)), to_numpy(std::move(p.median)));
          },
          nb::arg("view"), nb::arg("X"), nb::arg("known").none(), nb::arg("trials").none(),
          nb::arg("interval"), nb::arg("of_fit"), nb::arg("threads"))
      .def(
          "log_density_of",
          [](const BayesFit& f, const std::string& view, const std::vector<MatrixArg>& X, const MatrixArg& Y,
             const MatrixArg& known, std::optional<MatrixArg> trials, int threads) {
            const std::vector<Matrix> at = copies(X);
            const BayesKnown beside = known_of(known, trials);
            return to_numpy(without_lock(
                [&] { return log_density(f.view(view), at, map(Y), beside, make_threads(threads)); }));
          },
          nb::arg("view"), nb::arg("X"), nb::arg("Y"), nb::arg("known"), nb::arg("trials").none(),
          nb::arg("threads"))
      .def("forecast", [](const BayesFit& f, Index steps, double gap) {
        return to_numpy_all(
            without_lock([&] { return forecast(f, steps, gap, Rng(f.seed).split("forecast")); }));
      });
  m.def("fit_bayes", &fit, nb::arg("data"), nb::arg("views"), nb::arg("dims"), nb::arg("mixture"),
        nb::arg("frequencies"), nb::arg("path"), nb::arg("chains"), nb::arg("warmup"), nb::arg("draws"),
        nb::arg("thin"), nb::arg("stored"), nb::arg("start_word"), nb::arg("time").none(), nb::arg("group"),
        nb::arg("start").none(), nb::arg("seed"), nb::arg("threads"), nb::arg("on_step").none());
}

}  // namespace bochner::python
