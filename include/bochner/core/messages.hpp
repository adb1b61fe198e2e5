#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/counted.hpp"
#include "bochner/core/nearest_name.hpp"
#include "bochner/core/printable.hpp"

namespace bochner {

// The building blocks of error messages. Whatever a file holds, the result is one line of valid UTF-8.

/// printable for text of several lines, however long: what may be shown on a terminal whoever wrote it.
std::string printable_lines(std::string_view text);

/// printable between single quotes, cut to the length of a cell.
std::string quote(std::string_view text);

/// "'a', 'b' and 'c'", or "'a', 'b', 'c' and 12 more".
std::string listing(const std::vector<std::string>& names, std::size_t most = 8);

/// "; did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "1.5 GB"
std::string human_bytes(double bytes);

}  // namespace bochner
