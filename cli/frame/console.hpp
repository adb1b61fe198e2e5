#pragma once
#include <string>

namespace bochner::cli {

/// Results go to standard output, everything else to standard error; names from files cannot command the terminal. Neither throws: whether standard output
/// took it all is asked once, at the end of main.
void print(const std::string& text);
void print_error(const std::string& text);

/// Whether standard output is a pipe that nobody reads any more, as behind `| head -1`.
bool reader_is_gone();

}  // namespace bochner::cli
