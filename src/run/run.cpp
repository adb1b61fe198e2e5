#include "bochner/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/run/inputs.hpp"
#include "bochner/run/resume.hpp"

namespace bochner {

bool RunProgress::stop_asked() const {
  if (!stopped_) stopped_ = comm().largest(listener_.stop_asked && listener_.stop_asked() ? 1 : 0) > 0;
  return stopped_;
}

void RunProgress::announce() {
  if (listener_.print && comm().is_first() && !summary_.empty()) listener_.print(summary_);
  summary_.clear();
}

RunFolder& RunProgress::folder() {
  if (!folder_) open_();
  announce();
  return *folder_;
}

void RunProgress::ready() {
  if (comm().is_first()) folder();
}

/// One message of a step: who has been asked to stop, and the values, which processes of the same state have bit by bit.
void RunProgress::agree_on(const RunStep& step) {
  if (comm().is_alone() || stopped_) return;
  std::string own(1 + sizeof step.value, '\0');
  own.front() = listener_.stop_asked && listener_.stop_asked() ? 1 : 0;
  std::memcpy(own.data() + 1, &step.value, sizeof step.value);
  const std::vector<std::string> all = comm().all_gather(own);
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].compare(1, std::string::npos, all.front(), 1, std::string::npos) != 0)
      throw NumericalError(fmt::format(
          "ranks 0 and {} disagree at step {} of '{}': do they have the same processors and the same build?",
          r, step.step, step.what));
    stopped_ = stopped_ || all[r].front() != 0;
  }
}

bool RunProgress::accepted() {
  ready();
  return !stop_asked();
}

bool RunProgress::step(const RunStep& step) {
  if (step.step > 0) announce();
  if (listener_.on_step) listener_.on_step(step, folder_ ? &*folder_ : nullptr);
  live_.step(step, folder_ ? &*folder_ : nullptr);
  agree_on(step);
  return comm().is_alone() ? !stop_asked() : !stopped_;
}

bool RunProgress::step(const RunStep& now, const std::function<ModelGroup()>& checkpoint, bool keep) {
  ready();
  const bool go_on = step(now);
  if (!comm().is_first()) return go_on;
  if (!go_on || keep || watch_.seconds() - saved_at_ >= options_.checkpoint_seconds) {
    ModelGroup group = checkpoint();
    group.set("job", fingerprint_);
    write_model(folder().path(checkpoint_file), group);
    saved_at_ = watch_.seconds();
  }
  return go_on;
}

RunSession::RunSession(const RunOptions& options, const RunListener& listener)
    : options_(options), listener_(listener), progress_(options, listener) {
  if (writes()) check_run_folder(options.folder, options.command);
  if (!options.resume) return;
  if (writes()) {
    lock_ = std::make_unique<FolderLock>(options.folder);  // before it looks at what there is
    complete_ = bochner::is_complete(options.folder);
  }
  complete_ = options.comm.from_first(complete_ ? "yes" : "") == "yes";
  if (complete_) print(fmt::format("the run in {}/ is complete; nothing to resume\n", options.folder));
}

void RunSession::note(const std::vector<std::string>& notes) const {
  if (!listener_.note || !writes()) return;
  for (const std::string& note : notes) listener_.note(note);
}

void RunSession::print(const std::string& text) const {
  if (listener_.print && writes() && !text.empty()) listener_.print(text);
}

void RunSession::check_memory(const MemoryNeed& need) const {
  const double free = available_memory();
  if (need.bytes <= free) return;
  throw InputError(fmt::format("this requires about {} of memory, but only {} are free; {}",
                               human_bytes(need.bytes), human_bytes(free), need.remedy));
}

/// Read by the first process and sent to the others.
void RunSession::find_checkpoint_of_all() {
  std::string bytes;
  if (writes()) {
    progress_.resume_ = find_checkpoint(options_.folder, progress_.fingerprint_);
    if (progress_.resume_ && !options_.comm.is_alone()) bytes = checkpoint_bytes(options_.folder);
  }
  bytes = options_.comm.from_first(bytes);
  const Index resumed = options_.comm.largest(progress_.resume_ ? 1 : 0);
  if (bytes.empty() && resumed > 0 && !options_.comm.is_alone())
    throw InputError(fmt::format("{}: the checkpoint changed while it was read", options_.folder));
  if (!writes() && !bytes.empty()) progress_.resume_ = parse_model(bytes, checkpoint_file);
}

void RunSession::begin(std::string fingerprint, std::vector<std::string> files,
                       std::vector<std::string> resumed_files, const Json& facts) {
  const std::vector<std::string> all = options_.comm.all_gather(fingerprint);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all.front())
      throw InputError(fmt::format("ranks 0 and {} have read different tables or options", r));
  progress_.fingerprint_ = std::move(fingerprint);
  resumed_files_ = std::move(resumed_files);
  if (options_.resume) {
    find_checkpoint_of_all();
    for (const std::string& file : resumed_files_) std::erase(files, file);
  } else {
    files.push_back(checkpoint_file);
  }
  files.push_back(report_file);
  files.push_back(live_file);
  progress_.open_ = [this, files = std::move(files), facts] { open(files, facts); };
  if (listener_.begin) listener_.begin();
  total_ = progress_.watch_ = Stopwatch();
}

void RunSession::open(const std::vector<std::string>& files, const Json& facts) {
  progress_.folder_.emplace(options_.folder, options_.command, files, options_.config, std::move(lock_));
  Json start{{"event", progress_.resume_ ? "resume" : "start"},
             {"command", options_.command},
             {"version", BOCHNER_VERSION},
             {"threads", options_.threads.count()}};
  if (!options_.comm.is_alone()) start["processes"] = options_.comm.size();
  if (!options_.line.empty()) start["line"] = options_.line;
  start.update(facts);
  progress_.folder_->log(json_line(start));
  log_inputs(options_.inputs, *progress_.folder_);
}

void RunSession::fitted(const std::string& status) {
  progress_.folder().log(
      json_line({{"event", "fit"}, {"stopped", status}, {"seconds", progress_.watch_.seconds()}}));
}

void RunSession::written(bool interrupted, const std::string& verdict) {
  RunFolder& run = progress_.folder();
  // The checkpoint goes first: without it the rest is no run to resume.
  if (!interrupted) {
    std::filesystem::remove(run.path(checkpoint_file));
    for (const std::string& file : resumed_files_) std::filesystem::remove(run.path(file));
  }
  Json end{{"event", "end"}};
  if (!verdict.empty()) end["verdict"] = verdict;
  end["seconds"] = total_.seconds();
  end["peak_memory"] = peak_memory();
  run.log(json_line(end));
}

}  // namespace bochner
