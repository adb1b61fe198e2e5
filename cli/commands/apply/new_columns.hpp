#pragma once
#include <map>
#include <string>
#include <vector>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

struct ApplySettings;

/// Columns that describe new samples: of --meta alone, if it is given, or of the tables of the new samples.
class NewColumns {
 public:
  explicit NewColumns(const ApplySettings& settings);

  /// Cells by sample; none if nothing has the column.
  std::map<std::string, std::string> by_sample(const std::string& column) const;

 private:
  std::vector<TextTable> tables_;
};

}  // namespace bochner::cli
