#pragma once
#include <cstdint>

namespace bochner {

/// Which normal numbers a draw of latents takes: those of the stream of that key from its beginning (random/rng.hpp), or their
/// negatives.
struct LatentDraw {
  std::uint64_t key = 0;
  double sign = 1;
};

/// A step of Adam [kingma2015, Alg. 1] on latents, as in infer/adam.hpp, with the gradient times `sign`. Means move by
/// sqrt(min(sd / first_sd, 1)) of a step, if there is a first_sd.
struct LatentMove {
  double sign = 1;
  double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  double rate = 0;     // step / (1 - beta1^t)
  double unbias2 = 1;  // 1 - beta2^t
  double first_sd = 0;
};

}  // namespace bochner
