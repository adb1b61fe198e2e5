#pragma once
#include <string>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// The annotations in the order of the samples; a sample without any gets empty cells. Adds to `notes` what the user should
/// know.
TextTable read_meta(const std::string& spec, const std::vector<std::string>& ids, bool ids_generated,
                    std::vector<std::string>& notes);

}  // namespace bochner::cli
