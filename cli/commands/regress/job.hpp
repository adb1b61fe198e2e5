#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/interrupt.hpp"
#include "cli/frame/progress.hpp"
#include "cli/inputs/paired_rows.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// A regression or classification with its tables read, or opened, and everything checked that can be checked beforehand.
struct RegressJob {
  PairedRows data;
  HarmonicNames names;
  HarmonicFitOptions options;
  std::vector<Index> test;  // rows held out to judge by, ascending
  Index groups = 1;         // of harmonics, at most
  std::uint64_t seed = 1;
  std::vector<std::string> notes{};
  std::string columns{};  // what was taken for what  // what the user should know, one sentence each

  bool classes() const { return !names.classes.empty(); }
  Index latents() const;
};

RegressJob prepare_regress(const RegressSettings& settings, bool classes, std::uint64_t seed);

/// The rows to learn from: all that are not held out. Reading complains of inputs with holes and of outcomes that cannot be,
/// by sample and column.
RowSource learning_rows(const RegressJob& job);

/// Held-out rows, in blocks: f(ids, X, Y).
void for_each_test_block(
    const RegressJob& job,
    const std::function<void(const std::vector<std::string>& ids, const Matrix& X, const Matrix& Y)>& f);

/// A checksum of the configuration and the tables; of some of their rows, where they are read in pieces.
std::string fingerprint(const RegressJob& job, const std::string& config);

/// Where the state of a fit under way is kept.
struct RegressCheckpoints {
  std::string path, job;
  double seconds = 60;                        // between two of them, at least; 0: after every step
  std::optional<HarmonicCheckpoint> begin{};  // go on from here
};

struct LearnedRegress {
  HarmonicFit fit;
  double seconds = 0;
};

/// Learns, with a bar on the terminal if `shown`; an interrupt ends it after the step and leaves a checkpoint. `on_first_step`
/// comes before the first checkpoint, when the model has refused nothing.
LearnedRegress learn(const RegressJob& job, const RegressCheckpoints& checkpoints,
                     const std::function<void()>& on_first_step, const Interrupt& interrupt,
                     const ProgressOptions& shown, const Threads& threads);

}  // namespace bochner::cli
