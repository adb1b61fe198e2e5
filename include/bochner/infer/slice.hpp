#pragma once
#include <functional>
#include <limits>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct SliceOptions {
  double width = 1.0;                                       // first guess of the width of a slice
  Index max_expansions = 50;                                // the bracket grows to at most this many widths
  Index max_shrinks = 200;                                  // then stay
  double lower = -std::numeric_limits<double>::infinity();  // support of the density
  double upper = std::numeric_limits<double>::infinity();
};

struct SliceMove {
  double x = 0;
  double log_density = 0;  // at x
  Index expansions = 0;
  Index shrinks = 0;
  bool moved = false;  // false only if max_shrinks ran out
};

/// One transition that leaves exp(log_density(x)) on [lower, upper] invariant: stepping out and shrinkage
/// [neal2003, Fig. 3 and 5]. Not finite (above all -inf), or a NumericalError, means zero density.
/// `log_density_x` is the value at x; NumericalError if it is not finite.
SliceMove slice_sample(const std::function<double(double)>& log_density, double x, double log_density_x,
                       Rng& rng, const SliceOptions& options = {});

}  // namespace bochner
