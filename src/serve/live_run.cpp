#include "live_run.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/run/live_file.hpp"
#include "bochner/run/resume.hpp"
#include "run_file.hpp"
#include "src/report/encode.hpp"
#include "src/report/panel.hpp"
#include "src/report/run_files.hpp"
#include "src/report/score_panels.hpp"
#include "src/report/verdict.hpp"

namespace bochner::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds between_readings{300};
constexpr std::size_t most_live = 32 << 20, most_report = 256 << 20, most_lock = 64;
constexpr Index most_samples = 5000;

/// What the server reads of a folder.
constexpr const char* files[] = {"config.toml", "log.jsonl",  "metrics.json",  "live.json",  "latent.csv",
                                 "trace.csv",   "chains.csv", "model.bochner", "report.html"};

/// The name of a file that is a link, which may lead out of the folder; empty if there is none.
std::string link_in(const std::string& folder) {
  std::error_code error;
  for (const char* file : files)
    if (fs::is_symlink(fs::symlink_status(fs::path(folder) / file, error))) return file;
  return "";
}

/// Whether the process that has locked the folder (run/folder_lock.hpp) is there. Trying the lock could keep a run out.
bool is_locked(const std::string& folder) {
  const std::optional<RunFile> lock = read_run_file((fs::path(folder) / ".lock").string(), most_lock);
  if (!lock) return false;
  if (lock->text.empty()) return true;  // a file system without locks
  const std::optional<int> process = parse_integer<int>(lock->text.substr(0, lock->text.find('\n')));
  return process && *process > 0 && (::kill(*process, 0) == 0 || errno == EPERM);
}

bool has_event(const RunFiles& run, const char* name) {
  for (const Json& event : run.log())
    if (text_of(event, "event") == name) return true;
  return false;
}

RunPhase phase_of(const RunFiles& run) {
  if (has_event(run, "end") || (run.has("metrics.json") && !is_locked(run.folder())))
    return run.has(checkpoint_file) ? RunPhase::interrupted : RunPhase::finished;
  if (!is_locked(run.folder())) return RunPhase::killed;
  return has_event(run, "fit") ? RunPhase::assessing : RunPhase::fitting;
}

bool has_ended(RunPhase phase) { return phase == RunPhase::finished || phase == RunPhase::interrupted; }

/// latent.csv as live.json has latents.
Json latents_json(const Table& latent) {
  Json ids = Json::array(), mean = Json::array(), dims = Json::array();
  const Index stride = std::max<Index>(1, (latent.rows() + most_samples - 1) / most_samples);
  for (Index n = 0; n < latent.rows(); n += stride)
    ids.push_back(shortened(latent.ids[static_cast<std::size_t>(n)]));
  for (Index q = 0; q < latent.cols(); ++q) {
    Json column = Json::array();
    for (Index n = 0; n < latent.rows(); n += stride) column.push_back(compact(latent.values(n, q)));
    mean.push_back(std::move(column));
    dims.push_back(shortened(latent.columns[static_cast<std::size_t>(q)]));
  }
  return {{"samples", latent.rows()},
          {"dims", std::move(dims)},
          {"ids", std::move(ids)},
          {"mean", std::move(mean)}};
}

LiveRun::Text shared_text(const Json& json) { return std::make_shared<const std::string>(json_line(json)); }

}  // namespace

const char* to_text(RunPhase phase) {
  switch (phase) {
    case RunPhase::fitting:
      return "fitting";
    case RunPhase::assessing:
      return "assessing";
    case RunPhase::finished:
      return "finished";
    case RunPhase::interrupted:
      return "interrupted";
    case RunPhase::killed:
      return "killed";
    default:
      return "waiting";
  }
}

