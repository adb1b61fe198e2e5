#pragma once
#include <string>
#include <string_view>

namespace bochner {

/// Length of the longest prefix of `bytes` that is complete, valid UTF-8 (no surrogates, no overlong forms).
std::size_t valid_utf8(std::string_view bytes);

/// Text for an error message: control characters and invalid UTF-8 escaped, at most `most` bytes and then "...".
std::string printable(std::string_view text, std::size_t most = 200);

}  // namespace bochner
