#pragma once
#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "bochner/kernels/any_kernel.hpp"

namespace bochner::testing {

template <class V>
struct TypesOf;
template <class... T>
struct TypesOf<std::variant<T...>> {
  using type = ::testing::Types<T...>;
};

/// Kernels of type K on D inputs that between them reach every branch of its code. Deleted: a kernel that joins
/// AnyKernel does not compile here before it has examples, and with them it is in every test.
template <class K>
std::vector<K> examples(Index D) = delete;

/// 0.6, 0.9, 1.2, .. : D different positive numbers
inline Vector ladder(Index D, double first = 0.6, double step = 0.3) {
  return Vector::LinSpaced(D, first, first + step * double(D - 1));
}

template <>
inline std::vector<Rbf> examples(Index D) {
  return {{.ell = ladder(D), .sigma2 = 1.3}};
}
template <>
inline std::vector<Matern> examples(Index D) {
  return {{.ell = ladder(D), .sigma2 = 1.3, .smoothness = Smoothness::half},
          {.ell = ladder(D), .sigma2 = 0.7, .smoothness = Smoothness::three_halves},
          {.ell = ladder(D), .sigma2 = 1.1, .smoothness = Smoothness::five_halves}};
}
template <>
inline std::vector<RationalQuadratic> examples(Index D) {
  return {{.ell = ladder(D), .alpha = 0.6, .sigma2 = 1.3}, {.ell = ladder(D), .alpha = 7.5, .sigma2 = 0.8}};
}
template <>
inline std::vector<Periodic> examples(Index D) {
  return {{.ell = ladder(D, 0.8), .period = ladder(D, 1.4), .sigma2 = 1.3},
          {.ell = ladder(D, 0.4, 0.5), .period = ladder(D, 2.4, -0.3), .sigma2 = 0.8}};
}
template <>
inline std::vector<Linear> examples(Index D) {
  return {{.weight = ladder(D)}, {.weight = ladder(D), .offset = 0.4}};
}
template <>
inline std::vector<Polynomial> examples(Index D) {
  return {{.weight = ladder(D), .offset = 0.7, .degree = 1},
          {.weight = ladder(D), .offset = 0.7, .degree = 2},
          {.weight = ladder(D, 0.2, 0.2), .offset = 0.3, .degree = 5}};
}
template <>
inline std::vector<ArcCosine> examples(Index D) {
  return {{.weight = ladder(D), .bias = 0.4, .sigma2 = 1.3, .order = 0},
          {.weight = ladder(D), .bias = 0.4, .sigma2 = 1.3, .order = 1},
          {.weight = ladder(D), .bias = 0.4, .sigma2 = 1.3, .order = 2}};
}
template <>
inline std::vector<Gibbs> examples(Index) {
  return {{}, {.a = 0.4, .b = 0.2, .sigma2 = 1.3}};
}
template <>
inline std::vector<SpectralMixture> examples(Index D) {
  return {{.alpha = Vector{{0.8, 0.5}},
           .mu = Rng(1).normal(2, D),
           .sd = (0.3 * Rng(2).normal(2, D)).array().exp()}};
}
template <>
inline std::vector<BivariateSm> examples(Index D) {
  return {{.alpha = Vector{{0.8, 0.5}},
           .mu1 = Rng(1).normal(2, D),
           .mu2 = Rng(3).normal(2, D),
           .sd = (0.3 * Rng(2).normal(2, D)).array().exp() * 0.5,
           .rho = Vector{{0.8, 0.3}}}};
}
template <>
inline std::vector<NgSm> examples(Index D) {
  return {{.alpha = Vector{{0.8, 0.5}},
           .mu1 = Rng(1).normal(2, D),
           .mu2 = Rng(3).normal(2, D),
           .sd1 = (0.3 * Rng(2).normal(2, D)).array().exp(),
           .sd2 = (0.3 * Rng(4).normal(2, D)).array().exp(),
           .rho = Vector{{0.7, -0.4}}}};
}
template <>
inline std::vector<Sum> examples(Index D) {
  return {{{examples<Rbf>(D)[0], examples<Periodic>(D)[0]}},
          {{examples<Matern>(D)[1], examples<NgSm>(D)[0],
            examples<SpectralMixture>(D)[0]}},  // pairs among singles
          {{examples<Linear>(D)[1], examples<Gibbs>(D)[0], examples<ArcCosine>(D)[1]}}};  // no spectrum
}
template <>
inline std::vector<Product> examples(Index D) {
  return {{{examples<Rbf>(D)[0], examples<Matern>(D)[2]}},
          {{examples<SpectralMixture>(D)[0],
            examples<SpectralMixture>(D)[0]}},  // one-sided densities, unlike rows
          {{examples<SpectralMixture>(D)[0],
            Sum{{examples<Rbf>(D)[0], examples<Matern>(D)[1], examples<Rbf>(D)[0]}},
            examples<Periodic>(D)[0]}},                   // rows that do not divide
          {{examples<Rbf>(D)[0], examples<NgSm>(D)[0]}},  // a paired factor
          {{examples<Linear>(D)[1], examples<Rbf>(D)[0], examples<Gibbs>(D)[1]}}};
}
template <>
inline std::vector<Scaled> examples(Index D) {
  return {{.inner = {examples<Matern>(D)[2]}, .scale = 2.3},
          {.inner = {examples<NgSm>(D)[0]}, .scale = 0.4},
          {.inner = {examples<Polynomial>(D)[1]}, .scale = 0.4}};
}
template <>
inline std::vector<Select> examples(Index D) {
  return {{.inner = {examples<Rbf>(2)[0]}, .columns = {D - 1, 0}, .dims = D},
          {.inner = {examples<NgSm>(1)[0]}, .columns = {1}, .dims = D},
          {.inner = {examples<Linear>(3)[0]}, .columns = {1, 0, 1}, .dims = D}};
}

}  // namespace bochner::testing
