#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/assess.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/tables/table.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/verdict.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// A fit with its tables read and everything checked that can be checked beforehand.
struct FitJob {
  Dataset data;                      // all that was measured
  std::vector<BoolMatrix> held_out;  // one per view; what is hidden from the fit to judge it by
  Dataset seen;                      // the rest
  GplvmOptions options;
  std::uint64_t seed = 1;
  std::optional<TextTable> meta{};   // annotations, a row per sample of the data
  std::vector<std::string> notes{};  // what the user should know, one sentence each
  std::string ids{};                 // where the tables have their sample ids from
};

/// InputError if a view holds nothing, or if there are too few samples for a latent space.
void check_enough(const Dataset& data);

/// InputError for the first value that is too large for sums of its square.
void check_magnitude(const Dataset& data);
inline constexpr double most_magnitude =
    1e150;  // scores are sums of squares: 1e8 of this still fit into a double

/// Reads the tables.
FitJob prepare_fit(const FitSettings& settings, std::uint64_t seed);

/// For tables that are in memory already; `settings.views` and `settings.meta` do not matter.
FitJob prepare_fit(Dataset data, const FitSettings& settings, std::uint64_t seed);

/// Where the state of a fit under way is kept.
struct Checkpoints {
  std::string path;                        // empty: nowhere
  std::string job;                         // what is fitted to which data, as a checksum
  double seconds = 60;                     // between two of them, at least; 0: after every step
  std::optional<GplvmCheckpoint> begin{};  // go on from here
};

/// A checksum of the job: of the configuration and every number it works on.
std::string fingerprint(const FitJob& job, const std::string& config);

struct FitResult {
  GplvmFit fit;
  double seconds = 0;  // of learning
  std::vector<ViewScores> scores{};
  Verdict verdict{};
};

/// Learns; an interrupt ends it after the step and leaves a checkpoint. Then judges.
FitResult run_fit(const FitJob& job, const Checkpoints& checkpoints, const Interrupt& interrupt,
                  const ProgressOptions& shown, const Threads& threads);

}  // namespace bochner::cli
