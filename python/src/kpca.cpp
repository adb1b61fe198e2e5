#include "bochner/models/kpca/kpca.hpp"

#include "bochner/core/errors.hpp"
#include "bochner/models/kpca/file.hpp"
#include "bochner/models/kpca/names.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// What views have, in the order of the data: kernel, length-scale, features, scaling, weight, pre-image.
using ViewWords = std::tuple<std::string, double, std::string, std::string, double, std::string>;

ScalingKind parse_kind(const std::string& word) {
  if (word == "none") return ScalingKind::none;
  if (word == "centre") return ScalingKind::centre;
  if (word == "standardise") return ScalingKind::standardise;
  if (word == "whole") return ScalingKind::whole_view;
  throw InputError("scaling is '" + word + "', but must be none, centre, standardise or whole");
}

std::pair<KpcaFit, bool> fit(const Dataset& data, const std::vector<ViewWords>& views, Index dims,
                             const std::string& solver, std::uint64_t seed, int threads,
                             std::optional<OnStep> on_step) {
  KpcaOptions options{.dims = dims, .solver = parse_solver(solver)};
  for (const auto& [kernel, lengthscale, features, scaling, weight, preimage] : views)
    options.own.push_back(KpcaViewOptions{.kernel = kernel,
                                          .lengthscale = lengthscale,
                                          .features = parse_features(features, kpca_feature_kinds),
                                          .scaling = parse_kind(scaling),
                                          .weight = weight,
                                          .preimage = parse_preimage(preimage)});
  Conversation talk(std::move(on_step));
  const KpcaProgress progress = [&](double done) {
    return talk.go_on(static_cast<Index>(100 * done), 100, done);
  };
  KpcaFit out = without_lock([&] { return fit_kpca(data, options, seed, make_threads(threads), progress); });
  talk.rethrow();
  return {std::move(out), talk.interrupted()};
}

}  // namespace

void add_kpca(nb::module_& m) {
  add_fit<KpcaFit>(m, "KpcaFit", &kpca_group, &kpca_from)
      .def_ro("ids", &KpcaFit::ids)
      .def_ro("notes", &KpcaFit::notes)
      .def_prop_ro("solver", [](const KpcaFit& f) { return to_text(f.solver); })
      .def_prop_ro("status", [](const KpcaFit& f) { return to_string(f.status); })
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
      .def("embed",
           [](const KpcaFit& f, const Dataset& data, int threads) {
             return to_numpy(without_lock([&] { return embed(f, data, make_threads(threads)); }));
           })
      .def("scores", [](const KpcaFit& f, const MatrixArg& h) { return to_numpy(scores(f, map(h))); })
      .def("predict_view",
           [](const KpcaFit& f, Index v, const MatrixArg& h, const std::vector<bool>& present, int threads) {
             return to_numpy(
                 without_lock([&] { return predict_view(f, v, map(h), present, make_threads(threads)); }));
           })
      .def("predict_from_others",
           [](const KpcaFit& f, Index v, const Dataset& data, int threads) {
             return to_numpy(
                 without_lock([&] { return predict_from_others(f, v, data, make_threads(threads)); }));
           })
      .def("sample", [](const KpcaFit& f, Index count, std::uint64_t seed) {
        return to_numpy(sample_components(f, count, Rng(seed)));
      });
  m.def("fit_kpca", &fit, nb::arg("data"), nb::arg("views"), nb::arg("dims"), nb::arg("solver"),
        nb::arg("seed"), nb::arg("threads"), nb::arg("on_step").none());
}

}  // namespace bochner::python
