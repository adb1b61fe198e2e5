#pragma once
#include "bochner/models/bayes/bayes.hpp"
#include "sweep.hpp"

namespace bochner {

/// Throws std::invalid_argument or std::domain_error for options that do not fit the data.
void check_bayes_options(const BayesData& data, const BayesOptions& options);

/// The tables as the sampler sees them, Gaussian ones scaled, and everything else that stays.
BayesModel make_bayes_model(const BayesData& data, const BayesOptions& options);

/// Keeps exposures of the rows of the fit; none if there are none.
void set_exposure(BayesViewFit& view, const Vector& exposure);

/// The views of a fit before it has draws.
std::vector<BayesViewFit> empty_views(const BayesData& data, const BayesOptions& options);

}  // namespace bochner
