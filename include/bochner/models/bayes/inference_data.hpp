#pragma once
#include <optional>
#include <string>

#include "bochner/models/bayes/pointwise.hpp"

namespace bochner {

/// Draws and what goes with them in a file of ArviZ's InferenceData schema. What is empty is left out.
struct InferenceData {
  const BayesFit& fit;
  BayesDraws draws{};
  std::optional<Pointwise> pointwise{};
  const BayesData* seen = nullptr;  // what the fit has seen
  double reff = 1;                  // relative_efficiency(fit, draws, draws of `pointwise`)
};

/// Mean number of effective draws of all quantities in the group posterior over `n_samples`: what ArviZ's `loo` takes for reff. Of
/// more quantities than fit into some megabytes, an evenly spread part.
double relative_efficiency(const BayesFit& fit, const BayesDraws& draws, Index n_samples,
                           const Compute& compute);

/// Draws, log likelihoods, predictive draws at the entries of `seen`, for write_inference_data.
InferenceData make_inference_data(const BayesFit& fit, BayesDraws draws, const BayesData& seen,
                                  const RowFactors& factors, const PointwiseOptions& options,
                                  const Compute& compute);

/// A NetCDF-4 file (HDF5), whole or not at all, that `arviz.from_netcdf` opens, with the groups
///
///     posterior             latent, noise or dispersion of each column, amplitude, concentration and n_components of the mixtures,
///                           path_length_scale and path_variance over time
///     sample_stats          log_density
///     log_likelihood        of each measured entry of each view (of each row of a multinomial view)
///     posterior_predictive  a measurement there for every draw
///     observed_data         what was measured there
///     constant_data         the tables with NaN where nothing was seen; exposures; times
///     spectrum              weights, means and covariances of the mixtures, NaN behind the last component of a draw
///     functions             frequencies W and weights B of f; the rotation of the latents
///
/// What has no meaning of its own in single draws (components, frequencies) is in groups of its own: summaries of posterior and
/// the relative efficiency of `loo` go over everything there.
void write_inference_data(const std::string& path, const InferenceData& data);

}  // namespace bochner
