#pragma once
#include "bochner/models/gplvm/cross_view.hpp"

namespace bochner {

// The ratio rho of noise to signal variance of a column, on the grid cross_view_ratios().

inline constexpr Index cross_view_ratio_count = 29;
inline constexpr double cross_view_ratio_step = 0.25;  // log10
inline constexpr Index cross_view_fewest = 4;          // entries of a column that is regressed

/// A little more than rounding, so that a column without noise keeps a finite evidence.
inline constexpr double rounding_squares = 1e-12;

/// Whether |y|^2 of a centred column in scaled units is more than rounding: others have no ratio to find.
inline bool varies(double squares, Index n) { return squares > 1e-20 * double(n); }

/// Log evidence up to a constant of n entries with sum of squares q = y'(C + rho I)^-1 y and log |C + rho I| given. The mean
/// takes a degree of freedom, and the eigenvalue rho of its direction.
double column_evidence(double log_det, double q, double n);

/// Probabilities of the ratios of each column.
struct RatioPosterior {
  Matrix p;      // M x G, rows sum to one
  Vector prior;  // G
  double log_evidence = 0;
};

/// The prior over the grid that all columns share [efron2010], from their log evidence L (M x G): expectation maximisation
/// from `prior`, smoothed at each step over half a decade, since with few columns the maximum would be a few spikes.
RatioPosterior share_prior(const Matrix& L, Vector prior, int steps);

Vector flat_prior();
inline constexpr int prior_steps = 50;

}  // namespace bochner
