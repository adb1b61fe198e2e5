#pragma once
#include <vector>

#include "bochner/assess/view_verdict.hpp"
#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Scores of a fit to hide(data, held_out), one per view, at its own latents. `rng` starts the low-rank fill.
std::vector<ViewScores> held_out_scores(const Dataset& data, const std::vector<BoolMatrix>& held_out,
                                        const GplvmFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute);

/// All that speaks against a fit to `observed` measured entries. `scores` may be empty: nothing was held out.
std::vector<Warning> fit_warnings(const GplvmFit& fit, const std::vector<ViewScores>& scores, Index observed);

/// Judges a fit to hide(data, held_out), with masks as held_out_masks(data, share, fit.seed) makes them; without masks
/// nothing was held out.
ViewAssessment assess(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                      const Compute& compute);

/// Judges a fit by samples that it has not seen: their latents are found from hide(data, held_out), and the hidden entries
/// are predicted there. Views of `data` are matched by name. How the fit ended is judged as if its tables had been complete.
ViewAssessment assess_new(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                          const Compute& compute);

}  // namespace bochner
