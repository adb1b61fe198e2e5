#include <optional>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/symmetry/input_scaling_names.hpp"
#include "harmonic.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// Inputs and outcomes in arrays that Python keeps, and their names.
struct Rows {
  MatrixArg X, Y;
  HarmonicNames names;
};

/// Reads the arrays where they are.
RowSource source_of(const Rows& rows) {
  const MatrixMap x = map(rows.X), y = map(rows.Y);
  return {.rows = x.rows(),
          .inputs = x.cols(),
          .outcomes = y.cols(),
          .read = [x, y](Index begin, MatrixOut out_x, MatrixOut out_y) {
            out_x = x.middleRows(begin, out_x.rows());
            out_y = y.middleRows(begin, out_y.rows());
          }};
}

void add_rows(nb::module_& m) {
  using Names = std::vector<std::string>;
  nb::class_<Rows>(m, "HarmonicRows", "Inputs and outcomes of a regression or classification.")
      .def(
          "__init__",
          [](Rows* self, const MatrixArg& X, const MatrixArg& Y, Names inputs, Names outcomes, Names classes,
             InputEncoding encoding, std::optional<VectorArg> weights) {
            check_size("HarmonicRows", "rows of X", map(X).rows(), "rows of Y", map(Y).rows());
            new (self) Rows{X,
                            Y,
                            {std::move(inputs), std::move(outcomes), std::move(classes), std::move(encoding),
                             weights ? Vector(map(*weights)) : Vector()}};
          },
          nb::arg("X"), nb::arg("Y"), nb::arg("inputs"), nb::arg("outcomes"), nb::arg("classes"),
          nb::arg("encoding"), nb::arg("weights").none());
}

void add_options(nb::module_& m) {
  using Options = HarmonicFitOptions;
  nb::class_<Options> options(m, "HarmonicOptions", "Options of a harmonic Gaussian process.");
  options.def(nb::init<>())
      .def_rw("kernel", &Options::kernel)
      .def_rw("ard", &Options::ard, nb::for_setter(nb::arg().none()))
      .def_rw("lengthscale", &Options::lengthscale)
      .def_rw("likelihood", &Options::likelihood)
      .def_rw("degrees", &Options::degrees)
      .def_rw("noise", &Options::noise)
      .def_rw("noise_by_inputs", &Options::noise_by_inputs)
      .def_rw("calibrate", &Options::calibrate)
      .def_rw("symmetries", &Options::symmetries)
      .def_prop_rw(
          "circles",
          [](const Options& o) {
            std::vector<std::pair<Index, double>> out;
            for (const Circle& c : o.circles) out.emplace_back(c.column, c.period);
            return out;
          },
          [](Options& o, const std::vector<std::pair<Index, double>>& circles) {
            o.circles.clear();
            for (const auto& [column, period] : circles) o.circles.push_back({column, period});
          },
          "Columns that are angles, with their periods.")
      .def_prop_rw(
          "spheres",
          [](const Options& o) {
            std::vector<std::pair<Index, Index>> out;
            for (const Sphere& s : o.spheres) out.emplace_back(s.longitude, s.latitude);
            return out;
          },
          [](Options& o, const std::vector<std::pair<Index, Index>>& spheres) {
            o.spheres.clear();
            for (const auto& [longitude, latitude] : spheres) o.spheres.push_back({longitude, latitude});
          },
          "Columns that are longitude and latitude in degrees.")
      .def_rw("layers", &Options::layers)
      .def_rw("image", &Options::image)
      .def_rw("inducing", &Options::inducing)
      .def_rw("hidden_inducing", &Options::hidden_inducing)
      .def_rw("draws", &Options::draws)
      .def_rw("shared_inducing", &Options::shared_inducing)
      .def_rw("shared_covariance", &Options::shared_covariance)
      .def_rw("steps", &Options::steps)
      .def_rw("minutes", &Options::minutes)
      .def_rw("batch", &Options::batch)
      .def_rw("step_size", &Options::step_size)
      .def_rw("natural_step", &Options::natural_step)
      .def_rw("validation", &Options::validation)
      .def_rw("patience", &Options::patience);
  text_attribute(options, "scaling", &Options::scaling, &parse_input_scaling);
}

std::pair<HarmonicFit, bool> fit(const Rows& rows, const HarmonicFitOptions& options, std::uint64_t seed,
                                 int threads, std::optional<OnStep> on_step) {
  PythonCallback callback(std::move(on_step));
  HarmonicHooks hooks{.on_step = [&](const HarmonicProgress& p) {
    return callback.keep_going(p.step, options.steps, p.bound);
  }};
  HarmonicFit out = without_lock(
      [&] { return fit_harmonic(source_of(rows), rows.names, options, seed, make_threads(threads), hooks); });
  callback.rethrow();
  return {std::move(out), callback.interrupted()};
}

}  // namespace

void add_harmonic(nb::module_& m) {
  add_harmonic_inputs(m);
  add_rows(m);
  add_options(m);
  nb::class_<HarmonicFit> fits = add_fit<HarmonicFit>(m, "HarmonicFit", &harmonic_group, &harmonic_from);
  add_harmonic_answers(fits);
  fits.def_ro("seed", &HarmonicFit::seed)
      .def_ro("bound", &HarmonicFit::bound)
      .def_ro("steps", &HarmonicFit::steps)
      .def_ro("rows", &HarmonicFit::rows)
      .def_ro("notes", &HarmonicFit::notes)
      .def_ro("outcomes", &HarmonicFit::outcomes)
      .def_ro("classes", &HarmonicFit::classes)
      .def_ro("symmetries", &HarmonicFit::symmetries)
      .def_prop_ro("inputs", [](const HarmonicFit& f) { return f.inputs.columns; })
      .def_prop_ro("groups", [](const HarmonicFit& f) { return f.gp.groups(); })
      .def_ro("options", &HarmonicFit::options)
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
      .def(
          "predict",
          [](const HarmonicFit& f, const MatrixArg& X, int threads) {
            HarmonicPrediction p = without_lock([&] { return predict(f, map(X), make_threads(threads)); });
            return std::tuple(to_numpy(std::move(p.f.mean)), to_numpy(std::move(p.f.variance)),
                              to_numpy(std::move(p.y.mean)), to_numpy(std::move(p.y.variance)),
                              to_numpy(std::move(p.probabilities)));
          },
          nb::arg("X"), nb::arg("threads"))
      .def(
          "parts",
          [](const HarmonicFit& f, const MatrixArg& X, int threads) {
            std::vector<std::pair<MatrixResult, MatrixResult>> out;
            for (LatentMarginals& part :
                 without_lock([&] { return predict_parts(f, map(X), make_threads(threads)); }))
              out.emplace_back(to_numpy(std::move(part.mean)), to_numpy(std::move(part.variance)));
            return out;
          },
          nb::arg("X"), nb::arg("threads"))
      .def(
          "log_density",
          [](const HarmonicFit& f, const MatrixArg& X, const MatrixArg& Y, int threads) {
            check_size("log_density", "rows of X", map(X).rows(), "rows of Y", map(Y).rows());
            return to_numpy(
                without_lock([&] { return log_density(f, map(X), map(Y), make_threads(threads)); }));
          },
          nb::arg("X"), nb::arg("Y"), nb::arg("threads"));
  m.def("fit_harmonic", &fit, nb::arg("rows"), nb::arg("options"), nb::arg("seed"), nb::arg("threads"),
        nb::arg("on_step").none());
}

}  // namespace bochner::python
