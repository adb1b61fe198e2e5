#pragma once
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/run/fingerprint.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/run/live_file.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/run/run_step.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// What is asked of a run, whatever it fits.
struct RunOptions {
  std::string folder;              // where its files go
  std::string command;             // "fit": the kind of run that the folder holds
  std::string config;              // of config.toml: what repeats the run
  bool resume = false;             // continue the interrupted run in the folder
  bool dry_run = false;            // tell the plan, write nothing
  double checkpoint_seconds = 60;  // between two checkpoints, at least; 0: after every step
  double live_seconds = 2;         // between two versions of live.json, at least; 0: every step
  Threads threads{};
  std::string line{};                 // the command line as it was given, for the log
  std::vector<std::string> inputs{};  // files that the run reads, for the log: their sizes and SHA-256
  Communicator comm =
      Communicator::alone();  // the processes that share it; the first one writes, the others none
};

/// Whoever started the run: a terminal, or a test. The library itself prints nothing.
struct RunListener {
  std::function<void(const std::string&)> print{};  // results
  std::function<void(const std::string&)> note{};   // what the user should know, one line each
  std::function<void()> begin{};                    // the work begins: from here on it can be stopped
  std::function<bool()> stop_asked{};               // after this step; what was learned is kept
  std::function<void(const RunStep&, RunFolder*)> on_step{};  // the folder, once there is one
};

enum class RunEnd { finished, interrupted, planned, was_complete };

struct RunOutcome {
  RunEnd end;
  std::string verdict{};  // "good", "doubtful" ..; empty where there is none
};

/// The memory that a fit takes at its largest, and what to do where there is less.
struct MemoryNeed {
  double bytes = 0;
  std::string remedy;
};

/// What a fit under way tells its run. The run folder appears when the model has accepted the data, so that a fit which is
/// refused leaves an earlier run in the folder as it was.
class RunProgress {
 public:
  /// The checkpoint to resume from, if there is one.
  const ModelGroup* resume() const { return resume_ ? &*resume_ : nullptr; }

  /// The processes that share the run. What depends on a clock, a signal or a file is decided for all of them here.
  const Communicator& comm() const { return options_.comm; }

  /// After a step of work that can be resumed: keeps a checkpoint now and then, always if asked to stop or if `keep` says
  /// so. False: stop, what was learned is kept.
  bool step(const RunStep& step, const std::function<ModelGroup()>& checkpoint, bool keep = false);

  /// After a step of work that cannot be resumed. False: stop. Step 0 starts the clock of the bar, no more.
  bool step(const RunStep& step);

  /// The model has accepted the data. False: stop.
  bool accepted();

  /// Whether any process has been asked to stop; once it was, it stays so.
  bool stop_asked() const;

  /// Made if it is not there yet. The first process alone has one.
  RunFolder& folder();

 private:
  friend class RunSession;
  RunProgress(const RunOptions& options, const RunListener& listener)
      : options_(options), listener_(listener), live_(options.live_seconds) {}

  const RunOptions& options_;
  const RunListener& listener_;
  std::optional<ModelGroup> resume_;
  std::string fingerprint_;
  void announce();
  void ready();  // the folder is there, where this process has one
  void agree_on(const RunStep& step);

  std::string summary_;  // printed when the model has accepted the data
  std::function<void()> open_;
  std::optional<RunFolder> folder_;
  LiveFile live_;
  Stopwatch watch_;
  mutable bool stopped_ = false;
  double saved_at_ = 0;
};

/// A fit with its tables read and everything checked that can be checked beforehand: what a command has of its own. The
/// order in which run() calls these is the order here.
template <class T>
concept RunTask = requires(T task, const T known, RunProgress& progress, RunFolder& folder, Fingerprint& sum,
                           const ModelGroup& checkpoint, const Threads& threads) {
  { known.notes() } -> std::convertible_to<std::vector<std::string>>;
  { known.plan(threads) } -> std::convertible_to<std::string>;  // of a dry run
  { known.memory() } -> std::same_as<MemoryNeed>;
  {known.identify(sum)};                                               // everything it works on
  { known.files() } -> std::convertible_to<std::vector<std::string>>;  // a run of the command may leave these
  {
    known.resumed_files()
    } -> std::convertible_to<std::vector<std::string>>;     // .. and continues with these of them
  { known.summary() } -> std::convertible_to<std::string>;  // what was read
  { known.facts() } -> std::convertible_to<Json>;           // the same for the log
  { known.resumed_from(checkpoint) } -> std::convertible_to<std::string>;  // "step 40"
  {task.fit(progress, threads)};  // learns; what follows is for the first process alone
  { known.status() } -> std::convertible_to<std::string>;  // "converged", "interrupted"
  { known.fit_notes() } -> std::convertible_to<std::vector<std::string>>;
  { known.fitted() } -> std::convertible_to<std::string>;        // what was learned, in a line or two
  {task.write(folder, threads)};                                 // assesses, and writes the results
  { known.interrupted() } -> std::convertible_to<bool>;          // keep the checkpoint
  { known.verdict() } -> std::convertible_to<std::string>;       // "good", for the log; may be empty
  { known.report(folder) } -> std::convertible_to<std::string>;  // scores, verdict, what next
};

