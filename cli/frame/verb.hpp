#pragma once
#include <functional>
#include <string>
#include <vector>

#include "option.hpp"

namespace bochner::cli {

/// What every verb understands.
struct Common {
  std::string config;
  std::string out;
  Index threads = 0;  // 0: all cores
  Index seed = 1;
  bool dry_run = false;
  bool quiet = false;
  bool strict = false;
};

struct Verb;

/// A verb with its options set, ready to run.
struct Job {
  const Verb& verb;
  const Common& common;
};

/// One thing the program does: a list of options and the function that they are for. A verb lives in a file
/// of its own and has a line in verbs.cpp.
struct Verb {
  std::string name;
  std::string summary;  // one line, what it does for the user
  std::string example;  // a whole command
  std::string details;  // for its own help, lines of at most 90 characters
  std::vector<Option> options;
  std::string out_placeholder = "DIR", out_help = "where the results go", out_default;
  std::function<int(const Job&)> run;  // returns the exit code of a run that has not failed
};

/// The list of all verbs, in the order of the help.
std::vector<Verb> all_verbs();

/// The options of every verb, bound to `common`, whose `out` becomes the default of the verb.
std::vector<Option> common_options(const Verb& verb, Common& common);

/// The text of a config.toml that repeats the job: what to do, not where to leave it or on how many threads.
std::string config_text(const Job& job);

}  // namespace bochner::cli
