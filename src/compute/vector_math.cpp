#include "bochner/compute/vector_math.hpp"

#include <sleef.h>

#include <cstring>

namespace bochner {
namespace {

// One SIMD register of doubles or floats for the processor the build names, and SLEEF's functions on it.
//
// Only SLEEF's deterministic entry points (finz_ with fused multiply-add, cinz_ without) are used. The plain
// ones choose their range reduction by looking at the whole register, so the last bit of sin(x) depends on
// the neighbours of x; the deterministic ones choose per lane, and AVX2, AVX-512 and NEON give the same
// bytes. u10: at most one unit in the last place.

#define BOCHNER_LANES(Scalar, Register, lanes, prefix, suffix, target, load_call, store_call) \
  template <>                                                                                 \
  struct Lanes<Scalar> {                                                                      \
    using V = Register;                                                                       \
    static constexpr Index width = lanes;                                                     \
    static V load(const Scalar* p) { return load_call; }                                      \
    static void store(Scalar* p, V v) { store_call; }                                         \
    static V exp(V x) { return Sleef_##prefix##_exp##suffix##_u10##target(x); }               \
    static V log(V x) { return Sleef_##prefix##_log##suffix##_u10##target(x); }               \
    static void sincos(V x, V& s, V& c) {                                                     \
      const auto both = Sleef_##prefix##_sincos##suffix##_u10##target(x);                     \
      s = both.x;                                                                             \
      c = both.y;                                                                             \
    }                                                                                         \
  }

template <class Scalar>
struct Lanes;

#if defined(__AVX512F__)
BOCHNER_LANES(double, __m512d, 8, finz, d8, avx512f, _mm512_loadu_pd(p), _mm512_storeu_pd(p, v));
BOCHNER_LANES(float, __m512, 16, finz, f16, avx512f, _mm512_loadu_ps(p), _mm512_storeu_ps(p, v));
#elif defined(__AVX2__) && defined(__FMA__)
BOCHNER_LANES(double, __m256d, 4, finz, d4, avx2, _mm256_loadu_pd(p), _mm256_storeu_pd(p, v));
BOCHNER_LANES(float, __m256, 8, finz, f8, avx2, _mm256_loadu_ps(p), _mm256_storeu_ps(p, v));
#elif defined(__SSE2__)
BOCHNER_LANES(double, __m128d, 2, cinz, d2, sse2, _mm_loadu_pd(p), _mm_storeu_pd(p, v));
BOCHNER_LANES(float, __m128, 4, cinz, f4, sse2, _mm_loadu_ps(p), _mm_storeu_ps(p, v));
#elif defined(__aarch64__) && defined(__ARM_NEON)
BOCHNER_LANES(double, float64x2_t, 2, finz, d2, advsimd, vld1q_f64(p), vst1q_f64(p, v));
BOCHNER_LANES(float, float32x4_t, 4, finz, f4, advsimd, vld1q_f32(p), vst1q_f32(p, v));
#else
BOCHNER_LANES(double, double, 1, cinz, d1, purec, *p, *p = v);
BOCHNER_LANES(float, float, 1, cinz, f1, purec, *p, *p = v);
#endif

#undef BOCHNER_LANES

/// f on registers of `width` consecutive entries of 0 .. n-1. The remainder is copied into a full register
/// rather than run through another code path, so that an entry's result does not depend on its place.
template <class T, class F>
void map_registers(const T* x, T* y, Index n, const F& f) {
  using L = Lanes<T>;
  Index i = 0;
  for (; i + L::width <= n; i += L::width) L::store(y + i, f(L::load(x + i)));
  if (i == n) return;
  T padded[L::width] = {};
  const std::size_t rest = sizeof(T) * static_cast<std::size_t>(n - i);
  std::memcpy(padded, x + i, rest);
  L::store(padded, f(L::load(padded)));
  std::memcpy(y + i, padded, rest);
}

template <class T>
void map_sincos(const T* x, T* sin_x, T* cos_x, Index n) {
  using L = Lanes<T>;
  typename L::V s, c;
  Index i = 0;
  for (; i + L::width <= n; i += L::width) {
    L::sincos(L::load(x + i), s, c);
    L::store(sin_x + i, s);
    L::store(cos_x + i, c);
  }
  if (i == n) return;
  T padded[L::width] = {};
  const std::size_t rest = sizeof(T) * static_cast<std::size_t>(n - i);
  std::memcpy(padded, x + i, rest);
  L::sincos(L::load(padded), s, c);
  L::store(padded, s);
  std::memcpy(sin_x + i, padded, rest);
  L::store(padded, c);
  std::memcpy(cos_x + i, padded, rest);
}

}  // namespace

void sincos(const double* x, double* sin_x, double* cos_x, Index n) { map_sincos(x, sin_x, cos_x, n); }
void sincos(const float* x, float* sin_x, float* cos_x, Index n) { map_sincos(x, sin_x, cos_x, n); }
void exp(const double* x, double* exp_x, Index n) { map_registers(x, exp_x, n, Lanes<double>::exp); }
void exp(const float* x, float* exp_x, Index n) { map_registers(x, exp_x, n, Lanes<float>::exp); }
void log(const double* x, double* log_x, Index n) { map_registers(x, log_x, n, Lanes<double>::log); }
void log(const float* x, float* log_x, Index n) { map_registers(x, log_x, n, Lanes<float>::log); }

}  // namespace bochner
