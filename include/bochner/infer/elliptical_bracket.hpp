#pragma once
#include <cmath>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// The angles at which an ellipse may still be above the slice [murray2010, Fig. 2]: a full turn that shrinks towards 0,
/// where the current state is. It holds the level of the slice and the angle to try next.
class EllipticalBracket {
 public:
  /// A slice under the log density `now` of the current state.
  EllipticalBracket(double now, Rng& rng)
      : level_(now + std::log(rng.uniform())),
        angle_(2 * pi * rng.uniform()),
        low_(angle_ - 2 * pi),
        high_(angle_) {}

  double level() const { return level_; }
  double angle() const { return angle_; }
  /// Whether a state of this log density is above the slice; one of NaN never is.
  bool accepts(double log_density) const { return log_density > level_; }
  /// Cuts off what lies beyond the angle and draws the next one from the rest.
  void shrink(Rng& rng) {
    (angle_ < 0 ? low_ : high_) = angle_;
    angle_ = low_ + (high_ - low_) * rng.uniform();
  }

 private:
  double level_, angle_, low_, high_;  // drawn in this order; low_ <= 0 <= high_
};

}  // namespace bochner
