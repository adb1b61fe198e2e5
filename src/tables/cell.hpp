#pragma once
#include <string>
#include <string_view>

namespace bochner::detail {

/// Without the spaces, tabs and non-breaking spaces at its ends.
std::string_view trimmed(std::string_view text);

/// True for the ways of writing "not measured" that csv.hpp lists; `text` is trimmed.
bool is_missing(std::string_view text);

/// The number in a trimmed cell, NaN if it is missing. False if it is neither; explain_cell then says why.
bool parse_cell(std::string_view text, char decimal, double& value);

/// Ends the message that begins "file, line, column: ". `labels`: text may be moved to a table of labels.
std::string explain_cell(std::string_view text, char decimal, bool labels = false);

/// True if a trimmed cell is a number; `fraction` says whether it is anything but a plain integer.
bool looks_numeric(std::string_view text, bool* fraction = nullptr);

}  // namespace bochner::detail
