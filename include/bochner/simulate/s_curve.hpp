#pragma once
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct SCurveOptions {
  Index N = 500;       // [li2024, Sec. 6.2], [zhang2023, Sec. 4]
  bool sorted = true;  // rows by their position t, as time series and plots want them
};

/// The S-shaped latent space of [li2024], [zhang2023] and [yang2025]: positions t ~ U(-3 pi / 2, 3 pi / 2) on
/// the curve, rows x = (sin t, sign(t) (cos t - 1)), each column divided by its standard deviation (with
/// divisor N), not centred. This is scikit-learn's make_s_curve without its middle coordinate.
struct SCurve {
  Matrix X;  // N x 2
  Vector t;  // N
};

SCurve s_curve(const Rng& rng, const SCurveOptions& options = {});

/// The same points for given positions, at least two different ones.
Matrix s_curve_points(VectorIn t);

}  // namespace bochner
