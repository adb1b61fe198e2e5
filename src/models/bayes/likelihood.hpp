#pragma once
#include "table.hpp"

namespace bochner {

// Everywhere here F is without the offsets of a table, which the likelihood adds.

/// For some rows of a table, sum over measured columns of log p(y | f), up to what does not depend on f: adds to `out`.
/// F holds these rows alone. `scale`: noise variances or dispersions.
void add_log_likelihood(const BayesTable& table, VectorIn scale, const std::vector<Index>& rows, MatrixIn F,
                        VectorOut out);

/// begin .. begin + size - 1.
std::vector<Index> rows_from(Index begin, Index size);

/// The log probability of the whole table, with the terms that hold no f.
double log_probability(const BayesTable& table, VectorIn scale, MatrixIn F, const Compute& compute);

/// The sum of add_log_likelihood over all rows, and its gradient with respect to F (N x J), zero where nothing was measured.
double likelihood_gradient(const BayesTable& table, VectorIn scale, MatrixIn F, Matrix& gradient,
                           const Compute& compute);

/// log(1 + exp x), entry by entry.
Matrix softplus(MatrixIn X);

/// A table drawn from f: what `table` holds elsewhere (missing entries, trials, totals) stays.
BayesTable draw_table(BayesTable table, VectorIn scale, MatrixIn F, Rng& rng);

/// The log likelihood of rows of X under all views.
class LatentLikelihood {
 public:
  LatentLikelihood(const std::vector<BayesTable>& tables, const std::vector<BayesViewState>& views);
  Vector operator()(const std::vector<Index>& rows, MatrixIn X) const;

 private:
  const std::vector<BayesTable>& tables_;
  const std::vector<BayesViewState>& views_;
};

}  // namespace bochner
