#include "bochner/kernels/rational_quadratic.hpp"

#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/kernels/gamma_quantile.hpp"
#include "bochner/kernels/parameters.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

/// log(1 + t) from log(u), u = 1 + t rounded: the correction ((u - 1) - t) / u restores what the rounding of u took,
/// which alpha >> 1 would otherwise magnify.
void log_one_plus(const Eigen::ArrayXd& t, Eigen::ArrayXd& out) {
  out = 1 + t;
  log(out.data(), out.data(), out.size());
  out -= ((1 + t - 1) - t) / (1 + t);
}

}  // namespace

std::vector<std::string> RationalQuadratic::parameter_names() const {
  std::vector<std::string> names = numbered("log ell", ell.size());
  names.push_back("log alpha");
  names.push_back("log sigma2");
  return names;
}

Vector RationalQuadratic::parameters() const {
  Vector theta(parameter_count());
  theta << ell.array().log().matrix(), std::log(alpha), std::log(sigma2);
  return theta;
}

RationalQuadratic RationalQuadratic::with_parameters(VectorIn theta) const {
  check_size("RationalQuadratic::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const Index D = ell.size();
  return {.ell = theta.head(D).array().exp(), .alpha = std::exp(theta(D)), .sigma2 = std::exp(theta(D + 1))};
}

double RationalQuadratic::operator()(VectorIn x, VectorIn y) const {
  const double t = ((x - y).array() / ell.array()).square().sum() / (2 * alpha);
  return sigma2 * std::exp(-alpha * std::log1p(t));
}

Vector RationalQuadratic::gradient(VectorIn x, VectorIn y) const {
  const Vector u2 = ((x - y).array() / ell.array()).square();
  const double t = u2.sum() / (2 * alpha), k = (*this)(x, y);
  Vector g(parameter_count());
  // dk/dr2 = -k / (2 (1 + t)), dr2/dlog ell_d = -2 u2_d;  dk/dlog alpha = alpha k (t / (1 + t) - log(1 + t))
  g << k / (1 + t) * u2, alpha * k * (t / (1 + t) - std::log1p(t)), k;
  return g;
}

Vector RationalQuadratic::input_gradient(VectorIn x, VectorIn y) const {
  const double t = ((x - y).array() / ell.array()).square().sum() / (2 * alpha);
  return -(*this)(x, y) / (1 + t) * ((x - y).array() / ell.array().square()).matrix();
}

void RationalQuadratic::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  const ScaledDistance distance(ell, X, Z);
  Eigen::ArrayXd t(Z.rows()), log1p(Z.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    auto k = K.row(i);
    distance.row(i, t.data());
    t /= 2 * alpha;
    log_one_plus(t, log1p);
    k = -alpha * log1p.matrix().transpose();
    exp(k.data(), k.data(), k.size());
    k *= sigma2;
  }
}

void RationalQuadratic::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK,
                                   KernelAdjoint& adjoint) const {
  const Index D = ell.size();
  ScaledDistance distance(ell, X, Z);
  Eigen::ArrayXd t(Z.rows()), log1p(Z.rows()), KdK(Z.rows());
  double total = 0, alpha_total = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    distance.row(i, t.data());
    t /= 2 * alpha;
    log_one_plus(t, log1p);
    KdK = K.row(i).cwiseProduct(dL_dK.row(i)).transpose();
    total += KdK.sum();
    alpha_total += (KdK * (t / (1 + t) - log1p)).sum();
    t = -0.5 * KdK / (1 + t);  // dL/dr2
    distance.pull_row(i, t.data());
  }
  adjoint.dtheta(D) += alpha * alpha_total;
  adjoint.dtheta(D + 1) += total;
  distance.finish(adjoint.dtheta.head(D), adjoint.dX, adjoint.dZ);
}

Vector RationalQuadratic::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), sigma2); }

void RationalQuadratic::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta(ell.size() + 1) += sigma2 * dL_dd.sum();
}

SpectralNoise RationalQuadratic::draw_noise(Index L, Directions directions, Rng& rng) const {
  check_at_least("RationalQuadratic::draw_noise", "L", L, 1);
  SpectralNoise noise{.E1 = gaussian_directions(L, ell.size(), directions, rng)};
  noise.extra = rng.uniform(L);
  return noise;
}

Frequencies RationalQuadratic::frequencies(const SpectralNoise& noise) const {
  const Index L = noise.E1.rows();
  check_noise("RationalQuadratic::frequencies", noise.E1, L, ell.size());
  check_noise("RationalQuadratic::frequencies", noise.extra, L, 1);
  Frequencies f{.Omega1 = noise.E1 * ell.cwiseInverse().asDiagonal(),
                .amplitude = Vector::Constant(L, std::sqrt(sigma2 / double(L)))};
  for (Index l = 0; l < L; ++l) f.Omega1.row(l) *= std::sqrt(gamma_quantile(alpha, noise.extra(l, 0)).tau);
  return f;
}

Vector RationalQuadratic::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const Index D = ell.size(), L = noise.E1.rows();
  check_noise("RationalQuadratic::frequencies_pullback", noise.E1, L, D);
  check_noise("RationalQuadratic::frequencies_pullback", noise.extra, L, 1);
  check_adjoint("RationalQuadratic::frequencies_pullback", dL, L, D, false);
  const Matrix dL_dlog_ell =
      -dL.Omega1.cwiseProduct(noise.E1 * ell.cwiseInverse().asDiagonal());  // lacks sqrt(tau)
  Vector g = Vector::Zero(parameter_count());
  for (Index l = 0; l < L; ++l) {
    const GammaQuantile q = gamma_quantile(alpha, noise.extra(l, 0));
    g.head(D) += std::sqrt(q.tau) * dL_dlog_ell.row(l).transpose();  // domega_d/dlog ell_d = -omega_d
    g(D) -= 0.5 * q.dlog_tau * std::sqrt(q.tau) *
            dL_dlog_ell.row(l).sum();  // domega/dlog alpha = omega dlog tau / 2
  }
  g(D + 1) = 0.5 * std::sqrt(sigma2 / double(L)) * dL.amplitude.sum();
  return g;
}

}  // namespace bochner
