// What the draws of the journal program of [zhang2023] are worth for Poisson counts: its transitions, written down again. All
// weights move on one ellipse of their prior, a frequency is judged with the weights that were fitted to the old one.
// Only its moves are copied; its time is the authors' (seconds a sweep, docs/benchmarks.md).

#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/assess/convergence.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/infer/elliptical_slice.hpp"
#include "bochner/infer/metropolis.hpp"
#include "bochner/linalg/low_rank.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

Matrix features(const Matrix& W, const Matrix& X) {
  const Index L = W.rows();
  const FourierFeatures<double> map{
      .Omega1 = W, .Omega2 = Matrix(), .amplitude = Vector::Constant(L, 1 / std::sqrt(double(L)))};
  Matrix Phi(X.rows(), 2 * L);
  map.fill(X, Phi);
  return Phi;
}

double log_likelihood(const Matrix& Y, const Matrix& F) {
  return (Y.array() * F.array() - F.array().exp()).sum();
}

}  // namespace

double joint_ellipse_ess(const Matrix& Y, Index warmup, Index draws) {
  const Index N = Y.rows(), J = Y.cols(), L = 50, Q = 2;
  Rng rng(1);
  const Matrix numbers = Y.array().log1p();
  const Matrix Z = fit_scaling(numbers, ScalingKind::standardise).apply(numbers);
  Matrix X = std::sqrt(double(N)) * randomized_svd(Z, Q, {}, Rng(1), Threads(1)).U;
  Matrix W = rng.normal(L, Q), B = rng.normal(2 * L, J);
  Matrix F = features(W, X) * B;
  constexpr Index watched = 40;
  Matrix values(watched, draws);
  for (Index s = 0; s < warmup + draws; ++s) {
    for (Index l = 0; l < L; ++l) {  // frequencies, from their prior
      Matrix other = W;
      other.row(l) = rng.normal(Q).transpose();
      const Matrix G = features(other, X) * B;
      if (!metropolis_accept(log_likelihood(Y, G) - log_likelihood(Y, F), rng)) continue;
      W = other;
      F = G;
    }
    const Matrix Phi = features(W, X);  // weights, all of them at once
    const auto of_weights = [&](const Vector& b) {
      return log_likelihood(Y, Phi * Eigen::Map<const Matrix>(b.data(), 2 * L, J));
    };
    const Vector flat = Eigen::Map<const Vector>(B.data(), B.size());
    const EllipticalSliceMove move =
        elliptical_slice(of_weights, flat, log_likelihood(Y, F), rng.normal(flat.size()), rng);
    B = Eigen::Map<const Matrix>(move.f.data(), 2 * L, J);
    for (Index n = 0; n < N; ++n) {  // latents, point by point
      const auto of_point = [&](const Vector& x) {
        return log_likelihood(Y.row(n), features(W, x.transpose()) * B);
      };
      const Vector x = X.row(n).transpose();
      X.row(n) = elliptical_slice(of_point, x, of_point(x), rng.normal(Q), rng).f.transpose();
    }
    F = features(W, X) * B;
    for (Index k = 0; k < watched && s >= warmup; ++k) values(k, s - warmup) = F((k * 37) % N, (k * 13) % J);
  }
  std::vector<double> ess;
  for (Index k = 0; k < watched; ++k) ess.push_back(ess_bulk(values.row(k)));
  std::nth_element(ess.begin(), ess.begin() + watched / 2, ess.end());
  return ess[watched / 2];
}

}  // namespace bochner::bench
