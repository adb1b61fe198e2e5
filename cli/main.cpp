#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "cli/frame/command_line.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/exit_code.hpp"
#include "cli/frame/help.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/launcher.hpp"
#include "cli/frame/settings.hpp"
#include "cli/frame/shell_quote.hpp"
#include "cli/frame/version.hpp"
#include "cli/inputs/input_files.hpp"

namespace bochner::cli {

namespace {

bool is_resumed(const std::vector<Option>& options) {
  for (const Option& option : options)
    if (option.name == "resume") return *std::get<bool*>(option.target);
  return false;
}

std::string line_of(const std::vector<std::string>& arguments) {
  std::string out = "bochner";
  for (const std::string& word : arguments) out += " " + shell_quote(word);
  return out;
}

/// Processes with work of their own, as those of a job script may be, are not processes that share one.
void check_same_line(const std::vector<std::string>& arguments, const Communicator& comm) {
  const std::vector<std::string> all = comm.all_gather(line_of(arguments));
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all.front())
      throw InputError(
          fmt::format("ranks 0 and {} have different command lines; processes that mpirun starts share the "
                      "work of one command, so "
                      "use the same line for all, or BOCHNER_MPI=off for commands of their own",
                      r));
}

int run(const std::vector<std::string>& arguments, Communicator& comm) {
  const std::vector<Command> commands = all_commands();
  std::vector<Common> common(commands.size());
  std::vector<std::vector<Option>> options;
  for (std::size_t c = 0; c < commands.size(); ++c) options.push_back(all_options(commands[c], common[c]));
  const CommandLine line = parse_command_line(arguments, commands, options);
  if (line.version) {
    print(version_text());
    return 0;
  }
  if (line.command.empty()) {
    if (line.help) print(program_help(commands));
    if (!line.help && find_launch().rank == 0) print_error(program_help(commands));
    return line.help ? 0 : static_cast<int>(ExitCode::invalid_input);
  }
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& candidate) { return candidate.name == line.command; });
  const auto c = static_cast<std::size_t>(command - commands.begin());
  if (line.help) {
    print(command_help(*command, common_options(*command, common[c])));
    return 0;
  }
  comm = join(find_launch());
  check_same_line(arguments, comm);
  const Assigned assigned = set_options(command->name, options[c], line);
  std::string& out = common[c].out;
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();  // messages append their own
  if (!comm.is_first()) common[c].quiet = true;
  if (!comm.is_alone()) {
    // The same for all, because what is done in rounds of threads says so after each.
    const Index own = common[c].threads == 0 ? threads_of(find_launch()) : common[c].threads;
    common[c].threads = -comm.largest(-own);
  }
  if (is_resumed(options[c])) return_to_start(options[c], out);
  if (!out.empty()) refuse_inputs_within(options[c], out, command->out_placeholder == "DIR");
  const Job job{*command,
                common[c],
                assigned.given,
                assigned.resumed_config,
                line_of(arguments),
                input_paths(options[c]),
                comm};
  if (comm.is_alone() || (command->shares && !common[c].dry_run)) return command->run(job);
  if (!comm.is_first()) return 0;  // and wait for what becomes of the first one
  if (!common[c].dry_run && !common[c].quiet)
    print_error(fmt::format("note: the work of 'bochner {}' is not shared: one process of {} does it\n",
                            command->name, comm.size()));
  return command->run(without_others(job));
}

RankEnding failure(const std::string& message, ExitCode code) { return {static_cast<int>(code), message}; }

RankEnding ending_of(const std::vector<std::string>& arguments, Communicator& comm) {
  try {
    const int code = run(arguments, comm);
    // A full disk behind `> file` shows up here at the latest. A reader that has gone has seen all that it wanted.
    if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && !reader_is_gone() && code == 0)
      return failure("cannot write to standard output", ExitCode::cannot_write);
    return {code, ""};
  } catch (const std::bad_alloc&) {
    return failure("out of memory; --dry-run prints how much a run requires", ExitCode::numerical_failure);
  } catch (const std::exception& error) {
    return failure(error.what(), exit_code(error));
  }
}

}  // namespace

}  // namespace bochner::cli

int main(int argc, char** argv) {
  bochner::keep_freed_memory();
  bochner::cli::outlive_broken_outputs();
  using namespace bochner::cli;
  const Launch launch = find_launch();
  if (launch.rank > 0) be_silent();
  bochner::Communicator comm = bochner::Communicator::alone();
  const bochner::RankEnding own = ending_of({argv + std::min(argc, 1), argv + argc}, comm);
  bochner::RankEnding ending;
  {
    // A signal to a process that waits is for those that work: the first stops them, the second kills.
    std::optional<Interrupt> patience;
    if (!comm.is_first()) patience.emplace(Interrupt::Message::none);
    ending = comm.end(own);  // one for all processes
  }
  constexpr std::size_t longest = 2000;  // names in the message may come from hostile files
  if (!ending.message.empty() && launch.rank == 0)
    print_error("bochner: " + bochner::printable(ending.message, longest) + "\n");
  return ending.code;
}
