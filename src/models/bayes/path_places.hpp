#pragma once
#include <vector>

#include "bochner/models/bayes/fit.hpp"

namespace bochner {

/// Where the paths of each stored draw put new samples: x = turn' (mean + sd o z), with z ~ N(0, I) before a sample is measured.
/// Between two rows of the fit that is the path given its states there; beyond them a Matern path goes back to the stationary law,
/// which is also that of samples whose time or group is not known. A random walk has none: it spreads after the last row, and law
/// N(0, variance) stands before the first and for samples without a time. Samples do not depend on each other: two at nearly the
/// same time are each placed by the rows of the fit alone.
struct PathPlaces {
  std::vector<Matrix> mean, sd;  // S, n x Q
};
PathPlaces path_places(const BayesFit& fit, const TimeAxis& axis, Index samples, const Rng& rng,
                       const Compute& compute);

}  // namespace bochner
