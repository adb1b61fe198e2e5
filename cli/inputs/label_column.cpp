#include "label_column.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/labels.hpp"
#include "bochner/tables/read_table.hpp"
#include "row_table.hpp"

namespace bochner::cli {

LabelColumn read_labels(const std::string& spec, const CsvOptions& csv) {
  const std::string path = split_spec(spec).path;
  if (holds_arrays(path)) {
    Table table = read_table(spec);
    if (table.cols() != 1)
      throw InputError(
          fmt::format("{}: labels must be a single column, but there are {}", printable(spec), table.cols()));
    std::vector<std::string> labels;
    for (Index n = 0; n < table.rows(); ++n) labels.push_back(label_text(table.values(n, 0)));
    return {printable(spec), spec, std::move(table.ids), std::move(labels), table.ids_generated};
  }
  TextTable table = read_text_table(spec, csv);
  if (table.columns.size() != 1)
    throw InputError(fmt::format("{}: specify the column of labels, as in '{}:{}'; the columns are {}",
                                 printable(spec), printable(spec), printable(table.columns.front(), 40),
                                 listing(table.columns)));
  return {printable(path),     table.columns.front(),   std::move(table.ids), std::move(table.cells.front()),
          table.ids_generated, std::move(table.id_name)};
}

}  // namespace bochner::cli
