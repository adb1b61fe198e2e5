#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/models/gplvm/assess.hpp"
#include "bochner/models/gplvm/choose_dims.hpp"
#include "bochner/models/gplvm/device.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/run/run.hpp"
#include "bochner/tables/table.hpp"
#include "cli/frame/verdict.hpp"
#include "dimensions.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// A fit with its tables read and everything checked that can be checked beforehand.
struct FitJob {
  Dataset data;                      // all that was measured
  std::vector<BoolMatrix> held_out;  // one per view; what is hidden from the fit to judge it by
  Dataset seen;                      // the rest
  GplvmOptions options;
  bool auto_dims = false;     // options.dims is the most; choose_dimensions decides
  bool dims_stopped = false;  // it was asked to stop before it had decided
  std::string label_view{};   // empty: none
  std::uint64_t seed = 1;
  std::optional<TextTable> meta{};    // annotations, a row per sample of the data
  std::vector<std::string> notes{};   // what the user should know, one line each
  std::string ids{};                  // where the tables have their sample ids from
  std::string kept{};                 // what --most-variable kept
  RowFactors factors{};               // of --normalise: data and seen are divided by them ..
  std::optional<Dataset> measured{};  // .. and this is the data without that, if there are any
  std::vector<DimsTrial> tried{};     // by choose_dimensions
  DeviceChoice device{};              // where steps run

  const Dataset& tables() const { return measured ? *measured : data; }  // in their own units
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

/// Settles --device, with a note of what auto has chosen; an empty string is the processor. InputError where a card that is
/// asked for cannot be had, or has no steps for this fit.
void choose_device(FitJob& job, const std::string& device, Index threads);

struct FitResult {
  GplvmFit fit;
  double seconds = 0;  // of learning
  std::vector<ViewScores> scores{};
  std::vector<AbsentViewScores> absent{};
  Verdict verdict{};
  Dimensions dimensions{};
};

/// Settles `--dims auto`; nothing to do for a given number.
void choose_dimensions(FitJob& job, RunProgress& progress, const Compute& compute);

/// Learns, with checkpoints; what it is asked to stop keeps what it has learned.
GplvmFit learn(const FitJob& job, RunProgress& progress, const Compute& compute);

/// Calibrates the intervals; scores, warnings and the verdict.
FitResult judge_fit(const FitJob& job, GplvmFit fit, double seconds, const Threads& threads);

}  // namespace bochner::cli
