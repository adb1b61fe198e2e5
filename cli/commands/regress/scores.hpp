#pragma once
#include <string>
#include <vector>

#include "bochner/data/row_source.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "cli/frame/json_file.hpp"
#include "cli/frame/verdict.hpp"

namespace bochner::cli {

/// A running mean with its standard error [welford1962].
class MeanSe {
 public:
  void add(double value);
  double count() const { return count_; }
  double mean() const;
  double se() const;  // NaN for fewer than two

 private:
  double count_ = 0, sum_ = 0, mean_ = 0,
         squares_ = 0;  // sums of zeros and ones are exact, running means are not
};

/// How well one outcome is predicted.
struct OutcomeScores {
  MeanSe squared, nll, covered;  // numbers: squared errors; shares in 90 % intervals
  MeanSe right;                  // classes: shares of the likeliest one

  double rmse() const;
  double rmse_se() const;  // by the slope of the square root
  /// rmse, nll, coverage90 or accuracy with their standard errors, those that there are, under names that end in `suffix`.
  void put(Json& json, const std::string& suffix = "") const;
};

/// Adds the scores of rows that have every input and whose truth is known. One of `scores` for each outcome.
void add_scores(const HarmonicFit& fit, MatrixIn X, MatrixIn truth, const HarmonicPrediction& p,
                std::vector<OutcomeScores>& scores, const Threads& threads);

/// What predicts without a Gaussian process: the mean of each outcome, ridge regression on the scaled inputs, or the share of
/// each class.
class Baselines {
 public:
  /// One sweep over the rows to learn from.
  Baselines(const RowSource& rows, const HarmonicFit& fit);

  bool linear() const { return weights_.size() > 0; }
  const Vector& mean() const { return mean_; }          // of each outcome
  const Vector& variance() const { return variance_; }  // of each outcome
  Matrix linear(MatrixIn X) const;
  const Vector& residual_variance() const { return residual_; }
  const Vector& shares() const { return shares_; }  // of the classes, each counted once more than it was seen

 private:
  const HarmonicFit& fit_;
  Vector mean_, variance_, residual_, intercept_, shares_;
  Matrix weights_;  // D x outcomes
};

/// Everything that held-out rows tell.
struct HeldOut {
  std::vector<OutcomeScores> model, mean, linear;  // `mean` is the most frequent class, for classes
  MeanSe against_mean,
      against_linear;  // for each row, loss of the model minus that of the other: squares in units of the
                       // variance of the outcome, or shares of wrong classes
  MeanSe loss, loss_mean, loss_linear;  // the same, of each
  Index rows = 0;

  void add(const HarmonicFit& fit, const Baselines& baselines, MatrixIn X, MatrixIn truth,
           const HarmonicPrediction& p, const Threads& threads);
  Json json(const HarmonicFit& fit) const;
};

/// Whether the fit may be trusted, and whether it is worth it.
Verdict judge(const HarmonicFit& fit, const HeldOut& scores);

/// The scores as lines of a table.
std::string scores_text(const HarmonicFit& fit, const HeldOut& scores);

}  // namespace bochner::cli
