#include "bochner/core/checks.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/symmetry/input_scaling_names.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// Rows of arrays that Python keeps: read where they are.
RowSource rows_of(const MatrixArg& X, const MatrixArg& Y) {
  const MatrixMap x = map(X), y = map(Y);
  return {.rows = x.rows(),
          .inputs = x.cols(),
          .outcomes = y.cols(),
          .read = [x, y](Index begin, MatrixOut out_x, MatrixOut out_y) {
            out_x = x.middleRows(begin, out_x.rows());
            out_y = y.middleRows(begin, out_y.rows());
          }};
}

std::pair<HarmonicFit, bool> fit(const MatrixArg& X, const MatrixArg& Y,
                                 const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outcomes,
                                 const std::vector<std::string>& classes, const HarmonicFitOptions& options,
                                 std::uint64_t seed, int threads, std::optional<OnStep> on_step) {
  Conversation talk(std::move(on_step));
  HarmonicHooks hooks{
      .on_step = [&](const HarmonicProgress& p) { return talk.go_on(p.step, options.steps, p.bound); }};
  HarmonicFit out = without_lock([&] {
    return fit_harmonic(rows_of(X, Y), {inputs, outcomes, classes}, options, seed, make_threads(threads),
                        hooks);
  });
  talk.rethrow();
  return {std::move(out), talk.interrupted()};
}

}  // namespace

void add_harmonic(nb::module_& m) {
  using Options = HarmonicFitOptions;
  nb::class_<Options>(m, "HarmonicOptions")
      .def(nb::init<>())
      .def_rw("kernel", &Options::kernel)
      .def_rw("ard", &Options::ard)
      .def_rw("lengthscale", &Options::lengthscale)
      .def_rw("likelihood", &Options::likelihood)
      .def_rw("degrees", &Options::degrees)
      .def_rw("noise", &Options::noise)
      .def_rw("symmetries", &Options::symmetries)
      .def_prop_rw(
          "scaling", [](const Options& o) { return to_text(o.scaling); },
          [](Options& o, const std::string& word) { o.scaling = parse_input_scaling(word); })
      .def_rw("inducing", &Options::inducing)
      .def_rw("shared_inducing", &Options::shared_inducing)
      .def_rw("shared_covariance", &Options::shared_covariance)
      .def_rw("steps", &Options::steps)
      .def_rw("batch", &Options::batch)
      .def_rw("step_size", &Options::step_size)
      .def_rw("validation", &Options::validation)
      .def_rw("patience", &Options::patience);
  add_fit<HarmonicFit>(m, "HarmonicFit", &harmonic_group, &harmonic_from)
      .def_ro("seed", &HarmonicFit::seed)
      .def_ro("bound", &HarmonicFit::bound)
      .def_ro("steps", &HarmonicFit::steps)
      .def_ro("rows", &HarmonicFit::rows)
      .def_ro("notes", &HarmonicFit::notes)
      .def_ro("outcomes", &HarmonicFit::outcomes)
      .def_ro("classes", &HarmonicFit::classes)
      .def_ro("symmetries", &HarmonicFit::symmetries)
      .def_prop_ro("inputs", [](const HarmonicFit& f) { return f.inputs.columns; })
      .def_prop_ro("groups", [](const HarmonicFit& f) { return f.gp.groups(); })
      .def_prop_ro("likelihood", [](const HarmonicFit& f) { return f.options.likelihood; })
      .def_prop_ro("status", [](const HarmonicFit& f) { return to_string(f.status); })
      .def_prop_ro(
          "kernel",
          [](const HarmonicFit& f) {
            return std::tuple(kernel_name(f.gp.kernel), parameter_names(f.gp.kernel),
                              to_numpy(parameters(f.gp.kernel)));
          },
          nb::rv_policy::move)
      .def_prop_ro(
          "trace",
          [](const HarmonicFit& f) {
            Matrix out(static_cast<Index>(f.trace.size()), 3);
            for (std::size_t i = 0; i < f.trace.size(); ++i)
              out.row(static_cast<Index>(i)) << double(f.trace[i].step), f.trace[i].bound,
                  f.trace[i].validation;
            return to_numpy(std::move(out));
          },
          nb::rv_policy::move)
      .def("predict",
           [](const HarmonicFit& f, const MatrixArg& X, int threads) {
             HarmonicPrediction p = without_lock([&] { return predict(f, map(X), make_threads(threads)); });
             return std::tuple(to_numpy(std::move(p.f.mean)), to_numpy(std::move(p.f.variance)),
                               to_numpy(std::move(p.y.mean)), to_numpy(std::move(p.y.variance)),
                               to_numpy(std::move(p.probabilities)));
           })
      .def("parts",
           [](const HarmonicFit& f, const MatrixArg& X, int threads) {
             std::vector<std::pair<MatrixResult, MatrixResult>> out;
             for (LatentMarginals& part :
                  without_lock([&] { return predict_parts(f, map(X), make_threads(threads)); }))
               out.emplace_back(to_numpy(std::move(part.mean)), to_numpy(std::move(part.variance)));
             return out;
           })
      .def("log_density", [](const HarmonicFit& f, const MatrixArg& X, const MatrixArg& Y, int threads) {
        check_size("log_density", "rows of X", map(X).rows(), "rows of Y", map(Y).rows());
        return to_numpy(without_lock([&] { return log_density(f, map(X), map(Y), make_threads(threads)); }));
      });
  m.def("fit_harmonic", &fit, nb::arg("X"), nb::arg("Y"), nb::arg("inputs"), nb::arg("outcomes"),
        nb::arg("classes"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("on_step").none());
}

}  // namespace bochner::python
