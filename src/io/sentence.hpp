#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bochner::io {

// The building blocks of one-sentence messages. Whatever a file holds, the result is one line of valid UTF-8.

/// Length of the longest prefix of `bytes` that is complete, valid UTF-8 (no surrogates, no overlong forms).
std::size_t valid_utf8(std::string_view bytes);

/// Control characters, marks that turn text around and invalid UTF-8 escaped, at most `most` bytes and then "...".
std::string printable(std::string_view text, std::size_t most = 200);

/// The same for text of several lines, however long: what may be shown on a terminal whoever wrote it.
std::string printable_lines(std::string_view text);

/// printable between single quotes, cut to the length of a cell.
std::string quote(std::string_view text);

/// "'a', 'b' and 'c'", or "'a', 'b', 'c' and 12 more".
std::string listing(const std::vector<std::string>& names, std::size_t most = 8);

/// The candidate that `name` is most likely a misspelling of (a few edits, case ignored); empty if there is
/// none.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "3 rows", "1 row"; "3 entries", "1 entry" with the plural given.
std::string counted(long long n, const char* noun);
std::string counted(long long n, const char* noun, const char* plural);

/// "1.5 GB"
std::string human_bytes(double bytes);

}  // namespace bochner::io
