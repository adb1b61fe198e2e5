#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// A fit to hide(data, held_out), once it has been judged: samples of which a whole view, or a tenth or more of their measured
/// entries, was hidden get the latents of all their entries, given the functions of the fit (embed). What was hidden to judge the
/// fit is no reason to know less about a sample. Others stay where they are: they lost next to nothing.
GplvmFit with_held_out(GplvmFit fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                       const Compute& compute);

}  // namespace bochner
