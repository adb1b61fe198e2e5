#pragma once
#include <string>
#include <vector>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

/// input_csv for one file. Where nobody named a column of ids, a first column that is called like ids is none if it is among
/// `inputs`, those of a model, or if its texts repeat; the latter is a note.
CsvOptions row_id_csv(const std::string& spec, const std::string& id, const std::vector<std::string>& inputs,
                      std::vector<std::string>& notes);

/// Whether both specifications are of the same file.
bool same_file(const std::string& a, const std::string& b);

}  // namespace bochner::cli
