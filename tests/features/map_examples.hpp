#pragma once
#include <cmath>
#include <type_traits>

#include "bochner/features/any_feature_map.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::testing {

// One example of every feature map on three inputs, with what it is made of as one flat vector. A map that joins the
// variant without joining this file does not compile in the tests.

inline constexpr Index example_dims = 3;

inline Vector join(std::initializer_list<Vector> parts) {
  Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  size = 0;
  for (const Vector& part : parts) {
    all.segment(size, part.size()) = part;
    size += part.size();
  }
  return all;
}

inline Vector as_vector(const Matrix& A) { return Eigen::Map<const Vector>(A.data(), A.size()); }

/// The next rows x cols numbers of theta.
inline Matrix take(const Vector& theta, Index& at, Index rows, Index cols) {
  at += rows * cols;
  return Eigen::Map<const Matrix>(theta.data() + at - rows * cols, rows, cols);
}

inline NgSm example_ngsm() {
  return {.alpha = Vector{{0.8, 0.6}},
          .mu1 = Matrix{{0.7, -0.4, 0.3}, {1.1, 0.2, -0.9}},
          .mu2 = Matrix{{-0.5, 0.6, 0.1}, {0.3, -1.2, 0.8}},
          .sd1 = Matrix{{0.5, 0.9, 0.7}, {0.6, 0.4, 1.1}},
          .sd2 = Matrix{{0.8, 0.4, 0.6}, {1.0, 0.7, 0.5}},
          .rho = Vector{{0.6, -0.4}}};
}

inline BivariateSm example_bivariate_sm() {
  const NgSm k = example_ngsm();
  return {.alpha = k.alpha, .mu1 = k.mu1, .mu2 = k.mu2, .sd = 0.6 * k.sd1, .rho = Vector{{0.7, 0.3}}};
}

inline AnyKernel example_kernel() { return Rbf{.ell = Vector{{0.9, 1.3, 0.7}}, .sigma2 = 1.4}; }

template <class M>
struct Example;  // no example: write one below

template <class T>
struct Example<FourierFeatures<T>> {
  static FourierFeatures<T> make() {
    Rng rng(21);
    const SpectralNoise noise = example_ngsm().draw_noise(5, Directions::independent, rng);
    return FourierFeatures<T>::from(example_ngsm().frequencies(noise));  // the harder case: pairs
  }
  static Vector made_of(const FourierFeatures<double>& m) {
    return join({as_vector(m.Omega1), as_vector(m.Omega2), m.amplitude});
  }
  static FourierFeatures<double> with(const FourierFeatures<double>& m, const Vector& theta) {
    Index at = 0;
    const Index J = m.Omega1.rows(), D = m.Omega1.cols();
    const Matrix Omega1 = take(theta, at, J, D), Omega2 = take(theta, at, m.Omega2.rows(), D);
    return {Omega1, Omega2, theta.tail(J)};
  }
  static Vector flat(const Frequencies& g) {
    return join({as_vector(g.Omega1), as_vector(g.Omega2), g.amplitude});
  }
};

template <class T>
struct Example<LinearFeatures<T>> {
  static LinearFeatures<T> make() { return {Vector{{0.3, -0.7, 0.1}}.cast<T>()}; }
  static Vector made_of(const LinearFeatures<double>& m) { return m.log_weight; }
  static LinearFeatures<double> with(const LinearFeatures<double>&, const Vector& theta) { return {theta}; }
  static Vector flat(const LinearGradient& g) { return g.dlog_weight; }
};

template <class T>
struct Example<NystromFeatures<T>> {
  static NystromFeatures<T> make() {
    return NystromFeatures<T>::make(example_kernel(), Rng(22).normal(6, example_dims), {}, Threads(1));
  }
  static Vector made_of(const NystromFeatures<double>& m) {
    return join({parameters(m.kernel), as_vector(m.Z)});
  }
  static NystromFeatures<double> with(const NystromFeatures<double>& m, const Vector& theta) {
    Index at = 0;
    const Index P = parameter_count(m.kernel);
    const Vector kernel = take(theta, at, P, 1);
    const Matrix Z = take(theta, at, m.Z.rows(), m.Z.cols());
    return NystromFeatures<double>::make(with_parameters(m.kernel, kernel), Z, {}, Threads(1));
  }
  static Vector flat(const NystromGradient& g) { return join({g.dtheta, as_vector(g.dZ)}); }
};

template <class T>
struct Example<BivariateSmFeatures<T>> {
  static BivariateSmFeatures<T> make() {
    Rng rng(23);
    const BivariateSm k = example_bivariate_sm();
    return BivariateSmFeatures<T>::from(
        k, BivariateSmFeatures<T>::draw_noise(k, 4, Directions::independent, rng));
  }
  static Vector made_of(const BivariateSmFeatures<double>& m) {
    return join({Example<FourierFeatures<double>>::made_of(m.waves), as_vector(m.Decay)});
  }
  static BivariateSmFeatures<double> with(const BivariateSmFeatures<double>& m, const Vector& theta) {
    const Index decay = m.Decay.size();
    Index at = theta.size() - decay;
    return {Example<FourierFeatures<double>>::with(m.waves, theta.head(at)),
            take(theta, at, m.Decay.rows(), m.Decay.cols())};
  }
  static Vector flat(const BivariateSmGradient& g) {
    return join({Example<FourierFeatures<double>>::flat(g.waves), as_vector(g.dDecay)});
  }
};

template <class T>
struct Example<PolynomialFeatures<T>> {
  static Polynomial kernel() { return {.weight = Vector{{0.8, 1.3, 0.5}}, .offset = 0.7, .degree = 3}; }
  static PolynomialFeatures<T> make() { return PolynomialFeatures<T>::from(kernel()); }
  static Vector made_of(const PolynomialFeatures<double>& m) {
    return join({m.log_weight, Vector::Constant(1, m.log_offset)});
  }
  static PolynomialFeatures<double> with(PolynomialFeatures<double> m, const Vector& theta) {
    m.log_weight = theta.head(example_dims);
    m.log_offset = theta(example_dims);
    return m;
  }
  static Vector flat(const PolynomialGradient& g) {
    return join({g.dlog_weight, Vector::Constant(1, g.dlog_offset)});
  }
};

template <class T>
struct Example<NetworkFeatures<T>> {
  static NetworkFeatures<T> make() {
    NetworkFeatures<T> m = NetworkFeatures<T>::random({example_dims, 5, 4, 6}, Rng(24));
    for (std::size_t k = 0; k < m.b.size(); ++k)
      m.b[k] = Rng(25 + k).normal(m.b[k].size()).template cast<T>();
    return m;
  }
  static Vector made_of(const NetworkFeatures<double>& m) { return m.parameters(); }
  static NetworkFeatures<double> with(const NetworkFeatures<double>& m, const Vector& theta) {
    return m.with_parameters(theta);
  }
  static Vector flat(const NetworkGradient& g) { return NetworkFeatures<double>::flat(g); }
};

}  // namespace bochner::testing
