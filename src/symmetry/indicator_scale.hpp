#pragma once
#include "bochner/data/input_encoding.hpp"
#include "bochner/symmetry/input_map.hpp"

namespace bochner {

/// Scales of encoded columns (data/input_encoding.hpp) after standardising. Columns of levels p_1 .. p_K share one scale,
/// sqrt(1 - sum_k p_k^2), with which a category spreads rows as a standardised number does: two random rows are 2 apart in squares on
/// the average, and a rare level is not further from the others than a frequent one. Indicators of missing values have the
/// scale of two equally frequent levels, 1/2, so that a row with a missing value stays near the others. `inputs` holds the means as
/// centres.
void scale_indicators(const InputEncoding& encoding, InputMap& inputs);

}  // namespace bochner
