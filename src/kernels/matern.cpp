#include "bochner/kernels/matern.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/kernels/parameters.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

constexpr double far = 1e4;  // k is 0 there; beyond, polynomial(s) may be infinite

// k = sigma2 polynomial(s) exp(-s), and dk/dr2 = k slope(s): with s^2 = 2 nu r2, dk/dr2 = (nu / s) dk/ds, where
// dk/ds = -k (1/2), -sigma2 s exp(-s) (3/2), -sigma2 s (1 + s) exp(-s) / 3 (5/2). Both work on numbers and on arrays.

struct Half {
  template <class S>
  static auto polynomial(const S& s) {
    return 0 * s + 1;
  }
  // finite at s = 0, where what it multiplies is 0
  static double slope(double s) { return -0.5 / std::max(s, 1e-150); }
};

struct ThreeHalves {
  template <class S>
  static auto polynomial(const S& s) {
    return s + 1;
  }
  static double slope(double s) { return -1.5 / (1 + s); }
};

struct FiveHalves {
  template <class S>
  static auto polynomial(const S& s) {
    return s * (s * (1.0 / 3) + 1) + 1;
  }
  static double slope(double s) { return -5.0 / 6 * (1 + s) / polynomial(s); }
};

/// f(Half{}) or f(ThreeHalves{}) or f(FiveHalves{})
template <class F>
auto with_order(Smoothness smoothness, const F& f) {
  switch (smoothness) {
    case Smoothness::half:
      return f(Half{});
    case Smoothness::three_halves:
      return f(ThreeHalves{});
    case Smoothness::five_halves:
      break;
  }
  return f(FiveHalves{});
}

}  // namespace

std::vector<std::string> Matern::parameter_names() const {
  std::vector<std::string> names = numbered("log ell", ell.size());
  names.push_back("log sigma2");
  return names;
}

Vector Matern::parameters() const {
  Vector theta(parameter_count());
  theta << ell.array().log().matrix(), std::log(sigma2);
  return theta;
}

Matern Matern::with_parameters(VectorIn theta) const {
  check_size("Matern::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.ell = theta.head(ell.size()).array().exp(),
          .sigma2 = std::exp(theta(ell.size())),
          .smoothness = smoothness};
}

double Matern::operator()(VectorIn x, VectorIn y) const {
  const double s = std::sqrt(2 * nu() * ((x - y).array() / ell.array()).square().sum());
  return with_order(smoothness, [&](auto order) { return sigma2 * order.polynomial(s) * std::exp(-s); });
}

Vector Matern::gradient(VectorIn x, VectorIn y) const {
  const Vector u2 = ((x - y).array() / ell.array()).square();
  const double k = (*this)(x, y), s = std::sqrt(2 * nu() * u2.sum());
  const double dk_dr2 = k * with_order(smoothness, [&](auto order) { return order.slope(s); });
  Vector g(parameter_count());
  g << -2 * dk_dr2 * u2, k;  // dr2/dlog ell_d = -2 u2_d
  return g;
}

Vector Matern::input_gradient(VectorIn x, VectorIn y) const {
  const double s = std::sqrt(2 * nu() * ((x - y).array() / ell.array()).square().sum());
  const double dk_dr2 = (*this)(x, y) * with_order(smoothness, [&](auto order) { return order.slope(s); });
  return 2 * dk_dr2 * ((x - y).array() / ell.array().square()).matrix();
}

void Matern::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  const ScaledDistance distance(ell, X, Z);
  Eigen::ArrayXd s(Z.rows());
  with_order(smoothness, [&](auto order) {
    for (Index i = 0; i < X.rows(); ++i) {
      auto k = K.row(i).array();
      distance.row(i, s.data());
      s = (2 * nu() * s).sqrt().min(far);
      k = -s.transpose();
      exp(K.row(i).data(), K.row(i).data(), K.cols());
      k *= sigma2 * order.polynomial(s.transpose());
    }
  });
}

void Matern::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Index m = Z.rows();
  ScaledDistance distance(ell, X, Z);
  Eigen::ArrayXd s(m), KdK(m);
  double total = 0;
  with_order(smoothness, [&](auto order) {
    for (Index i = 0; i < X.rows(); ++i) {
      distance.row(i, s.data());
      s = (2 * nu() * s).sqrt().min(far);
      KdK = K.row(i).cwiseProduct(dL_dK.row(i)).transpose();
      total += KdK.sum();
      for (Index j = 0; j < m; ++j) s(j) = KdK(j) * order.slope(s(j));  // dL/dr2
      distance.pull_row(i, s.data());
    }
  });
  adjoint.dtheta(ell.size()) += total;  // dk/dlog sigma2 = k
  distance.finish(adjoint.dtheta.head(ell.size()), adjoint.dX, adjoint.dZ);
}

Vector Matern::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), sigma2); }

void Matern::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta(ell.size()) += sigma2 * dL_dd.sum();
}

SpectralNoise Matern::draw_noise(Index L, Directions directions, Rng& rng) const {
  check_at_least("Matern::draw_noise", "L", L, 1);
  SpectralNoise noise{.E1 = gaussian_directions(L, ell.size(), directions, rng), .extra = Matrix(L, 1)};
  for (Index l = 0; l < L; ++l) noise.extra(l, 0) = rng.chi_squared(2 * nu());
  return noise;
}

Frequencies Matern::frequencies(const SpectralNoise& noise) const {
  const Index L = noise.E1.rows();
  check_noise("Matern::frequencies", noise.E1, L, ell.size());
  check_noise("Matern::frequencies", noise.extra, L, 1);
  const Vector stretch = (2 * nu() / noise.extra.col(0).array()).sqrt();
  return {.Omega1 = stretch.asDiagonal() * noise.E1 * ell.cwiseInverse().asDiagonal(),
          .amplitude = Vector::Constant(L, std::sqrt(sigma2 / double(L)))};
}

Vector Matern::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const Frequencies f = frequencies(noise);
  check_adjoint("Matern::frequencies_pullback", dL, f.count(), ell.size(), false);
  Vector g(parameter_count());
  // domega_d/dlog ell_d = -omega_d;  damplitude/dlog sigma2 = amplitude / 2
  g << -f.Omega1.cwiseProduct(dL.Omega1).colwise().sum().transpose(), 0.5 * f.amplitude.dot(dL.amplitude);
  return g;
}

}  // namespace bochner
