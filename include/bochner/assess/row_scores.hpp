#pragma once
#include <string>
#include <vector>

#include "bochner/assess/mean_se.hpp"
#include "bochner/assess/named_scores.hpp"
#include "bochner/assess/row_baselines.hpp"
#include "bochner/assess/verdict.hpp"

namespace bochner {

/// What the outcome of a row is.
enum class OutcomeKind {
  gaussian,    // a number with Gaussian noise
  heavy_tail,  // a number with other noise
  count,       //
  label        // the number of a class, from 0
};

/// What a model says about rows of a table, in the units of the table. Rows that are not `complete` lack an input and have no
/// prediction.
struct RowPredictions {
  std::vector<Index> complete;
  Matrix mean, variance;  // N x P, of the outcomes; empty for labels
  Matrix probabilities;   // N x K, of the classes; empty for numbers
  Matrix log_density;     // complete rows x P, log p(y | x); NaN where the truth is missing
  Matrix covered{};       // complete rows x P, the share of y in its 90 % interval; empty without intervals
};

/// How well one outcome is predicted.
struct OutcomeScores {
  MeanSe squared, nll, covered;  // numbers: squared errors, minus log densities, shares in 90 % intervals
  MeanSe right;                  // classes: shares of rows whose likeliest class is theirs

  double rmse() const;
  double rmse_se() const;  // by the slope of the square root
};

/// Adds the scores of the complete rows whose truth (N x P) is known. One of `scores` for each outcome.
void add_scores(const RowPredictions& p, MatrixIn truth, OutcomeKind kind,
                std::vector<OutcomeScores>& scores);

/// Everything that held-out rows tell about a model and its baselines.
struct RowScores {
  std::vector<OutcomeScores> model, mean, linear;  // `mean` is the most frequent class, for classes
  // For each row the loss of the model minus that of the other: squares in units of the variance of the outcome, or shares of
  // wrong classes.
  MeanSe against_mean, against_linear;
  MeanSe against_mean_nll{}, against_linear_nll{};  // of classes: minus log densities, too
  MeanSe loss, loss_mean, loss_linear;              // the same, of each
  Index rows = 0;

  /// `line`: predictions of ridge regression, N x P, or empty.
  void add_numbers(const RowPredictions& p, MatrixIn truth, OutcomeKind kind,
                   const OutcomeBaselines& baselines, const Matrix& line);
  /// `scores`: of the classes by logistic regression, N x K, or empty.
  void add_labels(const RowPredictions& p, MatrixIn truth, const Vector& class_shares, const Matrix& scores);
};

/// Scores of one outcome: rmse, accuracy, nll and coverage90 with their standard
/// errors (.._se), those that there are, under names that end in `suffix`.
NamedScores named_scores(const OutcomeScores& scores, const std::string& suffix = "");

/// entries, then the scores of the model, of the mean (_mean) or most frequent class (_frequent), and of ridge or
/// logistic regression (_linear).
NamedScores named_scores(const RowScores& scores, Index outcome, OutcomeKind kind);

/// The verdict: whether predictions are better than a constant, better than linear or logistic regression, and their intervals
/// honest.
/// `warnings` is what else is known against the fit.
Verdict row_verdict(const RowScores& scores, OutcomeKind kind, std::vector<Warning> warnings);

}  // namespace bochner
