#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "cli/frame/command_line.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/help.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/launcher.hpp"
#include "cli/frame/settings.hpp"
#include "cli/inputs/input_files.hpp"

namespace bochner::cli {

namespace {

bool is_resumed(const std::vector<Option>& options) {
  for (const Option& option : options)
    if (option.name == "resume") return *std::get<bool*>(option.target);
  return false;
}

int run(const std::vector<std::string>& arguments) {
  const std::vector<Verb> verbs = all_verbs();
  std::vector<Common> common(verbs.size());
  std::vector<std::vector<Option>> options;
  for (std::size_t v = 0; v < verbs.size(); ++v) {
    options.push_back(verbs[v].options);
    for (const Option& option : common_options(verbs[v], common[v])) options[v].push_back(option);
  }
  const CommandLine line = parse_command_line(arguments, verbs, options);
  if (line.version) {
    print("bochner " BOCHNER_VERSION "\n");
    return 0;
  }
  if (line.verb.empty()) {
    line.help ? print(program_help(verbs)) : print_error(program_help(verbs));
    return line.help ? 0 : static_cast<int>(ExitCode::bad_input);
  }
  const auto verb =
      std::find_if(verbs.begin(), verbs.end(), [&](const Verb& v) { return v.name == line.verb; });
  const auto v = static_cast<std::size_t>(verb - verbs.begin());
  if (line.help) {
    print(verb_help(*verb, common_options(*verb, common[v])));
    return 0;
  }
  set_options(verb->name, options[v], line);
  std::string& out = common[v].out;
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();  // messages add their own
  refuse_several_processes(launched());
  if (is_resumed(options[v])) return_to_start(options[v], out);
  if (!out.empty()) refuse_inputs_within(options[v], out, verb->out_placeholder == "DIR");
  return verb->run({*verb, common[v]});
}

int fail(const std::string& sentence, ExitCode code) {
  constexpr std::size_t longest = 2000;  // names in it may come from hostile files
  if (launched().rank == 0) print_error("bochner: " + printable(sentence, longest) + "\n");
  return static_cast<int>(code);
}

}  // namespace

}  // namespace bochner::cli

int main(int argc, char** argv) {
  bochner::keep_freed_memory();
  bochner::cli::outlive_broken_outputs();
  using namespace bochner;
  using cli::fail, cli::reader_is_gone;
  try {
    const int code = cli::run({argv + std::min(argc, 1), argv + argc});
    // A full disk behind `> file` shows up here at the latest. A reader that has gone has seen all that it wanted.
    if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && !reader_is_gone() && code == 0)
      return fail("standard output could not be written", ExitCode::could_not_write);
    return code;
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory; --dry-run says how much a run needs",
                ExitCode::numerical_failure);
  } catch (const std::exception& error) {
    return fail(error.what(), exit_code(error));
  }
}
