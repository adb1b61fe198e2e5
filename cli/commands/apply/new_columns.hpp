#pragma once
#include <map>
#include <string>
#include <vector>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

struct ApplySettings;

/// Columns that describe new samples: of --meta if it has them, else of the tables of the new samples, as in the fit.
class NewColumns {
 public:
  /// `views`: names of those of the model.
  NewColumns(const ApplySettings& settings, const std::vector<std::string>& views);

  /// Cells by sample; none if nothing has the column.
  std::map<std::string, std::string> by_sample(const std::string& column) const;

 private:
  std::vector<TextTable> tables_;
  bool has_meta_ = false;  // the first of them
  bool arrays_ = true;     // the new samples have no ids
};

}  // namespace bochner::cli
