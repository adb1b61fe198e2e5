#include "bochner/data/labels.hpp"

#include "arrays.hpp"
#include "module.hpp"

namespace bochner::python {

namespace {

/// Names, and the code of each label among them: -1 where it is missing, -2 where `names` does not have it.
std::pair<std::vector<std::string>, std::vector<Index>> encode(
    const std::vector<std::string>& labels, std::optional<std::vector<std::string>> names) {
  Labels out = names ? encode_labels(labels, std::move(*names)) : encode_labels(labels);
  return {std::move(out.names), {out.code.begin(), out.code.end()}};
}

}  // namespace

void add_labels(nb::module_& m) {
  m.def("encode_labels", &encode, nb::arg("labels"), nb::arg("names").none() = nb::none());
  m.def("sorted_labels", &sorted_labels, nb::arg("names"));
  m.def(
      "class_probabilities",
      [](const MatrixArg& indicators) { return to_numpy(class_probabilities(map(indicators))); },
      nb::arg("indicators"));
  m.def("label_text", &label_text, nb::arg("value"));
}

}  // namespace bochner::python
