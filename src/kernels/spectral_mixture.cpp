#include "bochner/kernels/spectral_mixture.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/damped_waves.hpp"
#include "bochner/kernels/parameters.hpp"

namespace bochner {
namespace {

void check_shapes(const char* function, const SpectralMixture& k) {
  check_size(function, "rows of mu", k.mu.rows(), "size of alpha", k.alpha.size());
  check_size(function, "rows of sd", k.sd.rows(), "size of alpha", k.alpha.size());
  check_size(function, "columns of sd", k.sd.cols(), "columns of mu", k.mu.cols());
}

void check_noise(const char* function, const SpectralMixture& k, const SpectralNoise& noise) {
  check_shapes(function, k);
  check_size(function, "columns of the noise", noise.E1.cols(), "input_dims()", k.input_dims());
  check_size(function, "rows of the noise modulo the components", noise.E1.rows() % k.components(),
             "none left", 0);
}

/// Where the parameters of component r sit in theta.
struct MixtureLayout {
  Index R, D;
  Index alpha(Index r) const { return r; }
  Index mu(Index r) const { return R + r * D; }
  Index sd(Index r) const { return R + (R + r) * D; }
};

}  // namespace

std::vector<std::string> SpectralMixture::parameter_names() const {
  std::vector<std::string> names = numbered("log alpha", components());
  for (const char* name : {"mu", "log sd"})
    for (const std::string& entry : numbered(name, components(), input_dims())) names.push_back(entry);
  return names;
}

Vector SpectralMixture::parameters() const {
  check_shapes("SpectralMixture::parameters", *this);
  const MixtureLayout at{components(), input_dims()};
  Vector theta(parameter_count());
  theta.head(components()) = alpha.array().log();
  for (Index r = 0; r < components(); ++r) {
    theta.segment(at.mu(r), at.D) = mu.row(r);
    theta.segment(at.sd(r), at.D) = sd.row(r).array().log();
  }
  return theta;
}

SpectralMixture SpectralMixture::with_parameters(VectorIn theta) const {
  check_size("SpectralMixture::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const MixtureLayout at{components(), input_dims()};
  SpectralMixture k{theta.head(components()).array().exp(), Matrix(at.R, at.D), Matrix(at.R, at.D)};
  for (Index r = 0; r < at.R; ++r) {
    k.mu.row(r) = theta.segment(at.mu(r), at.D);
    k.sd.row(r) = theta.segment(at.sd(r), at.D).array().exp();
  }
  return k;
}

double SpectralMixture::operator()(VectorIn x, VectorIn y) const {
  check_shapes("SpectralMixture", *this);
  const Vector tau = x - y;
  const Vector damp = (sd * tau.asDiagonal()).rowwise().squaredNorm();  // R
  return (alpha.array() * (-0.5 * damp).array().exp() * (mu * tau).array().cos()).sum();
}

Vector SpectralMixture::gradient(VectorIn x, VectorIn y) const {
  check_shapes("SpectralMixture::gradient", *this);
  const MixtureLayout at{components(), input_dims()};
  const Vector tau = x - y;
  Vector g(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    const Vector u = sd.row(r).transpose().cwiseProduct(tau);
    const double phase = mu.row(r).dot(tau), damped = alpha(r) * std::exp(-0.5 * u.squaredNorm());
    const double k_r = damped * std::cos(phase);
    g(at.alpha(r)) = k_r;
    g.segment(at.mu(r), at.D) = -damped * std::sin(phase) * tau;
    g.segment(at.sd(r), at.D) = -k_r * u.cwiseAbs2();  // dk/dlog sd_d = -k u_d^2
  }
  return g;
}

Vector SpectralMixture::input_gradient(VectorIn x, VectorIn y) const {
  check_shapes("SpectralMixture::input_gradient", *this);
  const Vector tau = x - y;
  Vector g = Vector::Zero(input_dims());
  for (Index r = 0; r < components(); ++r) {
    const Vector sd2 = sd.row(r).cwiseAbs2();
    const double phase = mu.row(r).dot(tau),
                 damped = alpha(r) * std::exp(-0.5 * tau.dot(sd2.cwiseProduct(tau)));
    g -= damped * (std::cos(phase) * sd2.cwiseProduct(tau) + std::sin(phase) * mu.row(r).transpose());
  }
  return g;
}

// Both sides are measured from the first point of Z: k depends on differences alone, and the phases stay as
// small, and so their cosines as exact, as the data allow.

void SpectralMixture::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_shapes("SpectralMixture::gram_block", *this);
  K.setZero();
  if (K.size() == 0) return;
  const Vector origin = Z.row(0);
  for (Index r = 0; r < components(); ++r)
    add_damped_waves(alpha(r), 1, waves(sd.row(r), mu.row(r), X, origin),
                     waves(sd.row(r), mu.row(r), Z, origin), K);
}

void SpectralMixture::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK,
                                 KernelAdjoint& adjoint) const {
  check_shapes("SpectralMixture::pull_block", *this);
  if (dL_dK.size() == 0) return;
  const MixtureLayout at{components(), input_dims()};
  const Vector origin = Z.row(0);
  for (Index r = 0; r < at.R; ++r) {
    const Waves x = waves(sd.row(r), mu.row(r), X, origin), z = waves(sd.row(r), mu.row(r), Z, origin);
    Waves dx = Waves::zero(x.n, at.D), dz = Waves::zero(z.n, at.D);
    adjoint.dtheta(at.alpha(r)) += pull_damped_waves(alpha(r), 1, x, z, dL_dK, dx, dz).dlog_weight;
    auto dmu = adjoint.dtheta.segment(at.mu(r), at.D);
    auto dlog_sd = adjoint.dtheta.segment(at.sd(r), at.D);
    pull_waves(sd.row(r), mu.row(r), X, origin, x, dx, dlog_sd, dmu, adjoint.dX);
    pull_waves(sd.row(r), mu.row(r), Z, origin, z, dz, dlog_sd, dmu, adjoint.dZ);
  }
}

