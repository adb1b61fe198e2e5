#pragma once
#include "harmonic_bound.hpp"

namespace bochner {

/// q(v) of all groups in natural parameters, the form in which natural gradients are plain additions
/// [hensman2013], [salimbeni2018].
struct NaturalPosterior {
  std::vector<Matrix> shift;                   // H, Lambda m, m x P
  std::vector<std::vector<Matrix>> precision;  // H lists, Lambda = S^-1, m x m; the lower triangle counts
};

NaturalPosterior natural_posterior(const HarmonicGp& gp, const Threads& threads);

/// natural <- (1 - step) natural + step target, and q(v) of gp with it. 0 < step <= 1.
void natural_step(NaturalPosterior& natural, const NaturalTarget& target, double step, HarmonicGp& gp,
                  const Threads& threads);

}  // namespace bochner
