#include "bochner/core/rng.hpp"

#include <Random123/philox.h>

namespace bochner {
namespace {

// The fourth counter word keeps draws, named children and numbered children of one key apart.
enum class Use : std::uint32_t { draw = 0, named_child = 1, numbered_child = 2, seed = 3 };

std::array<std::uint64_t, 2> philox(std::uint64_t key, std::uint64_t position, Use use) {
  const r123::Philox4x32 generator;
  const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(position),
                                            static_cast<std::uint32_t>(position >> 32), 0,
                                            static_cast<std::uint32_t>(use)}};
  const r123::Philox4x32::key_type philox_key{
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const auto out = generator(counter, philox_key);
  return {out[0] | std::uint64_t(out[1]) << 32, out[2] | std::uint64_t(out[3]) << 32};
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

Rng::Rng(std::uint64_t seed) : key_(philox(seed, 0, Use::seed)[0]) {}

Rng Rng::split(std::string_view name) const { return {FromKey{}, philox(key_, fnv1a(name), Use::named_child)[0]}; }
Rng Rng::split(std::uint64_t index) const { return {FromKey{}, philox(key_, index, Use::numbered_child)[0]}; }

std::array<std::uint64_t, 2> Rng::block(std::uint64_t position) const { return philox(key_, position, Use::draw); }

std::uint64_t Rng::bits() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const auto words = block(position_++);
  spare_ = words[1];
  has_spare_ = true;
  return words[0];
}

}  // namespace bochner
