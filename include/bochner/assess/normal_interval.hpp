#pragma once

namespace bochner {

/// z with P(|N(0, 1)| <= z) = level: a central interval of probability `level` reaches from mean - z sd to mean + z sd.
/// 0 <= level < 1.
double normal_quantile_of_interval(double level);

}  // namespace bochner
