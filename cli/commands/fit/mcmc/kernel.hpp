#pragma once
#include "bochner/models/bayes/fit.hpp"
#include "bochner/run/json_file.hpp"

namespace bochner::cli {

/// kernel.json: for each view the posterior of its amplitude, its mixture of frequencies, and bands of the spectral density and
/// of the kernel along each dimension.
Json kernel_json(const BayesFit& fit);

}  // namespace bochner::cli
