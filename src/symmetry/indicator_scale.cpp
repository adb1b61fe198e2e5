#include "indicator_scale.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {

void scale_indicators(const InputEncoding& encoding, InputMap& inputs) {
  const std::vector<std::string> names = inputs.names();
  const auto place = [&](Index encoded) {  // circles and spheres have moved the plain columns
    const auto found =
        std::find(names.begin(), names.end(), inputs.columns[static_cast<std::size_t>(encoded)]);
    return found == names.end() ? Index{-1} : static_cast<Index>(found - names.begin());
  };
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    const InputColumn& column = encoding.columns[c];
    const Index first = encoding.first(c), last = first + column.width();
    if (column.kind != InputKind::category) {
      const Index at = column.missing ? place(last - 1) : -1;
      if (at >= 0) inputs.scale(at) = 0.5;
      continue;
    }
    double alike = 0;
    for (Index j = first; j < last; ++j)
      if (const Index at = place(j); at >= 0) alike += inputs.centre(at) * inputs.centre(at);
    for (Index j = first; j < last; ++j)
      if (const Index at = place(j); at >= 0)
        inputs.scale(at) = std::max(0.5, std::sqrt(std::max(0.0, 1 - alike)));
  }
}

}  // namespace bochner
