#include "new_times.hpp"

#include <fmt/format.h>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/labels.hpp"
#include "cli/frame/text.hpp"
#include "cli/inputs/time_cells.hpp"
#include "new_columns.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> cells_of(const std::map<std::string, std::string>& by_sample,
                                  const std::vector<std::string>& ids) {
  std::vector<std::string> out;
  for (const std::string& id : ids) {
    const auto at = by_sample.find(id);
    out.push_back(at == by_sample.end() ? "" : at->second);
  }
  return out;
}

}  // namespace

/// How many samples have a group that the fit does not have, or no time.
std::string NewTimes::unknown_text() const {
  Index strangers = 0, timeless = 0;
  std::string stranger;
  for (const auto& [id, cell] : groups_)
    if (encode_labels({cell}, fit_.group_names).code(0) < 0) {
      if (strangers++ == 0) stranger = cell;
    }
  for (const auto& [id, cell] : times_) timeless += !is_label(cell);
  std::vector<std::string> parts;
  if (strangers > 0)
    parts.push_back(fmt::format("{} of a group that the fit does not have ({} first)",
                                strangers == 1 ? "1 sample is" : fmt::format("{} samples are", strangers),
                                quote(stranger)));
  if (timeless > 0)
    parts.push_back(
        fmt::format("{} no time", timeless == 1 ? "1 sample has" : fmt::format("{} samples have", timeless)));
  return parts.empty() ? "" : join_list(parts) + ": embedded without a time";
}

NewTimes::NewTimes(const BayesFit& fit, const ApplySettings& settings) : fit_(fit.axis) {
  const bool grouped = !fit_.group.empty();
  if (fit_.time.size() == 0) {
    if (!settings.time.empty() || !settings.group.empty())
      throw InputError(fmt::format(
          "--{}: {}", settings.time.empty() ? "group" : "time",
          fit.paths.empty() ? "the model was fitted without times; omit the option"
                            : "the model is of an earlier release, which kept no times; fit it again"));
    return;
  }
  if (!grouped && !settings.group.empty())
    throw InputError("--group: the model was fitted without groups; omit the option");
  std::vector<std::string> views;
  for (const BayesViewFit& view : fit.views) views.push_back(view.name);
  const NewColumns columns(settings, views);
  const auto read = [&](const char* option, const std::string& said, const std::string& own) {
    const std::string& name = said.empty() ? own : said;
    std::map<std::string, std::string> out =
        name.empty() ? std::map<std::string, std::string>{} : columns.by_sample(name);
    if (out.empty() && !said.empty())
      throw InputError(fmt::format("--{}: {} a column {}; use --meta for the table that has it", option,
                                   settings.meta.empty()
                                       ? "the new samples do not have"
                                       : "neither " + printable(settings.meta) + " nor the new samples have",
                                   quote(said)));
    return out;
  };
  times_ = read("time", settings.time, fit_.column);
  if (grouped) groups_ = read("group", settings.group, fit_.group_column);
  if (times_.empty() || (grouped && groups_.empty())) {
    const bool both = times_.empty() && grouped && groups_.empty();
    const std::string& column = times_.empty() ? fit_.column : fit_.group_column;
    note_ = fmt::format(
        "the latents of the model are paths over time, but the new samples have no column of {}{}: they are "
        "embedded without "
        "their times; use --meta for the table that has it, or --{} COLUMN for another name",
        both             ? "times or groups"
        : times_.empty() ? "times"
                         : "groups",
        column.empty() ? "" : ", " + quote(column), times_.empty() ? "time" : "group");
    times_.clear();
    return;
  }
  note_ = unknown_text();
}

TimeAxis NewTimes::of(const std::vector<std::string>& ids) const {
  if (times_.empty()) return {};
  TimeAxis out{.time = new_times(fit_, cells_of(times_, ids), ids)};
  if (fit_.group.empty()) return out;
  for (const Index code : encode_labels(cells_of(groups_, ids), fit_.group_names).code)
    out.group.push_back(code < 0 ? TimeAxis::no_group : code);
  return out;
}

}  // namespace bochner::cli
