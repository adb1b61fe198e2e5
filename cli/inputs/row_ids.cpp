#include "row_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bochner/core/messages.hpp"
#include "row_table.hpp"

namespace bochner::cli {

CsvOptions row_id_csv(const std::string& spec, const std::string& id, const std::vector<std::string>& inputs,
                      std::vector<std::string>& notes) {
  const CsvOptions csv = input_csv(id);
  const std::string path = split_spec(spec).path;
  if (!id.empty() || holds_arrays(path)) return csv;
  const auto found = find_named_ids(path, csv);
  if (!found || found->column.empty()) return csv;
  const bool input = std::find(inputs.begin(), inputs.end(), found->column) != inputs.end();
  if (!input && found->repeated.empty()) return csv;
  if (!input)
    notes.push_back(fmt::format(
        "{}: the first column {} is a column like any other and rows are numbered, because {} is in it more "
        "than once; use --id COLUMN if another one has row ids",
        printable(path), quote(found->column), quote(found->repeated)));
  return input_csv("none");
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return std::filesystem::equivalent(split_spec(a).path, split_spec(b).path, error) && !error;
}

}  // namespace bochner::cli
