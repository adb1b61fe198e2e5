#pragma once
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// log c_j and its slope in log z for j = 0 .. n, c_j = exp(-z) I_j(z): the Fourier coefficients of exp(-z + z cos t).
///
/// The ratios r_j = I_{j+1} / I_j run downwards, r_{j-1} = 1 / (r_j + 2 j / z), from an index so high that the
/// start is forgotten, and sum_j c_j = 1 over all integers gives c_0: positive terms only, no cancellation, and no
/// overflow for any z [abramowitz1964, 9.6.26; amos1974 for the start].
struct HarmonicLogs {
  Vector log_c;  // n + 1
  Vector slope;  // n + 1, dlog c_j / dlog z = z (r_j - 1) + j
};
HarmonicLogs harmonic_logs(double z, Index n);

/// A harmonic number j from the fixed two-sided law P(|j| >= n) = (4 / (4 + n))^3, and log q_j.
double draw_harmonic(Rng& rng);
double log_harmonic_law(double j);

}  // namespace bochner
