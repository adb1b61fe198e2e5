#pragma once
#include <functional>
#include <map>
#include <string>

namespace bochner::bench {

/// What a benchmark program can be asked for.
struct Part {
  const char* about;
  std::function<void()> run;
};

/// Runs the parts that the arguments name, one after the other; `set` has a function for each --option that takes its value.
/// Without arguments it lists the parts. Returns the exit code.
int run_parts(const char* program, const std::map<std::string, Part>& parts,
              const std::map<std::string, std::function<void(const char*)>>& set, int argc, char** argv);

}  // namespace bochner::bench
