#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/run/json_file.hpp"

namespace bochner::detail {

/// [rfc4648], with padding.
std::string base64(std::string_view bytes);

/// A number with six digits, which is more than a chart shows and half the bytes; null for NaN and infinity.
Json compact(double value);
Json compact(VectorIn values);

/// {"type": "f32", "data": base64 of little-endian floats}, column after column. NaN stays NaN.
Json as_floats(MatrixIn values);

/// {"type": "u16", "low", "high", "data"}: steps of 1/65534 between the least and the greatest value, 65535 for NaN.
Json as_steps(VectorIn values);

/// The same in 255 steps for all values together: of pictures.
Json as_bytes(MatrixIn values);

/// {"type": "u16", "data"}: numbers of classes, 65535 for none.
Json as_codes(const std::vector<int>& codes);

}  // namespace bochner::detail
