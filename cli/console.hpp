#pragma once
#include <string>

namespace bochner::cli {

/// Results go to standard output, everything else to standard error. Neither throws: whether standard output
/// took it all is asked once, at the end of main.
void print(const std::string& text);
void print_error(const std::string& text);

}  // namespace bochner::cli
