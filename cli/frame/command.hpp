#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bochner/compute/communicator.hpp"
#include "option.hpp"

namespace bochner::cli {

/// The values of the options that every command has.
struct Common {
  std::string config;
  std::string out;
  Index threads = 0;  // 0: all cores
  Index seed = 1;
  bool dry_run = false;
  bool quiet = false;
  bool strict = false;
};

struct Command;

/// A command with its options set, ready to run.
struct Job {
  const Command& command;
  const Common& common;
  std::set<std::string> given{};  // names of the options that the command line or a configuration file set
  std::string resumed_config{};   // text of the config.toml of the run that --resume continues; else empty
  std::string line{};             // the command as it was typed, quoted for a shell
  std::vector<std::string> inputs{};          // files that its options name
  Communicator comm = Communicator::alone();  // the processes that share it; the first one writes
};

/// The same for a process that does all of it.
Job without_others(Job job);

/// One thing the program does: a list of options and the function that they are for. A command lives in a file
/// of its own and has a line in commands.cpp.
struct Command {
  std::string name;
  std::string summary;  // one line, what it does for the user
  std::string example;  // a complete command line
  std::string details;  // for its own help, lines of at most 110 characters
  std::vector<Option> options;
  std::string out_placeholder = "DIR", out_help = "Output folder", out_default{};
  bool runs = true;     // has the options of every command; false: prints something and is done
  bool shares = false;  // several processes share its work; of other commands the first process does all
  std::function<int(const Job&)> run;  // returns the exit code of a run that has not failed
};

/// The list of all commands, in the order of the help.
std::vector<Command> all_commands();

/// The options of every command that runs, bound to `common`, whose `out` becomes the default of the command.
std::vector<Option> common_options(const Command& command, Common& common);

/// The options of the command, then the common ones.
std::vector<Option> all_options(const Command& command, Common& common);

/// The text of a config.toml that repeats the job: what to do, not where to write or on how many threads. A resumed run
/// keeps the text that it was started with, whichever version of the program wrote it.
std::string config_text(const Job& job);

}  // namespace bochner::cli
