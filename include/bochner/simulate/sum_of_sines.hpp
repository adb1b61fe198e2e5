#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// A series with nothing random in it: y(t) = sum_j amplitude_j sin(2 pi frequency_j t) at the N times
/// t = 0, step, 2 step, .. [achten2023, Sec. 5] prints frequencies 100 and 2000 and no sampling rate; the
/// defaults, sin(2 pi t) + 0.2 sin(40 pi t) for t below 5, are the authors' program, with the same ratio.
struct SumOfSinesOptions {
  Index N = 500;
  double step = 0.01;
  Vector frequency = Vector{{1, 20}};  // cycles per unit of t
  Vector amplitude = Vector{{1, 0.2}};
};

struct Series {
  Vector t;  // N
  Vector y;  // N
};

Series sum_of_sines(const SumOfSinesOptions& options = {});

}  // namespace bochner
