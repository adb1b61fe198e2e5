#include "command.hpp"

namespace bochner::cli {

Job without_others(Job job) {
  job.comm = Communicator::alone();
  return job;
}

std::vector<Option> common_options(const Command& command, Common& common) {
  if (!command.runs) return {};
  common.out = command.out_default;
  const Option out{.name = "out",
                   .placeholder = command.out_placeholder,
                   .help = command.out_help,
                   .target = &common.out,
                   .group = Group::output,
                   .recorded = false};
  const Option config{.name = "config",
                      .placeholder = "FILE",
                      .help = "Read options from a TOML file; the command line takes precedence",
                      .target = &common.config,
                      .recorded = false,
                      .in_config = false};
  const Option seed{.name = "seed",
                    .placeholder = "N",
                    .help = "Random seed; results are reproducible bit for bit",
                    .target = &common.seed,
                    .low = 0};
  const Option threads{.name = "threads",
                       .placeholder = "N",
                       .help = "Number of threads; does not affect results",
                       .target = &common.threads,
                       .low = 1,
                       .high = 1024,
                       .shown_default = "all cores",
                       .recorded = false};
  const Option dry_run{.name = "dry-run",
                       .help = "Print the plan with estimated memory and time; write nothing",
                       .target = &common.dry_run,
                       .recorded = false};
  const Option quiet{
      .name = "quiet", .help = "Print errors only", .target = &common.quiet, .recorded = false};
  const Option strict{.name = "strict",
                      .help = "Exit with code 4 if the verdict is \"do not trust\"",
                      .target = &common.strict,
                      .recorded = false};
  return {out, config, seed, threads, dry_run, quiet, strict};
}

std::vector<Option> all_options(const Command& command, Common& common) {
  std::vector<Option> options = command.options;
  for (const Option& option : common_options(command, common)) options.push_back(option);
  return options;
}

std::string config_text(const Job& job) {
  if (!job.resumed_config.empty()) return job.resumed_config;
  std::vector<ConfigEntry> entries{{"command", job.command.name}};
  Common common = job.common;
  const auto record = [&](const Option& option) {
    if (!option.recorded || !applies(option, job.command.options)) return;
    ConfigEntry entry = config_entry(option);
    const auto* text = std::get_if<std::string>(&entry.value);
    if (!text || !text->empty()) entries.push_back(std::move(entry));  // an empty string was never given
  };
  for (const Option& option : all_options(job.command, common)) record(option);
  return format_config(entries);
}

}  // namespace bochner::cli
