#pragma once
#include "arrays.hpp"
#include "bochner/store/model_file.hpp"

// One function for each family of models: it adds that family to the module.
namespace bochner::python {

void add_dataset(nb::module_& m);
void add_labels(nb::module_& m);
void add_assess(nb::module_& m);
void add_gplvm(nb::module_& m);
void add_bayes(nb::module_& m);
void add_bayes_draws(nb::module_& m);
void add_harmonic(nb::module_& m);
void add_kpca(nb::module_& m);
void add_forecast(nb::module_& m);
void add_simulate(nb::module_& m);
void add_grammar(nb::module_& m);
void add_report(nb::module_& m);

/// What every fit has: model files, bytes of them, and pickling by these bytes.
template <class Fit>
nb::class_<Fit> add_fit(nb::module_& m, const char* name, ModelGroup (*to_group)(const Fit&),
                        Fit (*from_group)(const ModelGroup&)) {
  const auto to_bytes = [to_group](const Fit& fit) {
    const std::string bytes = format_model(to_group(fit));
    return nb::bytes(bytes.data(), bytes.size());
  };
  const auto from_bytes = [from_group](nb::bytes bytes) {
    return from_group(parse_model({bytes.c_str(), bytes.size()}, "the pickled model"));
  };
  return nb::class_<Fit>(m, name)
      .def("save", [to_group](const Fit& fit, const std::string& path) { write_model(path, to_group(fit)); })
      .def_static("load", [from_group](const std::string& path) { return from_group(read_model(path)); })
      .def("__getstate__", to_bytes)
      .def("__setstate__", [from_bytes](Fit& fit, nb::bytes bytes) { new (&fit) Fit(from_bytes(bytes)); });
}

}  // namespace bochner::python
