#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner::cli {

/// NumericalError that names sample and column if a prediction is infinite: the model holds numbers that it cannot have learned,
/// or the sample is out of all measure. NaN is an answer, "none".
void check_answers(const std::vector<std::string>& ids, const std::vector<std::string>& columns,
                   MatrixIn values);

/// Latents of samples that always have one must be numbers: NaN is no answer either.
void check_latents(const std::vector<std::string>& ids, MatrixIn mean, MatrixIn sd);

}  // namespace bochner::cli