/// What a task need not say if it has nothing to resume and no verdict: a base for it.
struct TaskDefaults {
  std::vector<std::string> notes() const { return {}; }
  MemoryNeed memory() const { return {}; }
  void identify(Fingerprint&) const {}
  std::vector<std::string> resumed_files() const { return {}; }
  std::string resumed_from(const ModelGroup&) const { return ""; }
  std::vector<std::string> fit_notes() const { return {}; }
  bool interrupted() const { return false; }
  std::string verdict() const { return ""; }
};

/// The parts of a run that do not depend on what is fitted.
class RunSession {
 public:
  /// WriteError if the folder belongs to somebody else; on resume takes its lock.
  RunSession(const RunOptions& options, const RunListener& listener);

  /// The run to resume has ended by itself.
  bool is_complete() const { return complete_; }

  void note(const std::vector<std::string>& notes) const;
  void print(const std::string& text) const;

  /// InputError if there is not so much memory.
  void check_memory(const MemoryNeed& need) const;

  /// Finds the checkpoint to resume from.
  void begin(std::string fingerprint, std::vector<std::string> files, std::vector<std::string> resumed_files,
             const Json& facts);
  /// Printed when the model has accepted the data.
  void announce(std::string summary) { progress_.summary_ = std::move(summary); }

  RunProgress& progress() { return progress_; }
  void fitted(const std::string& status);
  void written(bool interrupted, const std::string& verdict);

 private:
  bool writes() const { return options_.comm.is_first(); }
  void open(const std::vector<std::string>& files, const Json& facts);

  const RunOptions& options_;
  const RunListener& listener_;
  std::unique_ptr<FolderLock> lock_;
  bool complete_ = false;
  std::vector<std::string> resumed_files_;
  void find_checkpoint_of_all();
  RunProgress progress_;
  Stopwatch total_;
};

/// One fit from its tables to its run folder, the same way for every family of models: refuse a folder of somebody else,
/// read the tables (`prepare` returns the task), plan, check the memory, resume, fit with checkpoints, assess, write. Of
/// several processes all come this way with the same options, and the first one writes.
template <class Prepare>
requires RunTask<std::invoke_result_t<Prepare>> RunOutcome run(const RunOptions& options,
                                                               const RunListener& listener,
                                                               const Prepare& prepare) {
  RunSession session(options, listener);
  if (session.is_complete()) return {RunEnd::was_complete};
  auto task = prepare();
  session.note(task.notes());
  if (options.dry_run) {
    session.print(task.plan(options.threads));
    return {RunEnd::planned};
  }
  session.check_memory(task.memory());
  Fingerprint sum;
  sum.add(options.config);
  task.identify(sum);
  session.begin(sum.hex(), task.files(), task.resumed_files(), task.facts());
  RunProgress& progress = session.progress();
  session.announce(
      task.summary() +
      (!options.resume
           ? ""
           : "resume from " +
                 (progress.resume() ? task.resumed_from(*progress.resume())
                                    : "the beginning: the run was ended before its first checkpoint") +
                 "\n"));
  task.fit(progress, options.threads);
  const auto end = [&] { return progress.stop_asked() ? RunEnd::interrupted : RunEnd::finished; };
  if (!options.comm.is_first()) return {end()};
  session.fitted(task.status());
  session.note(task.fit_notes());
  session.print(task.fitted());
  task.write(progress.folder(), options.threads);
  session.written(task.interrupted(), task.verdict());
  session.print(task.report(progress.folder()));
  return {end(), task.verdict()};
}

}  // namespace bochner
