#include "weights.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/nystrom_features.hpp"
#include "src/features/inducing.hpp"

namespace bochner {
namespace {

/// Variance that inducing latents may leave unexplained, against the prior variance: far below the noise.
double inducing_tolerance(double sigma2) { return std::clamp(0.01 * sigma2, 1e-8, 1e-4); }

constexpr int draws = 8;  // of X for the expectations, in antithetic pairs
constexpr int most_refills = 200;

struct Expectations {
  Matrix mean;    // n x m, E[phi]
  Matrix C, C_w;  // m x m
};

Expectations expect(const NystromFeatures<double>& map, const LatentPosterior& latent, const Vector& weight,
                    Rng rng, const Compute& compute) {
  const Index n = latent.mean.rows(), Q = latent.mean.cols(), m = map.count();
  const Vector root = weight.array().sqrt();
  Expectations out{Matrix::Zero(n, m), Matrix::Zero(m, m), Matrix::Zero(m, m)};
  for (int pair = 0; pair < draws / 2; ++pair) {
    const Matrix eps = rng.normal(n, Q);
    for (const double sign : {1.0, -1.0}) {
      const Matrix X = latent.mean + sign * latent.sd.cwiseProduct(eps);
      const Matrix Phi = feature_matrix(map, X, compute);
      out.mean += Phi / draws;
      out.C += inner_gram<double>(Phi, compute) / draws;
      out.C_w += inner_gram<double>(root.asDiagonal() * Phi, compute) / draws;
    }
  }
  return out;
}

}  // namespace

void learn_weights(const ViewTerm& term, const GplvmParameters::View& parameters,
                   const LatentPosterior& latent, MatrixIn measured, const Rng& rng, const Compute& compute,
                   GplvmView& view) {
  const double sigma2 = parameters.noise_variance;
  const LatentPosterior at{latent.mean(term.rows(), Eigen::all), latent.sd(term.rows(), Eigen::all)};
  view.kernel = parameters.kernel;
  view.noise_variance = sigma2;
  view.Z = choose_inducing(view.kernel, at.mean, most_inducing, inducing_tolerance(sigma2),
                           rng.split("inducing"), compute);
  const NystromFeatures<double> map = NystromFeatures<double>::make(view.kernel, view.Z, {}, compute);
  const Index m = map.count();
  Expectations e = expect(map, at, term.weight(), rng.split("latents"), compute);

  e.C.diagonal().array() += sigma2;
  const CholeskyFactor factor =
      cholesky(e.C, {.what = "the expected Gram matrix of view '" + view.name + "'"}, compute);
  Matrix Y = term.filled();
  const BoolMatrix is_missing = measured(term.rows(), term.columns()).array().isNaN();
  const bool missing = is_missing.any();
  Matrix B;
  for (int refill = 0; refill < most_refills; ++refill) {
    B = solve(factor, multiply_transposed<double>(e.mean, Y, compute), compute);
    if (!missing) break;
    const Matrix F = multiply<double>(e.mean, B, compute);
    const double change = std::sqrt(is_missing.select(F - Y, 0.0).squaredNorm() / double(is_missing.count()));
    Y = is_missing.select(F, Y);
    if (change < 1e-4) break;
  }

  // alpha = L^-T B;  R = L^-T (I - S) L^-1 with S = sigma2 (C_w + sigma2 I)^-1
  const Matrix alpha = solve_lower_transposed(map.factor, B, compute);
  view.alpha = Matrix::Zero(m, Index(view.columns.size()));
  view.alpha(Eigen::all, term.columns()) = alpha;
  e.C_w.diagonal().array() += sigma2;
  const Matrix S =
      sigma2 *
      inverse(cholesky(e.C_w, {.what = "the weighted Gram matrix of view '" + view.name + "'"}, compute),
              compute);
  const Matrix half =
      solve_lower_transposed(map.factor, Matrix::Identity(m, m) - S, compute);  // L^-T (I - S)
  view.R = solve_lower_transposed(map.factor, half.transpose(), compute);
  view.R = 0.5 * (view.R + view.R.transpose().eval());
}

}  // namespace bochner
