#include "bochner/models/gplvm/gplvm.hpp"

#include "bochner/data/row_factors.hpp"
#include "bochner/data/table_hints.hpp"
#include "bochner/models/gplvm/choose_dims.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "bochner/models/gplvm/device.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "bochner/models/gplvm/relevance.hpp"
#include "module.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "relevance.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

void add_options(nb::module_& m) {
  using View = GplvmViewOptions;
  nb::class_<View> view(m, "GplvmViewOptions", "Options of one view of a variational model.");
  view.def(nb::init<>())
      .def_rw("kernel", &View::kernel)
      .def_rw("components", &View::components)
      .def_rw("fixed_noise", &View::fixed_noise, nb::for_setter(nb::arg().none()))
      .def_rw("first_noise", &View::first_noise);
  text_attribute(view, "scaling", &View::scaling, &parse_scaling);

  using Options = GplvmOptions;
  nb::class_<Options> options(m, "GplvmOptions", "Options of a variational model.");
  text_attribute(options, "precision", &Options::precision, &parse_precision);
  options.def(nb::init<>())
      .def_rw("dims", &Options::dims)
      .def_rw("view", &Options::view)
      .def_rw("own", &Options::own)
      .def_rw("steps", &Options::steps)
      .def_rw("step_size", &Options::step_size)
      .def_rw("patience", &Options::patience)
      .def_rw("restarts", &Options::restarts)
      .def_prop_rw(
          "features", [](const Options& o) { return to_text(o.features); },
          [](Options& o, const std::string& text) {
            o.features = parse_features(text, gplvm_feature_kinds);
          });
}

Compute compute_of(const Dataset& data, const GplvmOptions& options, int threads, const std::string& device) {
  return choose_device(data, options, {make_threads(threads), Device::parse(device)}).compute;
}

/// Fits `data`, then learns predictors of absent views from `shown` (models/gplvm/cross_view.hpp), if given.
std::pair<GplvmFit, bool> fit(const Dataset& data, const GplvmOptions& options, std::uint64_t seed,
                              int threads, std::optional<OnStep> on_step, const Dataset* shown,
                              const std::string& device) {
  PythonCallback callback(std::move(on_step));
  GplvmHooks hooks{.on_step =
                       [&](const GplvmProgress& p) {
                         return callback.keep_going(p.step.step, options.steps, p.step.objective);
                       },
                   .keep_going = [&] { return callback.keep_going(); }};
  GplvmFit out = without_lock([&] {
    const Compute compute = compute_of(data, options, threads, device);
    GplvmFit fitted = fit_gplvm(data, options, seed, compute, hooks);
    if (shown == nullptr) return fitted;
    return with_cross_views(std::move(fitted), *shown, compute,
                            [&](Index, Index) { return callback.keep_going(); });
  });
  callback.rethrow();
  return {std::move(out), callback.interrupted()};
}

/// Mean, variance of the functions and variance of measurements.
auto to_tuple(Predictive p) {
  return std::tuple(to_numpy(std::move(p.mean)), to_numpy(std::move(p.f_variance)),
                    to_numpy(std::move(p.y_variance)));
}

Matrix trace_of(const GplvmFit& f) {
  Matrix out(static_cast<Index>(f.trace.size()), 3);
  for (std::size_t i = 0; i < f.trace.size(); ++i)
    out.row(static_cast<Index>(i)) << double(f.trace[i].start), double(f.trace[i].step), f.trace[i].objective;
  return out;
}

}  // namespace

