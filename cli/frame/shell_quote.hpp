#pragma once
#include <string>

namespace bochner::cli {

/// The text as one word of a POSIX shell: as it is if that is safe, otherwise quoted. For commands that a user may copy.
std::string shell_quote(const std::string& text);

}  // namespace bochner::cli
