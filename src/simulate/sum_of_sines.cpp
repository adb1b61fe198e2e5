#include "bochner/simulate/sum_of_sines.hpp"

#include "bochner/core/checks.hpp"

namespace bochner {

Series sum_of_sines(const SumOfSinesOptions& options) {
  check_at_least("sum_of_sines", "N", options.N, 1);
  check_positive("sum_of_sines", "step", options.step);
  check_finite("sum_of_sines", "frequency", options.frequency);
  check_finite("sum_of_sines", "amplitude", options.amplitude);
  check_size("sum_of_sines", "the number of amplitudes", options.amplitude.size(),
             "the number of frequencies", options.frequency.size());
  Series out{Vector(options.N), Vector::Zero(options.N)};
  for (Index n = 0; n < options.N; ++n) out.t(n) = static_cast<double>(n) * options.step;
  for (Index j = 0; j < options.frequency.size(); ++j)
    out.y.array() += options.amplitude(j) * (2 * pi * options.frequency(j) * out.t.array()).sin();
  return out;
}

}  // namespace bochner
