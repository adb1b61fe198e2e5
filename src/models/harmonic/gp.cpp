#include "bochner/models/harmonic/gp.hpp"

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/symmetry/harmonic.hpp"
#include "groups.hpp"

namespace bochner {
namespace {

// Blocks are filled up with zeros: products give a row the same bytes wherever it stands in blocks of one size.
constexpr Index block_rows = 256;
constexpr double vanishing = 1e-12;  // share of the prior variance below which a group is left out

/// f(begin, size, block_rows rows of X of which the first `size` count, their features) for all rows of X.
template <class F>
void for_each_rows(const HarmonicGp& gp, MatrixIn X, const Compute& compute, const F& f) {
  const Inducing points = inducing_of(gp);
  const std::vector<HarmonicBlock> blocks = blocks_of(points);
  const HarmonicFactors factors = factorise(points, blocks, compute);
  for_each_block(compute, X.rows(), block_rows, [&](Index begin, Index size) {
    Matrix rows = Matrix::Zero(block_rows, X.cols());
    rows.topRows(size) = X.middleRows(begin, size);
    f(begin, size, rows, whitened_features(points, blocks, factors, rows, compute));
  });
}

/// Mean and variance of the posterior of group h through its features.
void add_group(const HarmonicGp& gp, Index h, const Matrix& Psi, MatrixOut mean, MatrixOut variance) {
  mean.noalias() += Psi.transpose() * gp.mean[at(h)];
  Vector one;
  for (Index p = 0; p < gp.latents(); ++p) {
    const Matrix& F = gp.covariance_factor(h, p);
    if (p == 0 || gp.factor[at(h)].size() > 1)
      one = Matrix(F.transpose().triangularView<Eigen::Upper>() * Psi).colwise().squaredNorm();
    variance.col(p) += one;
  }
}

}  // namespace

Index HarmonicGp::inputs() const {
  if (!hidden.empty()) return hidden.front().inputs();
  return patch_sum ? patch_sum->patches.image.pixels() : Z.front().cols();
}

HarmonicGp make_harmonic_gp(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, MatrixIn Z,
                            const AnyLikelihood& likelihood, const HarmonicGpOptions& options) {
  check_at_least("make_harmonic_gp", "inducing points", Z.rows(), 1);
  check_size("make_harmonic_gp", "latent functions", options.latents, "those of the likelihood",
             latents(likelihood));
  const Index m = Z.rows(), P = options.latents;
  const std::vector<Harmonic> all = harmonic_kernels(kernel, symmetries, Z.cols());
  const double prior = diagonal(kernel, Z).sum();
  std::vector<Vector> kept;
  for (const Harmonic& k : all)
    if (k.diagonal(Z).sum() > vanishing * prior) kept.push_back(k.weight);
  if (kept.empty())
    throw InputError("the kernel " + kernel_name(kernel) +
                     " is zero at all inducing points; the inputs do not vary, or need another kernel");
  HarmonicGp gp{.kernel = kernel,
                .likelihood = likelihood,
                .motions = all.front().motions,
                .weights = Matrix(Index(kept.size()), all.front().weight.size()),
                .jitter = options.jitter};
  for (std::size_t h = 0; h < kept.size(); ++h) {
    gp.weights.row(Index(h)) = kept[h].transpose();
    if (h == 0 || !options.shared_inducing) gp.Z.push_back(Z);
    gp.mean.push_back(Matrix::Zero(m, P));
    gp.factor.emplace_back(options.shared_covariance ? 1 : at(P), Matrix::Identity(m, m));
  }
  return gp;
}

LatentMarginals predict_latent(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  LatentMarginals out{Matrix(X.rows(), gp.latents()), Matrix(X.rows(), gp.latents())};
  for_each_rows(gp, X, compute,
                [&](Index begin, Index size, const Matrix& rows, const std::vector<Matrix>& Psi) {
                  Vector left = row_variances(gp.kernel, gp.patch_sum, rows, compute);
                  for (const Matrix& psi : Psi) left -= psi.colwise().squaredNorm().transpose();
                  Matrix mean = Matrix::Zero(block_rows, gp.latents());
                  Matrix variance = left.cwiseMax(0).replicate(1, gp.latents());
                  for (Index h = 0; h < gp.groups(); ++h) add_group(gp, h, Psi[at(h)], mean, variance);
                  out.mean.middleRows(begin, size) = mean.topRows(size);
                  out.variance.middleRows(begin, size) = variance.topRows(size);
                });
  return out;
}

std::vector<Matrix> latent_covariance(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  const Inducing points = inducing_of(gp);
  const std::vector<HarmonicBlock> blocks = blocks_of(points);
  const std::vector<Matrix> Psi =
      whitened_features(points, blocks, factorise(points, blocks, compute), X, compute);
  Matrix prior = gram(gp.kernel, X, compute);
  for (const Matrix& psi : Psi) prior.noalias() -= psi.transpose() * psi;
  std::vector<Matrix> out(at(gp.latents()), prior);
  for (Index p = 0; p < gp.latents(); ++p)
    for (Index h = 0; h < gp.groups(); ++h) {
      const Matrix A = gp.covariance_factor(h, p).transpose().triangularView<Eigen::Upper>() * Psi[at(h)];
      out[at(p)].noalias() += A.transpose() * A;
    }
  return out;
}

std::vector<LatentMarginals> predict_parts(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  std::vector<LatentMarginals> out(at(gp.groups()),
                                   {Matrix::Zero(X.rows(), gp.latents()), Matrix(X.rows(), gp.latents())});
  for_each_rows(
      gp, X, compute, [&](Index begin, Index size, const Matrix& rows, const std::vector<Matrix>& Psi) {
        const std::vector<Vector> prior =
            row_variances(Harmonics{gp.kernel, gp.motions, gp.weights}, gp.patch_sum, rows, compute);
        for (Index h = 0; h < gp.groups(); ++h) {
          const Vector left = prior[at(h)] - Psi[at(h)].colwise().squaredNorm().transpose();
          Matrix mean = Matrix::Zero(block_rows, gp.latents());
          Matrix variance = left.cwiseMax(0).replicate(1, gp.latents());
          add_group(gp, h, Psi[at(h)], mean, variance);
          out[at(h)].mean.middleRows(begin, size) = mean.topRows(size);
          out[at(h)].variance.middleRows(begin, size) = variance.topRows(size);
        }
      });
  return out;
}

Vector nystrom_residuals(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  Vector left = row_variances(gp.kernel, gp.patch_sum, X, compute);
  for_each_rows(gp, X, compute, [&](Index begin, Index size, const Matrix&, const std::vector<Matrix>& Psi) {
    for (const Matrix& psi : Psi)
      left.segment(begin, size) -= psi.leftCols(size).colwise().squaredNorm().transpose();
  });
  return left.cwiseMax(0);
}

double nystrom_trace_error(const HarmonicGp& gp, MatrixIn X, const Compute& compute) {
  return nystrom_residuals(gp, X, compute).sum();
}

}  // namespace bochner
