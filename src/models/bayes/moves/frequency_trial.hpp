#pragma once
#include <functional>

#include "bochner/compute/row_plan.hpp"
#include "src/models/bayes/table.hpp"

// What the updates of frequencies have in common: a frequency and another one in its place, and the normal laws of the two
// weights that every column has for it.
namespace bochner {

/// A frequency and what is proposed in its place, with what their features are at each row.
struct Trial {
  bool walk = false;     // a step of a random walk; else fresh from the prior
  Vector w;              // proposed, Q
  double log_ratio = 0;  // of prior and proposal densities
  Matrix pairs;          // N x 4: cos(X w) / sqrt L, sin(X w) / sqrt L, and both again of the other one
  Matrix products;       // N x 6: c^2, c s, s^2 of the first pair, and of the second
};

Trial make_trial(const BayesViewState& view, Index l, MatrixIn X, double step, Rng& rng,
                 const Compute& compute);

/// Sums over rows that the laws of the weights need: S = products' Omega and T = pairs' (what is left to explain).
struct PairSums {
  Matrix S, T;  // 6 x J and 4 x J

  PairSums& operator+=(const PairSums& other) {
    S += other.S;
    T += other.T;
    return *this;
  }
};

/// Blocks of rows that stay in the second cache while all is done with them: the table may be larger than any.
RowPlan row_blocks(const BayesTable& table);

/// Calls add(begin, size, sums of that lane) for all blocks of rows.
PairSums sum_rows(const Compute& compute, const BayesTable& table,
                  const std::function<void(Index, Index, PairSums&)>& add);

/// The normal law of the two weights of a frequency in each column: precision [cc, cs; cs, ss] and linear term t.
struct PairLaw {
  Eigen::ArrayXd cc, cs, ss, tc, ts;  // J

  Matrix mean() const;  // 2 x J
  /// Sum over columns of log integral exp(t b - b P b / 2) db, without powers of 2 pi.
  double log_integral() const;
  Matrix draw(Rng& rng) const;  // 2 x J
  /// Sum over columns of the log density of weights, 2 x J, without powers of 2 pi.
  double log_density(const Matrix& weights) const;
};

/// Of the first frequency of a trial, or of the second, with the prior N(0, amplitude).
PairLaw make_law(const PairSums& sums, Index which, double amplitude);

/// The weights of a frequency, 2 x J.
Matrix weights_of(const BayesViewState& view, Index l);
void keep_weights(BayesViewState& view, Index l, const Matrix& weights);

/// f changes by pairs * weights, N x 4 times 4 x J. Kept until the next time that all rows are visited.
struct Change {
  Matrix pairs, weights;
  bool empty() const { return weights.size() == 0; }
  Matrix at(Index begin, Index size) const { return pairs.middleRows(begin, size) * weights; }
};

/// From old weights to new ones, of the first frequency of a trial or, if it was accepted, of the second.
Change change_of(Matrix pairs, const Matrix& from, const Matrix& to, bool accepted);

void count(FrequencyMoves& moves, bool walk, bool accepted);

}  // namespace bochner
