#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// The annotations in the order of the samples; a sample without any gets empty cells. Adds to `notes` what the user should
/// know.
TextTable read_meta(const std::string& spec, const std::vector<std::string>& ids, bool ids_generated,
                    std::vector<std::string>& notes);

/// The columns of words of tables (`view_tables.hpp`) as annotations; nothing if there are none. Names that two tables have get that of
/// the table in front.
std::optional<TextTable> words_as_meta(const std::vector<TextTable>& words,
                                       const std::vector<std::string>& ids, bool ids_generated);

}  // namespace bochner::cli
