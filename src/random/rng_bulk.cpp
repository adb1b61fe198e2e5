#include <sleef.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {
namespace {

constexpr Index chunk = 256;  // blocks at a time: all scratch stays in the first cache

/// 52 random bits k -> (k + 1/2) 2^-52, exactly. With 53 bits the largest value would round to 1.
double open_unit(std::uint64_t bits) {
  return std::bit_cast<double>(bits >> 12 | 0x3FF0000000000000ULL) - (1 - 0x1p-53);
}

/// Box-Muller [box1958]: pair i of N(0, 1) draws from block i.
void normal_pairs(const std::uint64_t* first, const std::uint64_t* second, Index pairs, double* out) {
  double radius[chunk], angle[chunk], sine[chunk];
  for (Index i = 0; i < pairs; ++i) {
    radius[i] = open_unit(first[i]);
    angle[i] = 2 * pi * open_unit(second[i]);
  }
  log(radius, radius, pairs);
  sincos(angle, sine, angle, pairs);
  for (Index i = 0; i < pairs; ++i) {
    const double r = std::sqrt(-2 * radius[i]);
    out[2 * i] = r * angle[i];  // now the cosine
    out[2 * i + 1] = r * sine[i];
  }
}

/// One pair, the same bytes as above: SLEEF's deterministic functions agree between scalars and registers.
std::array<double, 2> normal_pair(std::uint64_t first, std::uint64_t second) {
#if defined(__AVX512F__) || (defined(__AVX2__) && defined(__FMA__)) || \
    defined(__aarch64__)  // as in vector_math.cpp
  const double log_u = Sleef_finz_logd1_u10purecfma(open_unit(first));
  const auto sincos = Sleef_finz_sincosd1_u10purecfma(2 * pi * open_unit(second));
#else
  const double log_u = Sleef_cinz_logd1_u10purec(open_unit(first));
  const auto sincos = Sleef_cinz_sincosd1_u10purec(2 * pi * open_unit(second));
#endif
  const double r = std::sqrt(-2 * log_u);
  return {r * sincos.y, r * sincos.x};
}

}  // namespace

double Rng::uniform() { return open_unit(bits()); }

double Rng::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const auto [first, second] = next_block();
  const auto [z, spare] = normal_pair(first, second);
  spare_normal_ = spare;
  has_spare_normal_ = true;
  return z;
}

void Rng::fill_uniform(double* out, Index n) {
  if (n > 0 && has_spare_) {
    *out++ = uniform();
    --n;
  }
  std::uint64_t first[chunk], second[chunk];
  while (n >= 2) {
    const Index blocks = std::min(chunk, n / 2);
    next_blocks(blocks, first, second);
    for (Index i = 0; i < blocks; ++i) {
      out[2 * i] = open_unit(first[i]);
      out[2 * i + 1] = open_unit(second[i]);
    }
    out += 2 * blocks;
    n -= 2 * blocks;
  }
  if (n == 1) *out = uniform();
}

void Rng::fill_normal(double* out, Index n) {
  if (n > 0 && has_spare_normal_) {
    *out++ = normal();
    --n;
  }
  std::uint64_t first[chunk], second[chunk];
  while (n >= 2) {
    const Index pairs = std::min(chunk, n / 2);
    next_blocks(pairs, first, second);
    normal_pairs(first, second, pairs, out);
    out += 2 * pairs;
    n -= 2 * pairs;
  }
  if (n == 1) *out = normal();
}

Vector Rng::uniform(Index n) {
  check_at_least("Rng::uniform", "n", n, 0);
  Vector u(n);
  fill_uniform(u.data(), n);
  return u;
}

Vector Rng::normal(Index n) {
  check_at_least("Rng::normal", "n", n, 0);
  Vector z(n);
  fill_normal(z.data(), n);
  return z;
}

Matrix Rng::normal(Index rows, Index cols) {
  check_at_least("Rng::normal", "rows", rows, 0);
  check_at_least("Rng::normal", "cols", cols, 0);
  Matrix Z(rows, cols);
  fill_normal(Z.data(), Z.size());
  return Z;
}

}  // namespace bochner
