#include "continuation.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {
namespace {

/// Frequencies of every component: the reciprocal length scales of the simple kernel.
Matrix widths(const Rbf& simple, Index components) {
  return simple.ell.cwiseInverse().transpose().replicate(components, 1);
}

/// rho at which (1 - rho) |x / ell|^2 of the outermost latent is `damping`.
double nearly_one(const Rbf& simple, MatrixIn X, double damping) {
  const double outermost = (X * simple.ell.cwiseInverse().asDiagonal()).rowwise().squaredNorm().maxCoeff();
  return 1 - std::clamp(damping / std::max(outermost, 1e-6), 1e-7, 0.5);
}

/// Factors around 1, a different one for each component, with a geometric mean of 1.
Vector spread(Index components) {
  constexpr double ratio = 1.5;  // between the widest and the narrowest
  Vector out(components);
  for (Index r = 0; r < components; ++r)
    out(r) = std::pow(ratio, components == 1 ? 0.0 : double(r) / double(components - 1) - 0.5);
  return out;
}

/// A fifth of the widths, with another pattern of signs in each component.
Matrix mean_frequencies(const Matrix& sd) {
  Matrix out = 0.2 * sd;
  for (Index r = 0; r < sd.rows(); ++r)
    for (Index d = 0; d < sd.cols(); ++d)
      if ((r >> (d % 8)) % 2 == 1) out(r, d) = -out(r, d);
  return out;
}

/// Half of the difference between the two frequencies of a pair: a twentieth of a radian at the outermost latent, at most a
/// tenth of the width.
Matrix half_difference(const Matrix& sd, MatrixIn X) {
  const double outermost = std::sqrt(X.rowwise().squaredNorm().maxCoeff());
  return sd.cwiseMin(0.5 / std::max(outermost, 1e-3)) * 0.1;
}

}  // namespace

std::optional<AnyKernel> simple_form(const AnyKernel& kernel) {
  const auto rbf = [](Index D, double sigma2) { return Rbf{.ell = Vector::Ones(D), .sigma2 = sigma2}; };
  if (const auto* k = std::get_if<NgSm>(&kernel)) return rbf(k->input_dims(), k->alpha.sum());
  if (const auto* k = std::get_if<SpectralMixture>(&kernel)) return rbf(k->input_dims(), k->alpha.sum());
  if (const auto* k = std::get_if<BivariateSm>(&kernel)) return rbf(k->input_dims(), k->alpha.sum());
  return std::nullopt;
}

AnyKernel same_kernel(const AnyKernel& simple, const AnyKernel& like, MatrixIn X, double damping) {
  const Rbf& k = std::get<Rbf>(simple);
  const auto weights = [&](Index R) { return Vector::Constant(R, k.sigma2 / double(R)); };
  if (const auto* sm = std::get_if<SpectralMixture>(&like)) {
    const Index R = sm->components();
    return SpectralMixture{.alpha = weights(R), .mu = Matrix::Zero(R, k.ell.size()), .sd = widths(k, R)};
  }
  const double rho = nearly_one(k, X, damping);
  if (const auto* bsm = std::get_if<BivariateSm>(&like)) {
    const Index R = bsm->components();
    const Matrix zero = Matrix::Zero(R, k.ell.size());
    return BivariateSm{
        .alpha = weights(R), .mu1 = zero, .mu2 = zero, .sd = widths(k, R), .rho = Vector::Constant(R, rho)};
  }
  const Index R = std::get<NgSm>(like).components();
  const Matrix zero = Matrix::Zero(R, k.ell.size());
  return NgSm{.alpha = weights(R),
              .mu1 = zero,
              .mu2 = zero,
              .sd1 = widths(k, R),
              .sd2 = widths(k, R),
              .rho = Vector::Constant(R, rho)};
}

AnyKernel moved_apart(const AnyKernel& mixture, MatrixIn X) {
  if (const auto* k = std::get_if<SpectralMixture>(&mixture)) {
    SpectralMixture out = *k;
    out.sd = spread(k->components()).asDiagonal() * k->sd;
    out.mu = mean_frequencies(out.sd);
    return out;
  }
  if (const auto* k = std::get_if<BivariateSm>(&mixture)) {
    BivariateSm out = *k;
    out.sd = spread(k->components()).asDiagonal() * k->sd;
    const Matrix mu = mean_frequencies(out.sd), half = half_difference(out.sd, X);
    out.mu1 = mu + half;
    out.mu2 = mu - half;
    return out;
  }
  NgSm out = std::get<NgSm>(mixture);
  const Matrix sd = spread(out.components()).asDiagonal() * out.sd1;
  const Matrix mu = mean_frequencies(sd), half = half_difference(sd, X);
  out.sd1 = sd + half;
  out.sd2 = sd - half;
  out.mu1 = mu + half;
  out.mu2 = mu - half;
  return out;
}

}  // namespace bochner
