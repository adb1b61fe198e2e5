#pragma once
#include "bochner/compute/compute.hpp"
#include "state.hpp"

namespace bochner {

/// One view as the sampler sees it.
struct BayesTable {
  BayesLikelihood likelihood = BayesLikelihood::gaussian;
  Matrix Y;     // N x J, zero where nothing was measured; labels as counts of one
  Matrix seen;  // N x J, 1 where something was
  bool complete = true;
  Matrix trials{};              // N x J of binomial tables, zero where not seen
  std::vector<Index> groups{};  // first column of each softmax, and J at the end
  Matrix totals{};              // N x softmaxes
  Matrix covariates{};          // N x C, of which coefficients are N(0, 1); empty without
  Vector offset{};              // N logarithms of exposures of counts, added to f; empty: none
  Vector intercept;             // J, centre of the prior of b
  Vector measured;              // J, entries of each column

  Index rows() const { return Y.rows(); }
  Index cols() const { return Y.cols(); }
};

/// Y: N x J, NaN = not measured; of a categorical view whole numbers 0 .. classes - 1, N x columns. `trials` of a binomial
/// view: N x J, or 1 x 1 for all. `exposure` (N) of a Poisson or negative binomial view: means are proportional to it. Throws
/// std::domain_error for numbers that the likelihood does not have.
BayesTable make_bayes_table(BayesLikelihood likelihood, MatrixIn Y, MatrixIn trials = Matrix(),
                            const std::vector<Index>& classes = {}, const Vector& exposure = Vector());

/// Rows begin .. of f with their offsets: what the likelihood is of.
Matrix with_offset(const BayesTable& table, Index begin, MatrixIn F);

/// For each row the first row of which all tables say the same; itself, if there is no other. To a model without time such
/// rows are one and the same: they have one posterior.
std::vector<Index> first_alike(const std::vector<BayesTable>& tables);

/// [cos(X W') / sqrt L, sin(X W') / sqrt L, 1], N x (2L + 1).
Matrix bayes_features(MatrixIn W, MatrixIn X, const Compute& compute);

/// [cos(X W') / sqrt L, sin(X W') / sqrt L, covariates, 1], N x (2L + C + 1): what weights B of a state go with. `covariates`: of
/// the rows of X, or empty.
Matrix bayes_features(MatrixIn W, MatrixIn X, MatrixIn covariates, const Compute& compute);

/// b + c' gamma + phi(x)' beta of one view, N x J.
Matrix functions_of(const BayesTable& table, const BayesViewState& view, MatrixIn X, const Compute& compute);

}  // namespace bochner
