#include "bochner/data/labels.hpp"

#include <algorithm>

namespace bochner {

Labels encode_labels(const std::vector<std::string>& labels) {
  Labels out{.code = IndexVector(static_cast<Index>(labels.size())), .names = labels};
  std::sort(out.names.begin(), out.names.end());
  out.names.erase(std::unique(out.names.begin(), out.names.end()), out.names.end());
  for (std::size_t n = 0; n < labels.size(); ++n)
    out.code(static_cast<Index>(n)) =
        std::lower_bound(out.names.begin(), out.names.end(), labels[n]) - out.names.begin();
  return out;
}

}  // namespace bochner
