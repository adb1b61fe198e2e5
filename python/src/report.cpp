#include "bochner/report/report.hpp"

#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

void add_report(nb::module_& m) {
  m.def(
      "write_report",
      [](const std::string& folder, const std::string& path, const std::vector<std::string>& shapes,
         int threads) {
        without_lock([&] {
          ReportOptions options;
          for (const std::string& shape : shapes) options.shapes.insert(parse_shape(shape));
          write_report(folder, options, make_threads(threads), path);
        });
      },
      nb::arg("folder"), nb::arg("path"), nb::arg("shapes"), nb::arg("threads"),
      "The report of the run in a folder, as the file `path`.");
  m.def(
      "report_summary",
      [](const std::string& folder, int threads) {
        return without_lock(
            [&] { return report_summary(report_document(folder, {}, make_threads(threads))); });
      },
      nb::arg("folder"), nb::arg("threads"), "The verdict on the run in a folder as a piece of HTML.");
}

}  // namespace bochner::python
