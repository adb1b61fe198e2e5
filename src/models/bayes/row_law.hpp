#pragma once
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Begin of each softmax over the functions of a view, and their number at the end.
std::vector<Index> softmaxes(const BayesViewFit& view);

/// The entries of one row given f, in scaled units: mean, variance, and the number of trials of binomial entries or the
/// shape of overdispersed counts.
struct RowLaw {
  Vector mean, variance, size;  // J
};

/// What is known of one row; empty where nothing is.
struct RowKnown {
  Vector y{}, trials{};
  double exposure = 0;  // 0: not known
};
RowKnown known_row(const BayesKnown& rows, Index n, Index functions);

/// f of a row with features phi (2L + 1) and covariates (empty: none) in one draw, J.
Vector functions_at(const BayesFunctions& draw, VectorIn phi, VectorIn covariates);

/// The law of a row given f (J) and one draw of the functions.
RowLaw law_of(const BayesViewFit& view, const BayesFunctions& draw, const Vector& f, const RowKnown& known);

/// Success probability of a binomial entry; odds of an overdispersed count.
double share_of(const RowLaw& law, Index j);

/// log p(y) of entry j, in scaled units; of a label, j is the function of its class.
double log_entry(const BayesViewFit& view, const RowLaw& law, Index j, double y);

/// One measurement of entry j, independent of the others given f.
double draw_entry(const BayesViewFit& view, const RowLaw& law, Index j, Rng& rng);

}  // namespace bochner
