#include "bochner/models/gplvm/gplvm.hpp"

#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

struct GplvmWords {
  Index dims, components, steps, patience, restarts;
  std::string features;
  double step_size;
  bool single_precision;
};

/// What views have, in the order of the data: kernel, scaling, noise.
using ViewWords = std::tuple<std::string, std::string, std::optional<double>>;

GplvmOptions make_options(const GplvmWords& words, const std::vector<ViewWords>& views) {
  GplvmOptions out{.dims = words.dims,
                   .features = parse_features(words.features, gplvm_feature_kinds),
                   .single_precision = words.single_precision,
                   .steps = words.steps,
                   .step_size = words.step_size,
                   .patience = words.patience,
                   .restarts = words.restarts};
  for (const auto& [kernel, scaling, noise] : views)
    out.own.push_back(GplvmViewOptions{.kernel = kernel,
                                       .components = words.components,
                                       .scaling = parse_scaling(scaling),
                                       .fixed_noise = noise});
  return out;
}

std::pair<GplvmFit, bool> fit(const Dataset& data, const std::vector<ViewWords>& views, Index dims,
                              Index components, const std::string& features, Index steps, double step_size,
                              Index patience, Index restarts, bool single_precision, std::uint64_t seed,
                              int threads, std::optional<OnStep> on_step) {
  const GplvmOptions options = make_options(
      {dims, components, steps, patience, restarts, features, step_size, single_precision}, views);
  Conversation talk(std::move(on_step));
  GplvmHooks hooks{
      .on_step =
          [&](const GplvmProgress& p) { return talk.go_on(p.step.step, options.steps, p.step.objective); },
      .keep_going = [&] { return talk.go_on(); }};
  GplvmFit out = without_lock([&] { return fit_gplvm(data, options, seed, make_threads(threads), hooks); });
  talk.rethrow();
  return {std::move(out), talk.interrupted()};
}

Matrix trace_of(const GplvmFit& f) {
  Matrix out(static_cast<Index>(f.trace.size()), 3);
  for (std::size_t i = 0; i < f.trace.size(); ++i)
    out.row(static_cast<Index>(i)) << double(f.trace[i].start), double(f.trace[i].step), f.trace[i].objective;
  return out;
}

}  // namespace

void add_gplvm(nb::module_& m) {
  add_fit<GplvmFit>(m, "GplvmFit", &gplvm_group, &gplvm_from)
      .def_ro("ids", &GplvmFit::ids)
      .def_ro("objective", &GplvmFit::objective)
      .def_ro("steps", &GplvmFit::steps)
      .def_ro("seed", &GplvmFit::seed)
      .def_prop_ro("status", [](const GplvmFit& f) { return to_string(f.status); })
      .def_prop_ro("features", [](const GplvmFit& f) { return to_text(f.features); })
      .def_prop_ro(
          "latent_mean", [](const GplvmFit& f) { return to_numpy(f.latent.mean); }, nb::rv_policy::move)
      .def_prop_ro(
          "latent_sd", [](const GplvmFit& f) { return to_numpy(f.latent.sd); }, nb::rv_policy::move)
      .def_prop_ro(
          "trace", [](const GplvmFit& f) { return to_numpy(trace_of(f)); }, nb::rv_policy::move)
      .def_prop_ro("views",
                   [](const GplvmFit& f) {
                     std::vector<std::pair<std::string, std::vector<std::string>>> out;
                     for (const GplvmView& view : f.views) out.emplace_back(view.name, view.columns);
                     return out;
                   })
      .def("kernel",
           [](const GplvmFit& f, const std::string& view) {
             const AnyKernel& k = f.view(view).kernel;
             return std::tuple(kernel_name(k), parameter_names(k), to_numpy(parameters(k)));
           })
      .def("noise_variance",
           [](const GplvmFit& f, const std::string& view) { return f.view(view).noise_variance; })
      .def("frequencies",
           [](const GplvmFit& f, const std::string& view, Index count, std::uint64_t seed) {
             Rng rng(seed);
             const AnyKernel& k = f.view(view).kernel;
             return to_numpy(
                 Matrix(frequencies(k, draw_noise(k, count, Directions::independent, rng)).Omega1));
           })
      .def("embed",
           [](const GplvmFit& f, const Dataset& data, int threads) {
             LatentPosterior at = without_lock([&] { return embed(f, data, make_threads(threads)); });
             return std::pair(to_numpy(std::move(at.mean)), to_numpy(std::move(at.sd)));
           })
      .def("predict",
           [](const GplvmFit& f, const std::string& view, const MatrixArg& mean, const MatrixArg& sd,
              int threads) {
             const LatentPosterior at{map(mean), map(sd)};
             Predictive p = without_lock([&] { return predict(f.view(view), at, make_threads(threads)); });
             return std::tuple(to_numpy(std::move(p.mean)), to_numpy(std::move(p.f_variance)),
                               to_numpy(std::move(p.y_variance)));
           })
      .def("relevance", [](const GplvmFit& f, const Dataset& data, int threads) {
        Relevance r = without_lock([&] { return relevance(f, data, make_threads(threads)); });
        std::vector<MatrixResult> columns;
        for (Matrix& own : r.by_column) columns.push_back(to_numpy(std::move(own)));
        return std::tuple(to_numpy(std::move(r.by_view)), columns, to_numpy(std::move(r.explained)));
      });
  m.def("fit_gplvm", &fit, nb::arg("data"), nb::arg("views"), nb::arg("dims"), nb::arg("components"),
        nb::arg("features"), nb::arg("steps"), nb::arg("step_size"), nb::arg("patience"), nb::arg("restarts"),
        nb::arg("single_precision"), nb::arg("seed"), nb::arg("threads"), nb::arg("on_step").none());
}

}  // namespace bochner::python
