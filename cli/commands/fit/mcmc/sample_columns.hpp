#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

/// Columns that describe samples (times, groups, exposures) and are no measurements, wherever their values come from: taken out
/// of the tables of views, and read from there unless the annotations have them.
class SampleColumns {
 public:
  explicit SampleColumns(const std::vector<std::string>& names);  // "": none

  void take(TextTable& table);
  /// InputError if a view has no other column.
  void take(std::vector<ViewTable>& tables);

  enum class Gaps { refused, empty };
  /// Cells for every sample of the data. InputError with `option` if nothing has the column, or a sample lacks a value.
  std::vector<std::string> cells(const char* option, const std::string& name, const Dataset& data,
                                 const std::optional<TextTable>& meta, Gaps gaps = Gaps::refused) const;

 private:
  std::map<std::string, std::map<std::string, std::string>> taken_;  // by column and sample
};

}  // namespace bochner::cli
