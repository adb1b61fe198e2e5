#pragma once
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/data/dataset.hpp"

namespace bochner {

/// What one view was made from. All N x M, no missing values.
struct ViewTruth {
  Matrix F;                   // noiseless functions of the latents
  Matrix mean;                // E[y | f]: F, or the rates of counts
  Matrix Y;                   // the values before entries were removed: what imputation should find
  double noise_variance = 0;  // of Gaussian views, else 0
  Vector dispersion;          // M, r of negative-binomial views, else empty
};

/// Tables with the truth that they were made from. Row n of everything is the sample data.ids()[n].
struct Simulated {
  Dataset data;
  Matrix X;                      // N x Q latents
  Vector t;                      // N, time or position along the latent curve
  std::vector<ViewTruth> truth;  // one per view of the data, in order
};

}  // namespace bochner
