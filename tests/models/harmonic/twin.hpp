#pragma once
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "bochner/models/harmonic/gp.hpp"
#include "bochner/symmetry/harmonic.hpp"

namespace bochner::testing {

/// Group h of the model as a kernel.
inline Harmonic group_kernel(const HarmonicGp& gp, Index h) {
  return {.inner = {gp.kernel}, .motions = gp.motions, .weight = gp.weights.row(h)};
}

inline Matrix slow_gram(const Harmonic& k, const Matrix& X, const Matrix& Z) {
  Matrix K(X.rows(), Z.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) K(i, j) = k(X.row(i), Z.row(j));
  return K;
}

/// Marginals and divergence by the textbook, unwhitened: u_h ~ N(L m, L F F' L'), inverses and determinants of full matrices.
struct SlowHarmonic {
  Matrix mean, variance;  // N x P
  double kl = 0;
};

inline SlowHarmonic slow_harmonic(const HarmonicGp& gp, const Matrix& X) {
  const Index N = X.rows(), P = gp.latents();
  SlowHarmonic out{Matrix::Zero(N, P), Matrix(N, P)};
  for (Index n = 0; n < N; ++n) out.variance.row(n).setConstant(evaluate(gp.kernel, X.row(n), X.row(n)));
  for (Index h = 0; h < gp.groups(); ++h) {
    const Harmonic k = group_kernel(gp, h);
    const Matrix& Z = gp.points(h);
    const Index m = Z.rows();
    Eigen::MatrixXd K = slow_gram(k, Z, Z);
    K.diagonal().array() += gp.jitter * K.diagonal().mean();
    const Eigen::MatrixXd L = K.llt().matrixL(), Kinv = K.inverse(), Kxz = slow_gram(k, X, Z);
    const Eigen::MatrixXd T = Kxz * Kinv;
    for (Index p = 0; p < P; ++p) {
      const Eigen::MatrixXd F = gp.covariance_factor(h, p), S = L * F * F.transpose() * L.transpose();
      const Eigen::VectorXd u = L * gp.mean[static_cast<std::size_t>(h)].col(p);
      out.mean.col(p) += T * u;
      out.variance.col(p) += (T * (S - K) * T.transpose()).diagonal();
      out.kl += 0.5 * ((Kinv * S).trace() + u.dot(Kinv * u) - double(m) + std::log(K.determinant()) -
                       std::log(S.determinant()));
    }
  }
  return out;
}

}  // namespace bochner::testing
