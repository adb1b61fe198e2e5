#include "bochner/random/philox.hpp"

#include <Random123/philox.h>

namespace bochner {

PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key) {
  const auto out = r123::Philox4x32()({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

void philox_blocks(const PhiloxCounter& start, const PhiloxKey& key, Index count, std::uint64_t* first,
                   std::uint64_t* second) {
  const std::uint64_t low = start[0] | std::uint64_t(start[1]) << 32;
  for (Index i = 0; i < count; ++i) {  // no dependence between iterations: the compiler vectorises it
    const std::uint64_t position = low + static_cast<std::uint64_t>(i);
    const auto out = r123::Philox4x32()({{static_cast<std::uint32_t>(position),
                                          static_cast<std::uint32_t>(position >> 32), start[2], start[3]}},
                                        {{key[0], key[1]}});
    first[i] = out[0] | std::uint64_t(out[1]) << 32;
    second[i] = out[2] | std::uint64_t(out[3]) << 32;
  }
}

}  // namespace bochner
