#pragma once
#include <optional>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/likelihoods/latent_marginals.hpp"
#include "bochner/models/harmonic/hidden_layer.hpp"
#include "bochner/symmetry/symmetry.hpp"

namespace bochner {

/// Rows that are images: f(x) = 1/P sum_p weight_p g(x[p], l_p), where g is a GP on the d pixels of a patch x[p] and on its
/// position l_p, the row and column at which it begins [dutordoir2020]. The kernel and the inducing points have d + 2 columns,
///
///   k(z, x) = sum_p om_p k(z, [x[p], l_p]),   k(x, x) = sum_pq om_p om_q k([x[p], l_p], [x[q], l_q]),   om = weight / P
struct PatchSum {
  Patches patches{};
  Vector weight{};  // P
};

/// A variational GP whose kernel is cut into its harmonics [sun2021]: f = sum_h f_h, f_h ~ GP(0, k_h), and each group h has
/// m inducing points of its own and its own posterior, so that H groups cost H m^3 and not (H m)^3,
///
///   k_h(x, y) = sum_g weights(h, g) k(x, g y)                    kernels/harmonic.hpp
///   u_h = f_h(Z_h) = L_h v_h,  L_h L_h' = k_h(Z_h, Z_h)           whitened
///   q(v_hp) = N(mean_h[:, p], F_hp F_hp')                         for each of P latent functions p
///
/// With one group, the kernel itself, this is the sparse variational GP of [hensman2013]. With hidden layers it is the last layer of
/// a deep GP [salimbeni2017], whose inputs are draws of the layer before. A plain value; inputs and outcomes are in the units
/// the caller has chosen.
struct HarmonicGp {
  AnyKernel kernel;
  AnyLikelihood likelihood;
  std::vector<Motion> motions{};  // G, of the whole symmetry group
  Matrix weights{};               // H x G
  std::vector<Matrix> Z{};        // m x D: one for each group, or one that all groups share
  std::vector<Matrix> mean{};     // H of them, m x P
  /// H lists of lower triangular m x m factors: one that all latent functions share, or one for each.
  std::vector<std::vector<Matrix>> factor{};
  double jitter = 1e-8;  // on the diagonal of k_h(Z_h, Z_h), times its mean
  std::optional<PatchSum> patch_sum{};
  std::vector<HiddenLayer> hidden{};  // from the inputs up

  Index inputs() const;  // columns of what it takes: of the first layer, of the image, of the inducing points
  Index groups() const { return weights.rows(); }
  Index latents() const { return mean.front().cols(); }
  Index inducing() const { return Z.front().rows(); }  // m, of each group
  const Matrix& points(Index h) const { return Z.size() == 1 ? Z.front() : Z[static_cast<std::size_t>(h)]; }
  const Matrix& covariance_factor(Index h, Index p) const {
    const auto& own = factor[static_cast<std::size_t>(h)];
    return own.size() == 1 ? own.front() : own[static_cast<std::size_t>(p)];
  }
};

struct HarmonicGpOptions {
  Index latents = 1;             // P
  bool shared_inducing = false;  // one set of inducing points for all groups (TRAN-S of [sun2021])
  bool shared_covariance = false;
  double jitter = 1e-8;
};

/// The prior, q(v) = N(0, I), with inducing points Z (m x D) in every group. Groups to which the kernel leaves nothing at Z
/// (a harmonic that vanishes there) are left out.
HarmonicGp make_harmonic_gp(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, MatrixIn Z,
                            const AnyLikelihood& likelihood, const HarmonicGpOptions& options);

/// In blocks of rows; a row does not depend on the others. Of a deep GP, the last layer alone: X are draws of the hidden ones
/// (sample_hidden).
LatentMarginals predict_latent(const HarmonicGp& gp, MatrixIn X, const Compute& compute);

/// Covariances of the latent functions between rows of X, P of them, N x N: one layer, without patches. Their diagonals are the
/// variances of predict_latent, but for what rounding would make negative.
std::vector<Matrix> latent_covariance(const HarmonicGp& gp, MatrixIn X, const Compute& compute);

/// What each group contributes: H of them, whose means and variances add up to those of predict_latent (but for a variance
/// that rounding would make negative, and for groups that were left out, whose prior is in no part).
std::vector<LatentMarginals> predict_parts(const HarmonicGp& gp, MatrixIn X, const Compute& compute);

/// The prior variance of each row that the inducing points leave open.
Vector nystrom_residuals(const HarmonicGp& gp, MatrixIn X, const Compute& compute);

/// What the inducing points miss, sum_h trace(K_h,ff - K_h,fu K_h,uu^-1 K_h,uf) [sun2021, Eq. 24], over the rows of X.
double nystrom_trace_error(const HarmonicGp& gp, MatrixIn X, const Compute& compute);

}  // namespace bochner
