#pragma once
#include <string>
#include <vector>

#include "bochner/assess/named_scores.hpp"
#include "bochner/assess/warning.hpp"
#include "bochner/data/predictive.hpp"
#include "bochner/data/scaling.hpp"

namespace bochner {

/// How well a view is predicted for samples that it was hidden from altogether. Standard errors take samples, not entries, as
/// independent.
struct AbsentViewScores {
  std::string view;
  Index samples = 0, entries = 0;          // with none every number is NaN
  double r2 = 0, r2_se = 0;                // 1 - squared errors / those of the column means, scaled columns
  double rmse = 0, rmse_mean = 0;          // of the model and of the column means, in the units of the table
  double log_density = 0;                  // mean log p(y) of the entries, nats
  double coverage90 = 0, coverage_se = 0;  // share of the entries in their 90 % intervals
};

/// `truth` (N x M) is NaN where nothing was hidden, `means` (M) are those of the columns that the model saw.
AbsentViewScores absent_view_scores(const std::string& view, const Matrix& truth, const Predictive& predicted,
                                    const Vector& means, const Scaling& scaling);

/// samples, entries, r2, r2_se, rmse, rmse_mean, log_density, coverage90, coverage90_se.
NamedScores named_scores(const AbsentViewScores& scores);

/// What they say against a model: worse than the means by more than chance, intervals that do not hold, or nothing to be
/// learned about a view from the others.
std::vector<Warning> absent_view_warnings(const std::vector<AbsentViewScores>& scores);

/// "a view that a sample lacks is predicted with R^2 0.31 +- 0.05 (rna) and 0.18 +- 0.07 (protein), 90.2 % of it within 90 % intervals";
/// empty if no view was hidden.
std::string absent_view_evidence(const std::vector<AbsentViewScores>& scores);

}  // namespace bochner
