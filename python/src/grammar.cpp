#include "bochner/compute/compute.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "bochner/models/kpca/names.hpp"
#include "module.hpp"

namespace bochner::python {

namespace {

/// Whether `parse` accepts its string.
template <class Parse>
bool accepts(const Parse& parse) {
  try {
    parse();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

void add_grammar(nb::module_& m) {
  m.def("kernel_names", [] { return kernel_names(); });
  m.def(
      "reads_kernel",
      [](const std::string& text, Index inputs) {
        return accepts([&] { make_kernel(text, inputs, Rng(0)); });
      },
      nb::arg("text"), nb::arg("inputs"));
  m.def(
      "reads_features",
      [](const std::string& text) { return accepts([&] { parse_features(text, gplvm_feature_kinds); }); },
      nb::arg("text"));
  m.def(
      "reads_device", [](const std::string& text) { return accepts([&] { Device::parse(text); }); },
      nb::arg("text"));
  m.def(
      "reads_kpca_features",
      [](const std::string& text) { return accepts([&] { parse_features(text, kpca_feature_kinds); }); },
      nb::arg("text"));
}

}  // namespace bochner::python
