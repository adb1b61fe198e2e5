#pragma once
#include <string>
#include <vector>

namespace bochner::cli {

/// Rows of cells as lines of aligned columns, two spaces between them: the first column flush left, the others flush
/// right, but for a last one that holds remarks. No spaces at line ends.
std::string align(const std::vector<std::vector<std::string>>& rows, bool remarks = true);

/// The words of a text in lines of at most `width` characters, all but the first indented. Ends with a line end.
std::string wrap(const std::string& text, std::size_t width, std::size_t indent);

/// "a, b, c"
std::string join_list(const std::vector<std::string>& parts);

}  // namespace bochner::cli