Vector SpectralMixture::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), alpha.sum()); }

void SpectralMixture::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta.head(components()) += dL_dd.sum() * alpha;
}

SpectralNoise SpectralMixture::draw_noise(Index L, Directions directions, Rng& rng) const {
  check_at_least("SpectralMixture::draw_noise", "L", L, 1);
  Matrix E(components() * L, input_dims());
  for (Index r = 0; r < components(); ++r)
    E.middleRows(r * L, L) = gaussian_directions(L, input_dims(), directions, rng);
  return {.E1 = std::move(E)};
}

Frequencies SpectralMixture::frequencies(const SpectralNoise& noise) const {
  check_noise("SpectralMixture::frequencies", *this, noise);
  const Index L = noise.E1.rows() / components();
  Frequencies f{.Omega1 = Matrix(noise.E1.rows(), input_dims()), .amplitude = Vector(noise.E1.rows())};
  for (Index r = 0; r < components(); ++r) {
    f.Omega1.middleRows(r * L, L) =
        (noise.E1.middleRows(r * L, L) * sd.row(r).asDiagonal()).rowwise() + mu.row(r);
    f.amplitude.segment(r * L, L).setConstant(std::sqrt(alpha(r) / double(L)));
  }
  return f;
}

Vector SpectralMixture::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  check_noise("SpectralMixture::frequencies_pullback", *this, noise);
  const MixtureLayout at{components(), input_dims()};
  const Index L = noise.E1.rows() / at.R;
  Vector g(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    const auto dOmega = dL.Omega1.middleRows(r * L, L);
    g(at.alpha(r)) = 0.5 * std::sqrt(alpha(r) / double(L)) * dL.amplitude.segment(r * L, L).sum();
    g.segment(at.mu(r), at.D) = dOmega.colwise().sum();
    g.segment(at.sd(r), at.D) =  // domega_d / dlog sd_d = sd_d e_d
        sd.row(r).cwiseProduct(dOmega.cwiseProduct(noise.E1.middleRows(r * L, L)).colwise().sum());
  }
  return g;
}

}  // namespace bochner
