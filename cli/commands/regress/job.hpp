#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bochner/run/run.hpp"
#include "cli/inputs/paired_rows.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// A regression or classification with its tables read, or opened, and everything checked that can be checked beforehand.
struct RegressJob {
  PairedRows data;
  HarmonicNames names;
  HarmonicFitOptions options;
  std::vector<Index> test;  // rows held out for evaluation, ascending
  Index groups = 1;         // of harmonics, at most
  std::uint64_t seed = 1;
  std::vector<std::string> notes{};  // what the user should know, one line each
  std::string columns{};             // what was taken for what

  bool classes() const { return !names.classes.empty(); }
  Index latents() const;
};

RegressJob prepare_regress(const RegressSettings& settings, bool classes, std::uint64_t seed);

/// The rows to learn from: all that are not held out. Reading complains of inputs with missing values and of outcomes that cannot be,
/// by sample and column.
RowSource learning_rows(const RegressJob& job);

/// Held-out rows, in blocks: f(ids, X, Y).
void for_each_test_block(
    const RegressJob& job,
    const std::function<void(const std::vector<std::string>& ids, const Matrix& X, const Matrix& Y)>& f);

/// Everything that the fit works on; some of the rows, where tables are read in blocks.
void identify(const RegressJob& job, Fingerprint& sum);

/// Learns, with checkpoints; what it is asked to stop keeps what it has learned.
HarmonicFit learn(const RegressJob& job, RunProgress& progress, const Threads& threads);

}  // namespace bochner::cli
