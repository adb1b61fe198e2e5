#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/data.hpp"

namespace bochner::cli {

/// Times of samples from their cells: numbers, or ISO dates in all of them. InputError with the first sample that has neither.
TimeAxis time_axis(const std::vector<std::string>& cells, const std::vector<std::string>& ids);

/// Times of new samples on the axis of a fit, NaN where a cell is empty. InputError for a date where the fit has numbers, or the
/// other way round.
Vector new_times(const TimeAxis& fit, const std::vector<std::string>& cells,
                 const std::vector<std::string>& ids);

}  // namespace bochner::cli
