#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/gplvm/held_out_scores.hpp"

namespace bochner {

/// What is wrong with a latent space on its face. Dimensions count from 0.
struct LatentFaults {
  std::vector<Index> collapsed;                     // the same for every sample, or left at the prior
  std::vector<std::pair<Index, Index>> duplicated;  // two that say the same
  bool homogeneous = false;                         // all dimensions collapsed: samples cannot be told apart
};

/// Collapsed: the sd over samples of the latent mean is below 0.05 (the prior has 1), or every q(x) has an sd above 0.9.
/// Duplicated: |correlation| of the means above 0.98.
LatentFaults latent_faults(const LatentPosterior& latent);

/// A reason to doubt a fit, or just to look twice.
struct FitWarning {
  enum class Kind {
    stopped,        // by the user
    not_settled,    // the bound was still rising at the last step
    not_finite,     // the optimiser ended at numbers that are none
    homogeneous,    // all dimensions collapsed
    collapsed,      // some did
    duplicated,     // dimensions that say the same
    no_better,      // than the mean of the column, on held-out entries
    linear_better,  // PCA with as many components is
    neighbours_better,
    coverage,       // 90 % intervals do not hold 90 %
    few_samples,    // fewer than ten for each dimension
    jitter,         // a factorisation needed help
    not_mixed,      // chains do not agree, or have moved too little
    wild_forecast,  // far beyond anything observed
    poor_forecast   // no better than the simplest
  };
  Kind kind;
  bool grave = false;    // do not trust the fit; otherwise worth knowing
  std::string sentence;  // "its 90 % intervals hold 71.2 % of view 'rna'": goes on from "it"
};

/// What held-out scores say against a model.
std::vector<FitWarning> score_warnings(const std::vector<ViewScores>& scores);

/// All that speaks against a fit to `observed` measured entries. `scores` may be empty: nothing was held out.
std::vector<FitWarning> fit_warnings(const GplvmFit& fit, const std::vector<ViewScores>& scores,
                                     Index observed);

}  // namespace bochner
