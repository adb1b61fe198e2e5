#pragma once

namespace bochner {

/// log Gamma(x) for x > 0. Unlike std::lgamma it writes to nothing that threads share.
double log_gamma(double x);

}  // namespace bochner
