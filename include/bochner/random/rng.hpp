#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "bochner/core/types.hpp"

namespace bochner {

/// A stream of random draws: Philox4x32-10 [salmon2011], a pure function of (key, position). The key comes
/// from the seed and from the names it was split by, so the same purpose draws the same numbers on any
/// thread, rank or GPU.
///
///     Rng root(seed);                                      // the only place where a seed becomes a stream
///     Rng row_noise = root.split("latents").split(step);   // one child per purpose, per step, per row ...
///
/// Splitting does not advance the parent. Copies draw the same numbers.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  Rng split(std::string_view name) const;
  Rng split(std::uint64_t index) const;
  std::uint64_t key() const { return key_; }  // what other devices draw the same numbers from (philox.hpp)

  std::uint64_t bits();                         // 64 fresh bits
  double uniform();                             // open interval (0, 1): odd multiples of 2^-53
  Index below(Index n);                         // 0 .. n-1, unbiased, n >= 1
  double normal();                              // N(0, 1)
  double exponential();                         // rate 1
  double gamma(double shape);                   // Gamma(shape, rate 1), shape > 0
  double log_gamma(double shape);               // log of such a draw: finite where the draw itself underflows
  double beta(double a, double b);              // a, b > 0; tiny a or b may round to 0 or 1
  double chi_squared(double degrees);           // degrees > 0
  Index categorical(VectorIn weights);          // weights >= 0, not all zero; need not sum to one
  Index categorical_log(VectorIn log_weights);  // the same from unnormalised log weights, some may be -inf

  /// The next n draws of uniform() or normal(), the same bytes as n single calls, at a few ns each. So a
  /// longer vector begins with the shorter one, and rows of a matrix do not depend on how many follow.
  Vector uniform(Index n);
  Vector normal(Index n);
  Matrix normal(Index rows, Index cols);  // row by row
  IndexVector permutation(Index n);       // of 0 .. n-1, each of the n! equally likely

 private:
  struct FromKey {};
  Rng(FromKey, std::uint64_t key) : key_(key) {}
  std::array<std::uint64_t, 2> next_block();  // 128 bits, whole Philox blocks only
  void next_blocks(Index count, std::uint64_t* first, std::uint64_t* second);
  void fill_uniform(double* out, Index n);
  void fill_normal(double* out, Index n);

  std::uint64_t key_;
  std::uint64_t position_ = 0;  // next Philox block
  std::uint64_t spare_ = 0;     // second word of the last block that bits() took
  double spare_normal_ = 0;     // second normal of the last pair
  bool has_spare_ = false, has_spare_normal_ = false;
};

}  // namespace bochner
