#include "finite_answers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

void check_answers(const std::vector<std::string>& ids, const std::vector<std::string>& columns,
                   MatrixIn values) {
  for (Index n = 0; n < values.rows(); ++n)
    for (Index m = 0; m < values.cols(); ++m)
      if (std::isinf(values(n, m)))
        throw NumericalError(fmt::format(
            "sample {}, column {}: the prediction is infinite; check the units of the sample, or refit the "
            "model",
            quote(ids[static_cast<std::size_t>(n)]), quote(columns[static_cast<std::size_t>(m)])));
}

void check_latents(const std::vector<std::string>& ids, MatrixIn mean, MatrixIn sd) {
  for (Index n = 0; n < mean.rows(); ++n)
    if (!mean.row(n).allFinite() || !sd.row(n).allFinite())
      throw NumericalError(fmt::format(
          "sample {}: its latent is not finite; check the units of the sample, or refit the model",
          quote(ids[static_cast<std::size_t>(n)])));
}

}  // namespace bochner::cli
