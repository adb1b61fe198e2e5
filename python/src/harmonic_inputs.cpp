#include <utility>

#include "bochner/data/input_encoding.hpp"
#include "bochner/models/harmonic/distribution.hpp"
#include "bochner/models/harmonic/interpret.hpp"
#include "harmonic.hpp"
#include "progress.hpp"
#include "threads.hpp"

// What a table of people becomes before it is learned from, and what a fit says beyond means: distributions of new outcomes,
// and what the columns of the table do.
namespace bochner::python {

namespace {

void add_encoding(nb::module_& m) {
  nb::class_<RawTable>(m, "RawTable", "Columns of a table as read.")
      .def("__init__",
           [](RawTable* self, std::string name) {
             new (self) RawTable{std::move(name), {}, {}};
           })
      .def("add_numbers",
           [](RawTable& t, std::string name, const VectorArg& values) {
             t.columns.push_back({.name = std::move(name), .cells = {}, .numbers = map(values)});
           })
      .def("add_text", [](RawTable& t, std::string name, std::vector<std::string> cells) {
        t.columns.push_back({.name = std::move(name), .cells = std::move(cells), .numbers = {}});
      });
  nb::class_<InputEncoding>(m, "InputEncoding", "From the columns of a table to the numbers of a kernel.")
      .def(nb::init<>())
      .def_prop_ro("plain", &InputEncoding::plain)
      .def_prop_ro("names", &InputEncoding::names)
      .def_prop_ro("text", &encoding_text)
      .def_prop_ro("columns",
                   [](const InputEncoding& e) {
                     std::vector<std::string> out;
                     for (const InputColumn& c : e.columns) out.push_back(c.name);
                     return out;
                   })
      .def_prop_ro("levels",
                   [](const InputEncoding& e) {
                     std::vector<std::vector<std::string>> out;
                     for (const InputColumn& c : e.columns) out.push_back(c.levels);
                     return out;
                   })
      .def(
          "encode",
          [](const InputEncoding& e, const RawTable& table) {
            std::vector<std::string> notes;
            Matrix X = encode(e, table, notes);
            return std::pair(to_numpy(std::move(X)), std::move(notes));
          },
          nb::arg("table"));
  m.def(
      "learn_encoding",
      [](const RawTable& table, std::vector<std::string> categorical) {
        return learn_encoding(table, {.categorical = std::move(categorical),
                                      .remedy = [](const std::vector<std::string>& columns, bool) {
                                        const bool one = columns.size() == 1;
                                        std::string names;
                                        for (const std::string& c : columns)
                                          names += (names.empty() ? "'" : ", '") + c + "'";
                                        return std::string(one ? "name it" : "name them") +
                                               " in 'categorical', make " + (one ? "it" : "one") +
                                               " the index if it names rows, or drop the column" +
                                               (one ? " " : "s ") + names;
                                      }});
      },
      nb::arg("table"), nb::arg("categorical"));
}

std::vector<MatrixResult> results(std::vector<Matrix> list) {
  std::vector<MatrixResult> out;
  for (Matrix& one : list) out.push_back(to_numpy(std::move(one)));
  return out;
}

}  // namespace

void add_harmonic_inputs(nb::module_& m) { add_encoding(m); }

void add_harmonic_answers(nb::class_<HarmonicFit>& fit) {
  fit.def_ro("encoding", &HarmonicFit::encoding)
      .def_prop_ro("table_columns", &HarmonicFit::table_columns)
      .def_prop_ro(
          "lengthscales", [](const HarmonicFit& f) { return to_numpy(lengthscales(f.gp.kernel)); },
          nb::rv_policy::move)
      .def_prop_ro("input_names", [](const HarmonicFit& f) { return f.inputs.names(); })
      .def_prop_ro(
          "input_scale", [](const HarmonicFit& f) { return to_numpy(Vector(f.inputs.scale)); },
          nb::rv_policy::move)
      .def_prop_ro(
          "noise", [](const HarmonicFit& f) { return to_numpy(noise_variance(f)); }, nb::rv_policy::move)
      .def_prop_ro(
          "calibration",
          [](const HarmonicFit& f) {
            const HarmonicCalibration& c = f.calibration;
            return std::tuple(c.temperature, to_numpy(Vector(c.noise)), to_numpy(Vector(c.spread)));
          },
          nb::rv_policy::move)
      .def(
          "quantiles",
          [](const HarmonicFit& f, const MatrixArg& X, const std::vector<double>& levels, int threads) {
            return results(without_lock([&] {
              const Threads t = make_threads(threads);
              return predict_quantiles(f, latent_draws(f, map(X), t), levels, t);
            }));
          },
          nb::arg("X"), nb::arg("levels"), nb::arg("threads"))
      .def(
          "covariance",
          [](const HarmonicFit& f, const MatrixArg& X, int threads) {
            return results(
                without_lock([&] { return predict_covariance(f, map(X), make_threads(threads)); }));
          },
          nb::arg("X"), nb::arg("threads"))
      .def(
          "sample",
          [](const HarmonicFit& f, const MatrixArg& X, Index count, std::uint64_t seed, int threads) {
            return results(without_lock(
                [&] { return sample_outcomes(f, map(X), count, Rng(seed), make_threads(threads)); }));
          },
          nb::arg("X"), nb::arg("count"), nb::arg("seed"), nb::arg("threads"))
      .def(
          "relevance",
          [](const HarmonicFit& f, const MatrixArg& X, std::uint64_t seed, int threads) {
            return to_numpy(without_lock([&] {
              return input_relevance(f, map(X), Rng(seed).split("relevance"), make_threads(threads));
            }));
          },
          nb::arg("X"), nb::arg("seed"), nb::arg("threads"), nb::rv_policy::move)
      .def(
          "partial_dependence",
          [](const HarmonicFit& f, const MatrixArg& X, Index column, int threads) {
            PartialDependence d =
                without_lock([&] { return partial_dependence(f, map(X), column, make_threads(threads)); });
            return std::tuple(std::move(d.levels), to_numpy(std::move(d.values)),
                              to_numpy(std::move(d.mean)));
          },
          nb::arg("X"), nb::arg("column"), nb::arg("threads"));
}

}  // namespace bochner::python