void add_gplvm(nb::module_& m) {
  add_options(m);
  add_fit<GplvmFit>(m, "GplvmFit", &gplvm_group, &gplvm_from)
      .def_ro("ids", &GplvmFit::ids)
      .def_ro("objective", &GplvmFit::objective)
      .def_ro("steps", &GplvmFit::steps)
      .def_ro("seed", &GplvmFit::seed)
      .def_rw("label_view", &GplvmFit::label_view)
      .def(
          "keep_row_medians",
          [](GplvmFit& f, const RowFactors& factors) { f = with_row_medians(std::move(f), factors); },
          nb::arg("factors"))
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
      .def(
          "kernel",
          [](const GplvmFit& f, const std::string& view) {
            const AnyKernel& k = f.view(view).kernel;
            return std::tuple(kernel_name(k), parameter_names(k), to_numpy(parameters(k)));
          },
          nb::arg("view"))
      .def(
          "noise_variance",
          [](const GplvmFit& f, const std::string& view) { return f.view(view).noise_variance; },
          nb::arg("view"))
      .def(
          "calibration", [](const GplvmFit& f, const std::string& view) { return f.view(view).calibration; },
          nb::arg("view"), "The factor of the predicted variances of a view.")
      .def(
          "frequencies",
          [](const GplvmFit& f, const std::string& view, Index count, std::uint64_t seed) {
            Rng rng(seed);
            const AnyKernel& k = f.view(view).kernel;
            return to_numpy(
                Matrix(frequencies(k, draw_noise(k, count, Directions::independent, rng)).Omega1));
          },
          nb::arg("view"), nb::arg("count"), nb::arg("seed"))
      .def(
          "embed",
          [](const GplvmFit& f, const Dataset& data, int threads) {
            LatentPosterior at =
                without_lock([&] { return embed(f, normalised_for(f, data).data, make_threads(threads)); });
            return std::pair(to_numpy(std::move(at.mean)), to_numpy(std::move(at.sd)));
          },
          nb::arg("data"), nb::arg("threads"))
      .def(
          "predict",
          [](const GplvmFit& f, const std::string& view, const MatrixArg& mean, const MatrixArg& sd,
             int threads) {
            const LatentPosterior at{map(mean), map(sd)};
            const GplvmView& own = f.view(view);
            Vector factors;
            if (own.row_median > 0) factors = Vector::Constant(at.mean.rows(), own.row_median);
            return to_tuple(without_lock(
                [&] { return multiply_rows(predict(own, at, make_threads(threads)), factors); }));
          },
          nb::arg("view"), nb::arg("mean"), nb::arg("sd"), nb::arg("threads"))
      .def(
          "predict_samples",
          [](const GplvmFit& f, const std::string& view, const Dataset& seen, const MatrixArg& mean,
             const MatrixArg& sd, int threads) {
            const LatentPosterior at{map(mean), map(sd)};
            return to_tuple(without_lock([&] {
              const NormalisedRows own = normalised_for(f, seen);
              const auto v = static_cast<std::size_t>(&f.view(view) - f.views.data());
              return multiply_rows(predict(f, view, own.data, at, make_threads(threads)),
                                   own.factors.by_view[v]);
            }));
          },
          nb::arg("view"), nb::arg("seen"), nb::arg("mean"), nb::arg("sd"), nb::arg("threads"),
          "A view of samples at their latents; of those that lack it altogether, from the views that they "
          "have.")
      .def(
          "relevance",
          [](const GplvmFit& f, const Dataset& data, int threads) {
            return to_tuple(without_lock([&] { return relevance(f, data, make_threads(threads)); }));
          },
          nb::arg("data"), nb::arg("threads"), relevance_text)
      .def(
          "loadings",
          [](const GplvmFit& f, const Dataset& data, int threads) {
            std::vector<MatrixResult> out;
            for (Matrix& own : without_lock([&] { return loadings(f, data, make_threads(threads)); }))
              out.push_back(to_numpy(std::move(own)));
            return out;
          },
          nb::arg("data"), nb::arg("threads"))
      .def(
          "response",
          [](const GplvmFit& f, const std::string& view, Index dim, Index count, int threads) {
            Vector values = response_values(f.latent.mean, dim, count);
            Matrix curves =
                without_lock([&] { return response(f, f.view(view), dim, values, make_threads(threads)); });
            return std::tuple(to_numpy(std::move(values)), to_numpy(std::move(curves)));
          },
          nb::arg("view"), nb::arg("dim"), nb::arg("count"), nb::arg("threads"));
  m.def(
      "top_columns",
      [](const std::vector<MatrixArg>& by_column, const std::vector<VectorArg>& entries,
         const std::vector<MatrixArg>& slopes, Index dim, Index most) {
        Relevance r;
        std::vector<Matrix> own;
        for (const MatrixArg& view : by_column) r.by_column.emplace_back(map(view));
        for (const VectorArg& view : entries) r.entries.emplace_back(map(view));
        for (const MatrixArg& view : slopes) own.emplace_back(map(view));
        std::vector<std::tuple<Index, Index, double, double, double>> out;
        for (const TopColumn& top : top_columns(r, own, dim, most))
          out.emplace_back(top.view, top.column, top.relevance, top.loading, top.lower);
        return out;
      },
      nb::arg("relevance"), nb::arg("entries"), nb::arg("loadings"), nb::arg("dim"), nb::arg("most"));
  m.def(
      "table_hints",
      [](const Dataset& data) {
        std::vector<std::tuple<std::string, std::string, bool, double>> out;
        for (const TableHint& hint : table_hints(data))
          out.emplace_back(to_string(hint.kind), hint.view, hint.positive, hint.ratio);
        return out;
      },
      nb::arg("data"));
  m.def(
      "sorted_by_label",
      [](const Dataset& data, const std::string& view) { return sorted_by_label(data.view(view)); },
      nb::arg("data"), nb::arg("view"));
  m.def(
      "choose_dims",
      [](const Dataset& data, const GplvmOptions& options, Index most, std::uint64_t seed, int threads,
         const std::string& device, const std::string& label_view) {
        const DimsChoice choice = without_lock([&] {
          return choose_dims(data, options, most, seed, compute_of(data, options, threads, device), {},
                             label_view);
        });
        std::vector<std::tuple<Index, double, double, double>> trials;
        for (const DimsTrial& t : choice.trials) trials.emplace_back(t.dims, t.error, t.gain, t.gain_se);
        return std::tuple(choice.dims, trials);
      },
      nb::arg("data"), nb::arg("options"), nb::arg("most"), nb::arg("seed"), nb::arg("threads"),
      nb::arg("device") = "cpu", nb::arg("label_view") = "");
  m.def("fit_gplvm", &fit, nb::arg("data"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("on_step").none(), nb::arg("shown").none() = nb::none(), nb::arg("device") = "cpu");
}

}  // namespace bochner::python
