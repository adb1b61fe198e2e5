#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bochner/assess/named_scores.hpp"
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Root mean squared errors of the same entries, by what guessed them. NaN: not computed.
struct FillErrors {
  double model = 0;
  double column_mean = 0;
  double low_rank = 0;    // PCA with as many components as the model has dimensions (fill_low_rank)
  double neighbours = 0;  // the 5 nearest samples (fill_neighbours)
};

/// A value that was hidden from the fit, and its predictive distribution.
struct HeldOutEntry {
  Index row = 0, column = 0;
  double observed = 0, mean = 0, sd = 0;
  double pit =
      0;  // P(y < observed), which is uniform if the model is right; randomised for counts [czado2009]
};

/// How well one view was predicted where it was hidden from the fit.
struct ViewScores {
  std::string view;
  Index entries = 0;       // held out; with none every number is NaN
  FillErrors rmse;         // in the units of the table
  FillErrors scaled_rmse;  // each column divided by the scale that the model gave it: columns count alike
  double log_density = 0;  // mean log p(y) of the entries, nats
  double coverage90 = 0;   // share of the entries in their 90 % intervals
  // Share of the variance of the entries that the model explains, 1 - (model / column mean)^2 of the scaled errors: negative
  // where the means of the columns predict better. NaN for labels, which have no variance.
  double r2 = std::numeric_limits<double>::quiet_NaN();
  // By how much the sum of the squares of the scaled errors is below that of the column means, and the standard error of that
  // over samples; the same against the other fills in standard errors. NaN for labels, and where they were not computed.
  double gain = std::numeric_limits<double>::quiet_NaN(), gain_se = std::numeric_limits<double>::quiet_NaN();
  double over_low_rank = std::numeric_limits<double>::quiet_NaN(),
         over_neighbours = std::numeric_limits<double>::quiet_NaN();
  // Entries by themselves, row after row: all of them up to HeldOutOptions::most_entries, else that many, evenly spaced. None
  // for labels.
  std::vector<HeldOutEntry> predicted{};
};

/// rmse, rmse_mean, rmse_pca, rmse_knn, log_density, coverage90, r2.
NamedScores named_scores(const ViewScores& scores);

struct HeldOutOptions {
  Index neighbours = 5;
  double most_neighbour_work = 5e10;  // beyond N^2 M operations the neighbours are left out
  Index most_entries = 50'000;        // of a view that are kept by themselves
};

/// What a model says about one view, in the units of the table.
struct HeldOutPrediction {
  Matrix mean;                         // N x M
  double log_density = 0;              // mean over the held-out entries
  double coverage90 = 0;               // share of them in 90 % intervals of measurements
  std::optional<FillErrors> errors{};  // instead of root mean squares, where the mean means nothing
  Matrix sd{}, pit{};                  // N x M, of HeldOutEntry; empty where entries have no such numbers
};

/// What the scores need to know of a model.
struct HeldOutModel {
  Index dims = 1;
  std::vector<Scaling> scalings;  // one per view
  std::function<HeldOutPrediction(Index view, const Matrix& truth)>
      predict;  // truth: NaN where nothing was held out
};

/// The stream that starts the baselines of a fit with this seed.
Rng baselines_rng(std::uint64_t seed);

/// Scores of a model that has seen hide(data, held_out), one per view. `data` is whole and in its own units, with one mask
/// per view (data/held_out.hpp). The baselines see what the model saw, all views side by side, scaled by the scalings of the
/// model. `rng` starts the low-rank fill.
std::vector<ViewScores> held_out_scores(const Dataset& data, const std::vector<BoolMatrix>& held_out,
                                        const HeldOutModel& model, const HeldOutOptions& options,
                                        const Rng& rng, const Compute& compute);

}  // namespace bochner
