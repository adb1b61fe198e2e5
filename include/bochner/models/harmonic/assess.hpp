#pragma once
#include <vector>

#include "bochner/assess/row_scores.hpp"
#include "bochner/data/row_source.hpp"
#include "bochner/models/harmonic/fit.hpp"

namespace bochner {

/// The rows that have every input.
std::vector<Index> complete_inputs(MatrixIn X);

/// predict() of the rows that have every input; the others get NaN, and are not among the `draws`.
HarmonicPrediction predict_complete(const HarmonicFit& fit, MatrixIn X, const Compute& compute);

/// K columns of probabilities also where the likelihood has one, of the second of two classes.
Matrix class_probabilities(const HarmonicFit& fit, const HarmonicPrediction& p);

OutcomeKind outcome_kind(const HarmonicFit& fit);

/// Adds the scores of rows that have every input and whose truth is known; `p` is predict_complete(fit, X).
void add_scores(const HarmonicFit& fit, MatrixIn X, MatrixIn truth, const HarmonicPrediction& p,
                std::vector<OutcomeScores>& scores, const Compute& compute);

/// What predicts without a Gaussian process: the mean and ridge regression on the scaled inputs, or the shares of the classes and
/// logistic regression.
struct HarmonicBaselines {
  OutcomeBaselines outcomes{};
  Vector shares{};
};
HarmonicBaselines harmonic_baselines(const RowSource& learned_from, const HarmonicFit& fit);

/// Adds held-out rows; `p` is predict_complete(fit, X).
void add_rows(RowScores& scores, const HarmonicFit& fit, const HarmonicBaselines& baselines, MatrixIn X,
              MatrixIn truth, const HarmonicPrediction& p, const Compute& compute);

/// Whether the fit may be trusted, and whether it is worth it.
Verdict harmonic_verdict(const HarmonicFit& fit, const RowScores& scores);

struct HarmonicAssessment {
  RowScores scores;
  Verdict verdict;
};

/// Judges a fit by rows that it has not learned from (data/splits.hpp: held_out_rows).
HarmonicAssessment assess(const HarmonicFit& fit, const HarmonicBaselines& baselines, MatrixIn X, MatrixIn Y,
                          const Compute& compute);

}  // namespace bochner