LiveRun::LiveRun(std::string folder, Compute compute)
    : folder_(std::move(folder)), compute_(std::move(compute)) {
  std::error_code error;
  if (!fs::exists(folder_, error)) return;
  if (!fs::is_directory(folder_, error))
    throw InputError(
        fmt::format("{}: this is not a folder; name the run folder of a fit", printable(folder_)));
  if (!fs::exists(path("config.toml"), error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
      if (!entry.path().filename().string().starts_with('.'))
        throw InputError(
            fmt::format("{}: no run is here: the folder has no config.toml; name the run folder of a fit",
                        printable(folder_)));
  }
  if (const std::string link = link_in(folder_); !link.empty())
    throw InputError(fmt::format("{}: {} is a link, and only files of the folder itself are served",
                                 printable(folder_), link));
}

std::string LiveRun::path(const char* file) const { return (fs::path(folder_) / file).string(); }

Json LiveRun::live_state() {
  Json out = Json::object();
  const std::optional<RunFile> file = read_run_file(path(live_file), most_live);
  if (!file) return out;
  Json live = Json::parse(file->text, nullptr, false);
  if (!live.is_object()) return out;
  for (const char* key : {"what", "objective"}) out[key] = text_of(live, key);
  for (const char* key : {"step", "of", "value", "seconds", "left"})
    out[key] = member(live, key).is_number() ? live[key] : Json();
  out["age"] = compact(file->age);
  out["trace"] = member(live, "trace");
  if (!live.contains("latents") || !live["latents"].is_object()) return out;
  latents_version_ = file->version;
  Json& latents = live["latents"];
  latents["version"] = latents_version_;
  Json dims = Json::array();
  for (std::size_t q = 0; q < member(latents, "mean").size(); ++q) dims.push_back(fmt::format("z{}", q + 1));
  latents["dims"] = std::move(dims);
  latents_ = shared_text(latents);
  return out;
}

/// Read once: nothing changes any more.
Json LiveRun::ended_state() {
  const std::string version = file_version(path("log.jsonl")) + file_version(path("metrics.json"));
  if (version == ended_version_) return ended_;
  RunFiles run(folder_);
  ended_version_ = version;
  ended_ = {{"verdict", verdict_json(run)}};
  Json panels = Json::array();
  add_trace_panels(run, panels);
  for (Json& panel : panels)
    if (text_of(panel, "kind") == "lines" && !ended_.contains("objective_panel"))
      ended_["objective_panel"] = panel;
  latents_.reset();
  latents_version_.clear();
  if (const std::optional<Table> latent = run.table("latent.csv"); latent) {
    latents_version_ = version;
    Json latents = latents_json(*latent);
    latents["version"] = version;
    latents_ = shared_text(latents);
  }
  decoder_.reset();
  decoder_tried_ = false;
  return ended_;
}

void LiveRun::look() {
  Json out{{"format", 1}};
  std::error_code error;
  if (!link_in(folder_).empty() || !fs::is_regular_file(path("config.toml"), error)) {
    phase_ = RunPhase::waiting;
    out["title"] = fs::path(folder_).lexically_normal().filename().string();
    out["family"] = "Run";
  } else {
    const RunFiles run(folder_);
    phase_ = phase_of(run);
    out["title"] = run.name();
    out["family"] = family_name(run);
  }
  out["phase"] = to_text(phase_);
  if (!has_ended(phase_) &&
      !ended_version_.empty()) {  // another run takes the place of the one that had ended
    latents_.reset();
    latents_version_.clear();
    ended_version_.clear();
    decoder_.reset();
    report_.reset();
    report_version_.clear();
  }
  if (phase_ == RunPhase::waiting) {
    latents_.reset();
    latents_version_.clear();
  } else {
    out.update(has_ended(phase_) ? ended_state() : live_state());
  }
  out["latents"] = latents_ ? Json(latents_version_) : Json();
  out["report"] = has_ended(phase_) && !file_version(path("report.html")).empty();
  state_ = shared_text(out);
}

void LiveRun::refresh() {
  const Clock::time_point now = Clock::now();
  if (looked_ && now - *looked_ < between_readings) return;
  look();
  looked_ = Clock::now();
}

RunPhase LiveRun::phase() {
  refresh();
  return phase_;
}

LiveRun::Text LiveRun::state() {
  refresh();
  return state_;
}

LiveRun::Text LiveRun::latents() {
  refresh();
  return latents_;
}

LiveRun::Text LiveRun::report() {
  refresh();
  if (!has_ended(phase_)) return nullptr;
  const std::string version = file_version(path("report.html"));
  if (report_ && version == report_version_) return report_;
  std::optional<RunFile> file = read_run_file(path("report.html"), most_report);
  report_ = file ? std::make_shared<const std::string>(std::move(file->text)) : nullptr;
  report_version_ = version;
  return report_;
}

const RunDecoder* LiveRun::decoder() {
  refresh();
  if (!has_ended(phase_)) return nullptr;
  if (!decoder_tried_) {
    decoder_tried_ = true;
    try {
      decoder_ = std::make_unique<RunDecoder>(folder_, compute_);
    } catch (
        const std::exception&) {  // a model of another kind, or a damaged one: there is none to decode with
    }
  }
  return decoder_.get();
}

}  // namespace bochner::detail
