#include "bochner/random/rng.hpp"

#include "bochner/random/philox.hpp"

namespace bochner {
namespace {

// The fourth counter word keeps draws, named children and numbered children of one key apart.
enum class Use : std::uint32_t { draw = 0, named_child = 1, numbered_child = 2, seed = 3 };

std::array<std::uint64_t, 2> words(std::uint64_t key, std::uint64_t position, Use use) {
  const PhiloxCounter out =
      philox({static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32), 0,
              static_cast<std::uint32_t>(use)},
             {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
  return {out[0] | std::uint64_t(out[1]) << 32, out[2] | std::uint64_t(out[3]) << 32};
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

Rng::Rng(std::uint64_t seed) : key_(words(seed, 0, Use::seed)[0]) {}

Rng Rng::split(std::string_view name) const {
  return {FromKey{}, words(key_, fnv1a(name), Use::named_child)[0]};
}
Rng Rng::split(std::uint64_t index) const { return {FromKey{}, words(key_, index, Use::numbered_child)[0]}; }

std::array<std::uint64_t, 2> Rng::next_block() { return words(key_, position_++, Use::draw); }

std::uint64_t Rng::bits() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const auto [first, second] = next_block();
  spare_ = second;
  has_spare_ = true;
  return first;
}

void Rng::next_blocks(Index count, std::uint64_t* first, std::uint64_t* second) {
  philox_blocks({static_cast<std::uint32_t>(position_), static_cast<std::uint32_t>(position_ >> 32), 0,
                 static_cast<std::uint32_t>(Use::draw)},
                {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)}, count, first,
                second);
  position_ += static_cast<std::uint64_t>(count);
}

}  // namespace bochner
