#include "provenance_panels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/messages.hpp"
#include "bochner/run/run_folder.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

const Json& event_of(const RunFiles& run, const char* kind) {
  static const Json none = Json::object();
  for (const Json& event : run.log())
    if (text_of(event, "event") == kind) return event;
  return none;
}

void add_inputs(const RunFiles& run, Json& panels) {
  Json rows = Json::array();
  for (const Json& event : run.log())
    if (text_of(event, "event") == "input")
      rows.push_back(
          {text_of(event, "file"), human_bytes(number_of(event, "bytes")), text_of(event, "sha256")});
  if (rows.empty()) return;
  Json out = panel("inputs-read", "table", "Inputs",
                   "The files that were read, with their SHA-256: the same sums are the same data.", true);
  out["table"] = table_of({"file", "size", "SHA-256"}, std::move(rows));
  panels.push_back(std::move(out));
}

void add_settings(const RunFiles& run, Json& panels) {
  Json rows = Json::array();
  for (const ConfigEntry& entry : run.config().entries)
    if (const std::string value = run.setting(entry.key); entry.key != "command" && !value.empty())
      rows.push_back({entry.key, value});
  if (rows.empty()) return;
  Json out = panel("settings", "table", "Settings",
                   made_by(run).empty() ? "Every option of the run that has a value, as config.toml keeps it."
                                        : "The parameters of the estimator.");
  out["table"] = table_of({"option", "value"}, std::move(rows));
  panels.push_back(std::move(out));
}

}  // namespace

std::string human_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "";
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

double run_seconds(const RunFiles& run) {
  const double whole = number_of(event_of(run, "end"), "seconds");
  return std::isfinite(whole) ? whole : number_of(run.metrics(), "seconds");
}

std::string made_by(const RunFiles& run) { return text_of(event_of(run, "start"), "made_by"); }

std::string run_version(const RunFiles& run) { return text_of(event_of(run, "start"), "version"); }

void add_provenance_panels(RunFiles& run, Json& panels) {
  Json rows = Json::array();
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) rows.push_back({what, value});
  };
  const Json &start = event_of(run, "start"), &end = event_of(run, "end");
  const std::string estimator = made_by(run);
  add("estimator", estimator);
  if (estimator.empty())
    add("repeat this run",
        fmt::format("bochner {} --config {}/config.toml --out again", run.command(), run.name()));
  add("command line", text_of(start, "line"));
  add("started in", run_started_in(run.folder()));
  add("version", run_version(run));
  add("seed", run.setting("seed"));
  if (const double threads = number_of(start, "threads"); std::isfinite(threads))
    add("threads", fmt::format("{} (does not change results)", threads));
  add("time of the fit", human_seconds(number_of(run.metrics(), "seconds")));
  add("time of the run", human_seconds(run_seconds(run)));
  if (const double bytes = number_of(end, "peak_memory"); std::isfinite(bytes))
    add("memory at most", human_bytes(bytes));
  Json out = panel("provenance", "table", "How this run came about",
                   estimator.empty() ? "The command that repeats the run to the same bytes, and what it took."
                                     : "The estimator that was fitted, and what it took.");
  out["table"] = table_of({"what", "value"}, std::move(rows));
  panels.push_back(std::move(out));
  add_settings(run, panels);
  add_inputs(run, panels);
}

}  // namespace bochner::detail
