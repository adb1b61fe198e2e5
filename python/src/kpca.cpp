#include "bochner/models/kpca/kpca.hpp"

#include "bochner/core/errors.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "module.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

ScalingKind parse_scaling_kind(const std::string& text) {
  if (text == "none") return ScalingKind::none;
  if (text == "centre") return ScalingKind::centre;
  if (text == "standardise") return ScalingKind::standardise;
  if (text == "whole") return ScalingKind::whole_view;
  throw InputError("scaling is '" + text + "', but must be none, centre, standardise or whole");
}

std::string scaling_text(ScalingKind kind) {
  switch (kind) {
    case ScalingKind::none:
      return "none";
    case ScalingKind::centre:
      return "centre";
    case ScalingKind::standardise:
      return "standardise";
    case ScalingKind::whole_view:
      return "whole";
  }
  return "";
}

void add_options(nb::module_& m) {
  using View = KpcaViewOptions;
  nb::class_<View> view(m, "KpcaViewOptions", "Options of one view of kernel PCA.");
  view.def(nb::init<>())
      .def_rw("kernel", &View::kernel)
      .def_rw("lengthscale", &View::lengthscale)
      .def_rw("weight", &View::weight)
      .def_rw("classes", &View::classes)
      .def_prop_rw(
          "features", [](const View& o) { return to_text(o.features); },
          [](View& o, const std::string& text) { o.features = parse_features(text, kpca_feature_kinds); })
      .def_prop_rw(
          "scaling", [](const View& o) { return scaling_text(o.scaling); },
          [](View& o, const std::string& text) { o.scaling = parse_scaling_kind(text); });
  text_attribute(view, "preimage", &View::preimage, &parse_preimage);

  using Options = KpcaOptions;
  nb::class_<Options> options(m, "KpcaOptions", "Options of kernel PCA.");
  options.def(nb::init<>())
      .def_rw("dims", &Options::dims)
      .def_rw("own", &Options::own)
      .def_prop_rw(
          "epochs", [](const Options& o) { return o.training.epochs; },
          [](Options& o, Index epochs) { o.training.epochs = epochs; });
  text_attribute(options, "solver", &Options::solver, &parse_solver);
}

std::pair<KpcaFit, bool> fit(const Dataset& data, const KpcaOptions& options, std::uint64_t seed, int threads,
                             std::optional<OnStep> on_step) {
  PythonCallback callback(std::move(on_step));
  const KpcaProgress progress = [&](double done) {
    return callback.keep_going(static_cast<Index>(100 * done), 100, done);
  };
  KpcaFit out = without_lock([&] { return fit_kpca(data, options, seed, make_threads(threads), progress); });
  callback.rethrow();
  return {std::move(out), callback.interrupted()};
}

/// The views of class columns; there is at most one.
std::vector<std::string> label_views(const KpcaFit& fit) {
  std::vector<std::string> out;
  for (const KpcaView& view : fit.views)
    if (view.classes) out.push_back(view.name);
  return out;
}

}  // namespace

void add_kpca(nb::module_& m) {
  add_options(m);
  add_fit<KpcaFit>(m, "KpcaFit", &kpca_group, &kpca_from)
      .def_ro("ids", &KpcaFit::ids)
      .def_ro("notes", &KpcaFit::notes)
      .def_prop_ro("solver", [](const KpcaFit& f) { return to_text(f.solver); })
      .def_prop_ro("status", [](const KpcaFit& f) { return to_string(f.status); })
      .def_prop_ro("label_views", &label_views)
      .def_prop_ro("weights",
                   [](const KpcaFit& f) {
                     std::vector<double> out;
                     for (const KpcaView& view : f.views) out.push_back(view.weight);
                     return out;
                   })
      .def_prop_ro(
          "eigenvalues", [](const KpcaFit& f) { return to_numpy(f.lambda); }, nb::rv_policy::move)
      .def_prop_ro(
          "explained", [](const KpcaFit& f) { return to_numpy(f.explained()); }, nb::rv_policy::move)
      .def_prop_ro(
          "H", [](const KpcaFit& f) { return to_numpy(f.H); }, nb::rv_policy::move)
      .def_prop_ro("views",
                   [](const KpcaFit& f) {
                     std::vector<std::pair<std::string, std::vector<std::string>>> out;
                     for (const KpcaView& view : f.views) out.emplace_back(view.name, view.columns);
                     return out;
                   })
      .def(
          "embed",
          [](const KpcaFit& f, const Dataset& data, int threads) {
            return to_numpy(without_lock([&] { return embed(f, data, make_threads(threads)); }));
          },
          nb::arg("data"), nb::arg("threads"))
      .def(
          "scores", [](const KpcaFit& f, const MatrixArg& h) { return to_numpy(scores(f, map(h))); },
          nb::arg("h"))
      .def(
          "predict_view",
          [](const KpcaFit& f, Index v, const MatrixArg& h, const std::vector<bool>& present, int threads) {
            return to_numpy(
                without_lock([&] { return predict_view(f, v, map(h), present, make_threads(threads)); }));
          },
          nb::arg("v"), nb::arg("h"), nb::arg("present"), nb::arg("threads"))
      .def(
          "predict_from_others",
          [](const KpcaFit& f, Index v, const Dataset& data, int threads) {
            return to_numpy(
                without_lock([&] { return predict_from_others(f, v, data, make_threads(threads)); }));
          },
          nb::arg("v"), nb::arg("data"), nb::arg("threads"))
      .def(
          "sample",
          [](const KpcaFit& f, Index count, std::uint64_t seed) {
            return to_numpy(sample_components(f, count, Rng(seed).split("generated")));  // as 'bochner kpca'
          },
          nb::arg("count"), nb::arg("seed"))
      .def(
          "traverse",
          [](const KpcaFit& f, Index component, Index steps, double width) {
            return to_numpy(traverse(f, component, steps, width));
          },
          nb::arg("component"), nb::arg("steps"), nb::arg("width"));
  m.def("fit_kpca", &fit, nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("on_step").none());
  m.def(
      "balance_kpca",
      [](const Dataset& data, const KpcaOptions& options, std::uint64_t seed, int threads) {
        return without_lock([&] { return balanced(data, options, seed, make_threads(threads)); });
      },
      nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"));
}

}  // namespace bochner::python
