#include "bochner/data/dataset.hpp"

#include "bochner/data/most_variable.hpp"
#include "bochner/data/row_factors.hpp"
#include "module.hpp"

namespace bochner::python {

namespace {

using Table = std::tuple<std::string, std::vector<std::string>, std::vector<std::string>, MatrixArg>;

Dataset make_dataset(const std::vector<Table>& tables, bool allow_disjoint) {
  std::vector<View> views;
  for (const auto& [name, ids, columns, Y] : tables) views.push_back({name, ids, columns, map(Y)});
  return join(std::move(views), {.allow_disjoint = allow_disjoint});
}

}  // namespace

void add_dataset(nb::module_& m) {
  nb::class_<Dataset>(m, "Dataset")
      .def_prop_ro("ids", [](const Dataset& d) { return d.ids(); })
      .def_prop_ro("rows", &Dataset::rows)
      .def_prop_ro("observed", [](const Dataset& d) { return d.observed(); })
      .def_prop_ro("names",
                   [](const Dataset& d) {
                     std::vector<std::string> out;
                     for (const View& view : d.views()) out.push_back(view.name);
                     return out;
                   })
      .def("values", [](const Dataset& d, const std::string& view) { return to_numpy(d.view(view).Y); })
      .def("columns", [](const Dataset& d, const std::string& view) { return d.view(view).columns; })
      .def("present", [](const Dataset& d, const std::string& view) {
        return to_numpy(Vector(d.present(d.view_index(view)).cast<double>()));
      });
  nb::class_<RowFactors>(m, "RowFactors", "What rows of views are divided by.")
      .def(
          "divide", [](const RowFactors& f, const Dataset& data) { return divide_rows(data, f); },
          nb::arg("data"));
  m.def("fit_row_factors", &fit_row_factors, nb::arg("seen"), nb::arg("normalised"),
        "Root mean squares of rows, of the views that are to be normalised.");
  m.def(
      "most_variable", [](const MatrixArg& values, Index count) { return most_variable(map(values), count); },
      nb::arg("values"), nb::arg("count"), "Columns of the largest variance, ascending.");
  m.def("check_kept_names", &check_kept_names, nb::arg("view"), nb::arg("columns"), nb::arg("kept"));
  m.def("dataset", &make_dataset, nb::arg("tables"), nb::arg("allow_disjoint") = false);
}

}  // namespace bochner::python
