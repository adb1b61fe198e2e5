#include "bound.hpp"

#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "groups.hpp"
#include "src/likelihoods/likelihood_rows.hpp"

namespace bochner {
namespace {

/// Everything that the bound and its derivatives share.
struct Forward {
  std::vector<HarmonicBlock> blocks;
  HarmonicFactors factors;
  std::vector<Matrix> Psi;             // H, m x B
  std::vector<std::vector<Matrix>> A;  // H lists, F'Psi, m x B
  Matrix mean, variance;               // B x P, of f
  Vector residual;                     // B, k(x, x) - sum_h |psi_h|^2, at least 0
};

/// mean_p = sum_h Psi_h' mean_hp,   variance_p = k(x, x) - sum_h |psi_h|^2 + sum_h |F_hp' psi_h|^2
Forward forward(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  const Inducing points = inducing_of(gp);
  Forward f{.blocks = blocks_of(points)};
  f.factors = factorise(points, f.blocks, compute);
  f.Psi = whitened_features(points, f.blocks, f.factors, X, compute);
  const Index H = gp.groups(), B = X.rows(), P = gp.latents();
  f.A.resize(at(H));
  std::vector<Matrix> means(at(H));
  for_each_group(H, compute, [&](Index h) {
    const Matrix& Psi = f.Psi[at(h)];
    means[at(h)].noalias() = Psi.transpose() * gp.mean[at(h)];
    for (const Matrix& F : gp.factor[at(h)]) f.A[at(h)].push_back(lower_transposed_times(F, Psi, compute));
  });
  f.mean = Matrix::Zero(B, P);
  f.residual = row_variances(gp.kernel, gp.patch_sum, X, compute);
  Matrix kept = Matrix::Zero(B, P);
  for (Index h = 0; h < H; ++h) {
    f.mean += means[at(h)];
    f.residual -= f.Psi[at(h)].colwise().squaredNorm().transpose();
    const std::vector<Matrix>& A = f.A[at(h)];
    for (Index p = 0; p < P; ++p)
      kept.col(p) += A[A.size() == 1 ? 0 : at(p)].colwise().squaredNorm().transpose();
  }
  f.residual = f.residual.cwiseMax(0);
  f.variance = kept.colwise() + f.residual;
  return f;
}

/// KL(N(m, FF') || N(0, I)), summed over all latent functions.
double divergence(const HarmonicGp& gp) {
  double kl = 0;
  for (Index h = 0; h < gp.groups(); ++h) {
    const std::vector<Matrix>& own = gp.factor[at(h)];
    const double times = double(gp.latents()) / double(own.size());
    kl += 0.5 * gp.mean[at(h)].squaredNorm();
    for (const Matrix& F : own)
      kl += 0.5 * times * (F.squaredNorm() - double(F.rows()) - 2 * F.diagonal().array().abs().log().sum());
  }
  return kl;
}

void check_batch(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale) {
  check_size("harmonic_bound", "rows of Y", Y.rows(), "rows of X", X.rows());
  const Index weights = Y.cols() == outputs(gp.likelihood) + 1;  // src/likelihoods/likelihood_rows.hpp
  check_size("harmonic_bound", "columns of Y", Y.cols(), "outputs of the likelihood and weights",
             outputs(gp.likelihood) + weights);
  check_size("harmonic_bound", "latent functions of the likelihood", latents(gp.likelihood),
             "columns of the posterior means", gp.latents());
  check_positive("harmonic_bound", "scale", scale);
}

/// The adjoint of a column of variances as each factor sees it: all columns together when they share one.
Vector adjoint_for(const Matrix& dvariance, std::size_t factors, std::size_t c) {
  return factors == 1 ? Vector(dvariance.rowwise().sum()) : Vector(dvariance.col(Index(c)));
}

/// Adjoint of Psi_h from the means, the variances and what it explains of the prior.
Matrix pull_marginals(const HarmonicGp& gp, const Forward& f, Index h, const Matrix& dmean,
                      const Matrix& dvariance, const Vector& dresidual, const Compute& compute) {
  Matrix dPsi = -2 * f.Psi[at(h)] * dresidual.asDiagonal();
  dPsi.noalias() += gp.mean[at(h)] * dmean.transpose();
  const std::vector<Matrix>& own = gp.factor[at(h)];
  for (std::size_t c = 0; c < own.size(); ++c)
    dPsi += lower_times(own[c], f.A[at(h)][c] * (2 * adjoint_for(dvariance, own.size(), c)).asDiagonal(),
                        compute);
  return dPsi;
}

/// Gradient in q(v_h): the data term minus the divergence.
void pull_posterior(const HarmonicGp& gp, const Forward& f, Index h, const Matrix& dmean,
                    const Matrix& dvariance, HarmonicGradient& g, const Compute& compute) {
  const Matrix& Psi = f.Psi[at(h)];
  g.mean[at(h)].noalias() = Psi * dmean;
  g.mean[at(h)] -= gp.mean[at(h)];
  const std::vector<Matrix>& own = gp.factor[at(h)];
  const double times = double(gp.latents()) / double(own.size());
  g.factor[at(h)].clear();
  for (std::size_t c = 0; c < own.size(); ++c) {
    const Vector a = 2 * adjoint_for(dvariance, own.size(), c);
    Matrix dF = lower_of_product(Psi * a.asDiagonal(), f.A[at(h)][c], compute);
    dF -= times * own[c];
    dF.diagonal().array() += times / own[c].diagonal().array();
    g.factor[at(h)].push_back(std::move(dF));
  }
}

/// Lambda = I + Psi diag(curvature) Psi': dL/d(expectation parameters) added to the natural ones. Functions that share a
/// covariance share the mean of their curvatures.
void target_posterior(const HarmonicGp& gp, const Forward& f, Index h, const Matrix& dmean,
                      NaturalTarget& target, const Compute& compute) {
  const Matrix& Psi = f.Psi[at(h)];
  target.dmean[at(h)].noalias() = Psi * dmean;
  target.dmean[at(h)] -= gp.mean[at(h)];
  target.precision[at(h)].clear();
  const std::size_t count = gp.factor[at(h)].size();
  for (std::size_t c = 0; c < count; ++c) {
    const Vector curvature =
        count == 1 ? Vector(target.curvature.rowwise().mean()) : target.curvature.col(Index(c));
    Matrix precision = lower_of_product(Psi * curvature.asDiagonal(), Psi, compute);
    precision.diagonal().array() += 1;
    target.precision[at(h)].push_back(std::move(precision));
  }
}

HarmonicBound bound_of(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale, HarmonicGradient* gradient,
                       NaturalTarget* target, const Compute& compute) {
  check_batch(gp, X, Y, scale);
  Forward f = forward(gp, X, compute);
  const ExpectedLog data = expected_log(gp.likelihood, Y, f.mean, f.variance, compute);
  const HarmonicBound bound{scale * data.rows.sum(), divergence(gp)};
  if (gradient == nullptr) return bound;

  const Index H = gp.groups();
  HarmonicGradient& g = *gradient;
  const Matrix dmean = scale * data.dmean, dvariance = scale * data.dvar;
  const Vector dresidual = (f.residual.array() > 0).select(dvariance.rowwise().sum(), Vector::Zero(X.rows()));
  g.likelihood = scale * data.dtheta;
  g.mean.assign(at(H), Matrix());
  g.factor.assign(at(H), {});
  if (target != nullptr) {
    target->dmean.assign(at(H), Matrix());
    target->precision.assign(at(H), {});
    // -d2E/dmean2 = -2 dE/dvariance (Bonnet and Price); a likelihood that is not log-concave may have it negative, and
    // then it counts as 0, so that precisions stay positive definite.
    target->curvature = -2 * dvariance.cwiseMin(0);
  }

  std::vector<Matrix> dPsi(at(H));
  for_each_group(H, compute, [&](Index h) {
    if (target != nullptr)
      target_posterior(gp, f, h, dmean, *target, compute);
    else
      pull_posterior(gp, f, h, dmean, dvariance, g, compute);
    dPsi[at(h)] = pull_marginals(gp, f, h, dmean, dvariance, dresidual, compute);
  });
  FeaturesPullback pulled = pull_features(inducing_of(gp), f.blocks, f.factors, X, f.Psi, dPsi, compute);
  const RowVariancesPullback prior = row_variances_pullback(gp.kernel, gp.patch_sum, X, dresidual, compute);
  g.kernel = prior.dtheta + pulled.kernel;
  g.Z = std::move(pulled.Z);
  g.X = prior.dX + pulled.X;
  if (gp.patch_sum) g.patch_weight = prior.dweight + pulled.patch_weight;
  if (target != nullptr) target->Psi = std::move(f.Psi);
  return bound;
}

}  // namespace

HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             const Compute& compute) {
  return bound_of(gp, X, Y, scale, nullptr, nullptr, compute);
}

HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             HarmonicGradient& gradient, const Compute& compute) {
  return bound_of(gp, X, Y, scale, &gradient, nullptr, compute);
}

HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             HarmonicGradient& gradient, NaturalTarget& target, const Compute& compute) {
  return bound_of(gp, X, Y, scale, &gradient, &target, compute);
}

}  // namespace bochner
