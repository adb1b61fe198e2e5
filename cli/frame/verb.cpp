#include "verb.hpp"

namespace bochner::cli {

std::vector<Option> common_options(const Verb& verb, Common& common) {
  common.out = verb.out_default;
  const Option out{.name = "out",
                   .placeholder = verb.out_placeholder,
                   .help = verb.out_help,
                   .target = &common.out,
                   .recorded = false};
  const Option config{.name = "config",
                      .placeholder = "FILE",
                      .help = "read options from a TOML file; the command line wins",
                      .target = &common.config,
                      .recorded = false,
                      .in_config = false};
  const Option seed{.name = "seed",
                    .placeholder = "N",
                    .help = "of everything random; the same seed gives the same bytes",
                    .target = &common.seed,
                    .low = 0};
  const Option threads{.name = "threads",
                       .placeholder = "N",
                       .help = "changes the time, never the result",
                       .target = &common.threads,
                       .low = 1,
                       .high = 1024,
                       .shown_default = "all cores",
                       .recorded = false};
  const Option dry_run{.name = "dry-run",
                       .help = "say what would be done, its memory and time; write nothing",
                       .target = &common.dry_run,
                       .recorded = false};
  const Option quiet{
      .name = "quiet", .help = "print nothing but errors", .target = &common.quiet, .recorded = false};
  const Option strict{.name = "strict",
                      .help = "exit with code 4 if the verdict is \"do not trust\"",
                      .target = &common.strict,
                      .recorded = false};
  return {out, config, seed, threads, dry_run, quiet, strict};
}

std::string config_text(const Job& job) {
  std::vector<ConfigEntry> entries{{"verb", job.verb.name}};
  Common common = job.common;
  const auto record = [&](const Option& option) {
    if (!option.recorded) return;
    ConfigEntry entry = recorded(option);
    const auto* text = std::get_if<std::string>(&entry.value);
    if (!text || !text->empty()) entries.push_back(std::move(entry));  // an empty text was never given
  };
  for (const Option& option : job.verb.options) record(option);
  for (const Option& option : common_options(job.verb, common)) record(option);
  return format_config(entries);
}

}  // namespace bochner::cli
