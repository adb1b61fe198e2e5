#include "label_column.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
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
    for (Index n = 0; n < table.rows(); ++n)
      labels.push_back(std::isnan(table.values(n, 0)) ? "" : fmt::format("{}", table.values(n, 0)));
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

bool is_label(const std::string& text) {
  constexpr std::array<std::string_view, 7> missing{"", "na", "n/a", "#n/a", "nan", "<na>", "null"};
  std::string word;
  for (const char c : text) word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return std::find(missing.begin(), missing.end(), word) == missing.end();
}

}  // namespace bochner::cli
