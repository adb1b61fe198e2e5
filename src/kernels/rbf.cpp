#include "bochner/kernels/rbf.hpp"

#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/kernels/parameters.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {

std::vector<std::string> Rbf::parameter_names() const {
  std::vector<std::string> names = numbered("log ell", ell.size());
  names.push_back("log sigma2");
  return names;
}

Vector Rbf::parameters() const {
  Vector theta(parameter_count());
  theta << ell.array().log().matrix(), std::log(sigma2);
  return theta;
}

Rbf Rbf::with_parameters(VectorIn theta) const {
  check_size("Rbf::with_parameters", "size of theta", theta.size(), "parameter_count()", parameter_count());
  return {.ell = theta.head(ell.size()).array().exp(), .sigma2 = std::exp(theta(ell.size()))};
}

double Rbf::operator()(VectorIn x, VectorIn y) const {
  return sigma2 * std::exp(-0.5 * ((x - y).array() / ell.array()).square().sum());
}

Vector Rbf::gradient(VectorIn x, VectorIn y) const {
  const Vector u2 = ((x - y).array() / ell.array()).square();  // D, (tau_d / ell_d)^2
  const double k = sigma2 * std::exp(-0.5 * u2.sum());
  Vector g(parameter_count());
  g << k * u2, k;  // dk/dlog ell_d = k u2_d,  dk/dlog sigma2 = k
  return g;
}

Vector Rbf::input_gradient(VectorIn x, VectorIn y) const {
  return -(*this)(x, y) * ((x - y).array() / ell.array().square()).matrix();
}

void Rbf::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  const ScaledDistance distance(ell, X, Z);
  for (Index i = 0; i < X.rows(); ++i) {
    auto k = K.row(i);
    distance.row(i, k.data());  // r2
    k *= -0.5;
    exp(k.data(), k.data(), k.size());
    k *= sigma2;
  }
}

void Rbf::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  ScaledDistance distance(ell, X, Z);
  Vector w(Z.rows());
  double total = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    w = -0.5 * K.row(i).cwiseProduct(dL_dK.row(i)).transpose();  // dk/dr2 = -k / 2
    total += w.sum();
    distance.pull_row(i, w.data());
  }
  adjoint.dtheta(ell.size()) -= 2 * total;  // dk/dlog sigma2 = k
  distance.finish(adjoint.dtheta.head(ell.size()), adjoint.dX, adjoint.dZ);
}

Vector Rbf::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), sigma2); }

void Rbf::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta(ell.size()) += sigma2 * dL_dd.sum();
}

SpectralNoise Rbf::draw_noise(Index L, Directions directions, Rng& rng) const {
  check_at_least("Rbf::draw_noise", "L", L, 1);
  return {.E1 = gaussian_directions(L, ell.size(), directions, rng)};
}

Frequencies Rbf::frequencies(const SpectralNoise& noise) const {
  const Index L = noise.E1.rows();
  check_noise("Rbf::frequencies", noise.E1, L, ell.size());
  return {.Omega1 = noise.E1 * ell.cwiseInverse().asDiagonal(),
          .amplitude = Vector::Constant(L, std::sqrt(sigma2 / double(L)))};
}

Vector Rbf::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const Index L = noise.E1.rows();
  check_noise("Rbf::frequencies_pullback", noise.E1, L, ell.size());
  check_adjoint("Rbf::frequencies_pullback", dL, L, ell.size(), false);
  Vector g(parameter_count());
  // omega_d = e_d / ell_d: domega_d/dlog ell_d = -omega_d;  damplitude/dlog sigma2 = amplitude / 2
  g << -(noise.E1 * ell.cwiseInverse().asDiagonal()).cwiseProduct(dL.Omega1).colwise().sum().transpose(),
      0.5 * std::sqrt(sigma2 / double(L)) * dL.amplitude.sum();
  return g;
}

}  // namespace bochner
