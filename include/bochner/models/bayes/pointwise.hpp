#pragma once
#include <string>
#include <vector>

#include "bochner/assess/loo.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/models/bayes/draws.hpp"

namespace bochner {

/// What the draws say about the measured entries of one view, in the units of the table.
struct PointwiseView {
  std::string view;
  Index measured = 0;              // entries that the fit has seen ..
  Index measured_rows = 0;         // .. and rows with at least one
  std::vector<Index> row, column;  // E of these, row by row
  Vector observed;                 // E, labels as numbers of their class
  std::vector<Index> rows;         // of a multinomial view: those with entries here, R; else empty
  Matrix log_likelihood;  // S x E; S x R of a multinomial view, whose counts are one measurement of a row
  Matrix predictive;      // S x E measurements with the noise of the likelihood

  bool by_row() const { return !rows.empty(); }
};

/// Of every view. Draws are chain after chain.
struct Pointwise {
  Index chains = 0;
  std::vector<Index> draws{};  // kept of each chain, as places among those given
  std::vector<PointwiseView> views{};

  bool complete() const;  // no entry is left out
};

/// Large tables: memory for log likelihoods and predictive draws is bounded. Draws are thinned first, then entries are left
/// out at random.
struct PointwiseOptions {
  Index most = 10'000'000;   // numbers of either kind, over all views
  Index fewest_draws = 400;  // of all chains together that are worth more than entries
};

/// `seen`: what the fit has seen, rows divided by `factors` (RowFactors of the fit; may be empty).
Pointwise pointwise(const BayesDraws& draws, const BayesFit& fit, const BayesData& seen,
                    const RowFactors& factors, const PointwiseOptions& options, const Rng& rng,
                    const Compute& compute);

/// Bytes that they need for the draws of a fit to `seen`, roughly.
double pointwise_memory(const Dataset& seen, const BayesOptions& fit, const PointwiseOptions& options = {});

/// Estimates of predictive accuracy of one view.
struct ViewCriteria {
  std::string view;
  Index measured = 0;  // entries of the view, rows of a multinomial one; `loo` may be about fewer
  Loo loo;
  Waic waic;
};
std::vector<ViewCriteria> criteria(const Pointwise& pointwise, double reff, const Compute& compute);

}  // namespace bochner
