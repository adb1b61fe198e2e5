#include "bochner/kernels/ngsm.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/transforms.hpp"
#include "bochner/kernels/damped_waves.hpp"
#include "bochner/kernels/parameters.hpp"

namespace bochner {
namespace {

void check_shapes(const char* function, const NgSm& k) {
  check_size(function, "size of rho", k.rho.size(), "size of alpha", k.alpha.size());
  const std::pair<const char*, const Matrix*> matrices[] = {
      {"mu1", &k.mu1}, {"mu2", &k.mu2}, {"sd1", &k.sd1}, {"sd2", &k.sd2}};
  for (const auto& [name, matrix] : matrices) {
    check_size(function, name, matrix->rows(), "rows, the size of alpha", k.alpha.size());
    check_size(function, name, matrix->cols(), "columns, those of mu1", k.mu1.cols());
  }
}

void check_noise(const char* function, const NgSm& k, const SpectralNoise& noise) {
  check_shapes(function, k);
  check_size(function, "columns of the noise", noise.E1.cols(), "input_dims()", k.input_dims());
  check_size(function, "rows of the noise modulo the components", noise.E1.rows() % k.components(),
             "none left", 0);
}

/// Where the parameters of component r sit in theta.
struct NgSmLayout {
  Index R, D;
  Index alpha(Index r) const { return r; }
  Index mu1(Index r) const { return R + r * D; }
  Index mu2(Index r) const { return R + (R + r) * D; }
  Index sd1(Index r) const { return R + (2 * R + r) * D; }
  Index sd2(Index r) const { return R + (3 * R + r) * D; }
  Index rho(Index r) const { return R + 4 * R * D + r; }
};

/// One term exp(-q / 2) cos(mu_a'x - mu_b'y), q = |sd_a o x|^2 - 2 rho (sd_a o x)'(sd_b o y) + |sd_b o y|^2,
/// with its derivatives: the plain formulas that the block code is tested against.
struct Term {
  Vector u, v;          // scaled inputs
  double cosine, sine;  // exp(-q / 2) times cosine and sine of the phase

  Term(VectorIn sd_a, VectorIn mu_a, VectorIn sd_b, VectorIn mu_b, double rho, VectorIn x, VectorIn y)
      : u(sd_a.cwiseProduct(x)), v(sd_b.cwiseProduct(y)) {
    const double apart = 1 - std::abs(rho), sign = rho < 0 ? -1 : 1;
    const double q =
        apart * (u.squaredNorm() + v.squaredNorm()) + std::abs(rho) * (u - sign * v).squaredNorm();
    const double phase = mu_a.dot(x) - mu_b.dot(y);
    cosine = std::exp(-0.5 * q) * std::cos(phase);
    sine = std::exp(-0.5 * q) * std::sin(phase);
  }
  Vector dlog_sd_a(double rho) const { return -cosine * u.cwiseProduct(u - rho * v); }
  Vector dlog_sd_b(double rho) const { return -cosine * v.cwiseProduct(v - rho * u); }
  Vector dx(double rho, VectorIn sd_a, VectorIn mu_a) const {
    return -cosine * sd_a.cwiseProduct(u - rho * v) - sine * mu_a;
  }
  double drho() const { return cosine * u.dot(v); }
};

}  // namespace

std::vector<std::string> NgSm::parameter_names() const {
  std::vector<std::string> names = numbered("log alpha", components());
  for (const char* name : {"mu1", "mu2", "log sd1", "log sd2"})
    for (const std::string& entry : numbered(name, components(), input_dims())) names.push_back(entry);
  for (const std::string& entry : numbered("atanh rho", components())) names.push_back(entry);
  return names;
}

Vector NgSm::parameters() const {
  check_shapes("NgSm::parameters", *this);
  const NgSmLayout at{components(), input_dims()};
  Vector theta(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    theta(at.alpha(r)) = std::log(alpha(r));
    theta.segment(at.mu1(r), at.D) = mu1.row(r);
    theta.segment(at.mu2(r), at.D) = mu2.row(r);
    theta.segment(at.sd1(r), at.D) = sd1.row(r).array().log();
    theta.segment(at.sd2(r), at.D) = sd2.row(r).array().log();
    theta(at.rho(r)) = TanhTransform::unconstrain(rho(r));
  }
  return theta;
}

NgSm NgSm::with_parameters(VectorIn theta) const {
  check_size("NgSm::with_parameters", "size of theta", theta.size(), "parameter_count()", parameter_count());
  const NgSmLayout at{components(), input_dims()};
  NgSm k = *this;
  for (Index r = 0; r < at.R; ++r) {
    k.alpha(r) = std::exp(theta(at.alpha(r)));
    k.mu1.row(r) = theta.segment(at.mu1(r), at.D);
    k.mu2.row(r) = theta.segment(at.mu2(r), at.D);
    k.sd1.row(r) = theta.segment(at.sd1(r), at.D).array().exp();
    k.sd2.row(r) = theta.segment(at.sd2(r), at.D).array().exp();
    k.rho(r) = TanhTransform::constrain(theta(at.rho(r)));
  }
  return k;
}

double NgSm::operator()(VectorIn x, VectorIn y) const {
  check_shapes("NgSm", *this);
  double k = 0;
  for (Index r = 0; r < components(); ++r) {
    const Vector s1 = sd1.row(r), s2 = sd2.row(r), m1 = mu1.row(r), m2 = mu2.row(r);
    k += 0.25 * alpha(r) *
         (Term(s1, m1, s2, m2, rho(r), x, y).cosine + Term(s2, m2, s1, m1, rho(r), x, y).cosine +
          Term(s1, m1, s1, m1, 1, x, y).cosine + Term(s2, m2, s2, m2, 1, x, y).cosine);
  }
  return k;
}

Vector NgSm::gradient(VectorIn x, VectorIn y) const {
  check_shapes("NgSm::gradient", *this);
  const NgSmLayout at{components(), input_dims()};
  Vector g(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    const Vector s1 = sd1.row(r), s2 = sd2.row(r), m1 = mu1.row(r), m2 = mu2.row(r);
    const Term t12(s1, m1, s2, m2, rho(r), x, y), t21(s2, m2, s1, m1, rho(r), x, y);
    const Term t11(s1, m1, s1, m1, 1, x, y), t22(s2, m2, s2, m2, 1, x, y);
    const double weight = 0.25 * alpha(r);
    g(at.alpha(r)) = weight * (t12.cosine + t21.cosine + t11.cosine + t22.cosine);
    g.segment(at.mu1(r), at.D) = weight * (-t12.sine * x + t21.sine * y - t11.sine * (x - y));
    g.segment(at.mu2(r), at.D) = weight * (t12.sine * y - t21.sine * x - t22.sine * (x - y));
    g.segment(at.sd1(r), at.D) =
        weight * (t12.dlog_sd_a(rho(r)) + t21.dlog_sd_b(rho(r)) + t11.dlog_sd_a(1) + t11.dlog_sd_b(1));
    g.segment(at.sd2(r), at.D) =
        weight * (t12.dlog_sd_b(rho(r)) + t21.dlog_sd_a(rho(r)) + t22.dlog_sd_a(1) + t22.dlog_sd_b(1));
    g(at.rho(r)) = weight * (t12.drho() + t21.drho()) * (1 - rho(r) * rho(r));
  }
  return g;
}

Vector NgSm::input_gradient(VectorIn x, VectorIn y) const {
  check_shapes("NgSm::input_gradient", *this);
  Vector g = Vector::Zero(input_dims());
  for (Index r = 0; r < components(); ++r) {
    const Vector s1 = sd1.row(r), s2 = sd2.row(r), m1 = mu1.row(r), m2 = mu2.row(r);
    g += 0.25 * alpha(r) *
         (Term(s1, m1, s2, m2, rho(r), x, y).dx(rho(r), s1, m1) +
          Term(s2, m2, s1, m1, rho(r), x, y).dx(rho(r), s2, m2) +
          Term(s1, m1, s1, m1, 1, x, y).dx(1, s1, m1) + Term(s2, m2, s2, m2, 1, x, y).dx(1, s2, m2));
  }
  return g;
}

void NgSm::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_shapes("NgSm::gram_block", *this);
  const Vector origin = Vector::Zero(input_dims());
  K.setZero();
  for (Index r = 0; r < components(); ++r) {
    const Waves x1 = waves(sd1.row(r), mu1.row(r), X, origin), x2 = waves(sd2.row(r), mu2.row(r), X, origin);
    const Waves z1 = waves(sd1.row(r), mu1.row(r), Z, origin), z2 = waves(sd2.row(r), mu2.row(r), Z, origin);
    const double weight = 0.25 * alpha(r);
    add_damped_waves(weight, rho(r), x1, z2, K);
    add_damped_waves(weight, rho(r), x2, z1, K);
    add_damped_waves(weight, 1, x1, z1, K);
    add_damped_waves(weight, 1, x2, z2, K);
  }
}

void NgSm::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  check_shapes("NgSm::pull_block", *this);
  const NgSmLayout at{components(), input_dims()};
  const Vector origin = Vector::Zero(at.D);
  for (Index r = 0; r < at.R; ++r) {
    const Waves x1 = waves(sd1.row(r), mu1.row(r), X, origin), x2 = waves(sd2.row(r), mu2.row(r), X, origin);
    const Waves z1 = waves(sd1.row(r), mu1.row(r), Z, origin), z2 = waves(sd2.row(r), mu2.row(r), Z, origin);
    Waves dx1 = Waves::zero(x1.n, at.D), dx2 = dx1, dz1 = Waves::zero(z1.n, at.D), dz2 = dz1;
    const double weight = 0.25 * alpha(r);
    const DampedWavesAdjoint a12 = pull_damped_waves(weight, rho(r), x1, z2, dL_dK, dx1, dz2);
    const DampedWavesAdjoint a21 = pull_damped_waves(weight, rho(r), x2, z1, dL_dK, dx2, dz1);
    const DampedWavesAdjoint a11 = pull_damped_waves(weight, 1, x1, z1, dL_dK, dx1, dz1);
    const DampedWavesAdjoint a22 = pull_damped_waves(weight, 1, x2, z2, dL_dK, dx2, dz2);
    adjoint.dtheta(at.alpha(r)) += a12.dlog_weight + a21.dlog_weight + a11.dlog_weight + a22.dlog_weight;
    adjoint.dtheta(at.rho(r)) += (a12.drho + a21.drho) * (1 - rho(r) * rho(r));
    auto dmu1 = adjoint.dtheta.segment(at.mu1(r), at.D), dmu2 = adjoint.dtheta.segment(at.mu2(r), at.D);
    auto dlog_sd1 = adjoint.dtheta.segment(at.sd1(r), at.D),
         dlog_sd2 = adjoint.dtheta.segment(at.sd2(r), at.D);
    pull_waves(sd1.row(r), mu1.row(r), X, origin, x1, dx1, dlog_sd1, dmu1, adjoint.dX);
    pull_waves(sd2.row(r), mu2.row(r), X, origin, x2, dx2, dlog_sd2, dmu2, adjoint.dX);
    pull_waves(sd1.row(r), mu1.row(r), Z, origin, z1, dz1, dlog_sd1, dmu1, adjoint.dZ);
    pull_waves(sd2.row(r), mu2.row(r), Z, origin, z2, dz2, dlog_sd2, dmu2, adjoint.dZ);
  }
}

// k(x, x) = 1/2 sum_r alpha_r (1 + t(x, x)): the stationary terms are one.

Vector NgSm::diagonal(MatrixIn X) const {
  check_shapes("NgSm::diagonal", *this);
  const Vector origin = Vector::Zero(input_dims());
  Vector k = Vector::Constant(X.rows(), 0.5 * alpha.sum());
  for (Index r = 0; r < components(); ++r)
    k += damped_wave_pairs(0.5 * alpha(r), rho(r), waves(sd1.row(r), mu1.row(r), X, origin),
                           waves(sd2.row(r), mu2.row(r), X, origin));
  return k;
}

void NgSm::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  check_shapes("NgSm::pull_diagonal", *this);
  const NgSmLayout at{components(), input_dims()};
  const Vector origin = Vector::Zero(at.D);
  for (Index r = 0; r < at.R; ++r) {
    const Waves x1 = waves(sd1.row(r), mu1.row(r), X, origin), x2 = waves(sd2.row(r), mu2.row(r), X, origin);
    Waves dx1 = Waves::zero(x1.n, at.D), dx2 = dx1;
    const DampedWavesAdjoint a = pull_damped_wave_pairs(0.5 * alpha(r), rho(r), x1, x2, dL_dd, dx1, dx2);
    dtheta(at.alpha(r)) += a.dlog_weight + 0.5 * alpha(r) * dL_dd.sum();
    dtheta(at.rho(r)) += a.drho * (1 - rho(r) * rho(r));
    pull_waves(sd1.row(r), mu1.row(r), X, origin, x1, dx1, dtheta.segment(at.sd1(r), at.D),
               dtheta.segment(at.mu1(r), at.D), dX);
    pull_waves(sd2.row(r), mu2.row(r), X, origin, x2, dx2, dtheta.segment(at.sd2(r), at.D),
               dtheta.segment(at.mu2(r), at.D), dX);
  }
}

SpectralNoise NgSm::draw_noise(Index L, Directions directions, Rng& rng) const {
  check_at_least("NgSm::draw_noise", "L", L, 1);
  SpectralNoise noise{.E1 = Matrix(components() * L, input_dims()),
                      .E2 = Matrix(components() * L, input_dims())};
  for (Index r = 0; r < components(); ++r) {
    noise.E1.middleRows(r * L, L) = gaussian_directions(L, input_dims(), directions, rng);
    noise.E2.middleRows(r * L, L) = gaussian_directions(L, input_dims(), directions, rng);
  }
  return noise;
}

Frequencies NgSm::frequencies(const SpectralNoise& noise) const {
  check_noise("NgSm::frequencies", *this, noise);
  const Index J = noise.E1.rows(), L = J / components();
  Frequencies f{Matrix(J, input_dims()), Matrix(J, input_dims()), Vector(J)};
  for (Index r = 0; r < components(); ++r) {
    const auto E1 = noise.E1.middleRows(r * L, L), E2 = noise.E2.middleRows(r * L, L);
    const double apart = std::sqrt(1 - rho(r) * rho(r));
    f.Omega1.middleRows(r * L, L) = (E1 * sd1.row(r).asDiagonal()).rowwise() + mu1.row(r);
    f.Omega2.middleRows(r * L, L) =
        ((rho(r) * E1 + apart * E2) * sd2.row(r).asDiagonal()).rowwise() + mu2.row(r);
    f.amplitude.segment(r * L, L).setConstant(std::sqrt(alpha(r) / double(4 * L)));
  }
  return f;
}

Vector NgSm::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  check_noise("NgSm::frequencies_pullback", *this, noise);
  const NgSmLayout at{components(), input_dims()};
  const Index L = noise.E1.rows() / at.R;
  Vector g(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    const auto E1 = noise.E1.middleRows(r * L, L), E2 = noise.E2.middleRows(r * L, L);
    const auto dOmega1 = dL.Omega1.middleRows(r * L, L), dOmega2 = dL.Omega2.middleRows(r * L, L);
    const double apart = std::sqrt(1 - rho(r) * rho(r));
    g(at.alpha(r)) = 0.5 * std::sqrt(alpha(r) / double(4 * L)) * dL.amplitude.segment(r * L, L).sum();
    g.segment(at.mu1(r), at.D) = dOmega1.colwise().sum();
    g.segment(at.mu2(r), at.D) = dOmega2.colwise().sum();
    g.segment(at.sd1(r), at.D) = sd1.row(r).cwiseProduct(dOmega1.cwiseProduct(E1).colwise().sum());
    g.segment(at.sd2(r), at.D) =
        sd2.row(r).cwiseProduct(dOmega2.cwiseProduct(rho(r) * E1 + apart * E2).colwise().sum());
    // domega2/drho = sd2 o (e1 - rho / apart e2), drho/datanh rho = apart^2: one factor `apart` cancels
    const Matrix turn = (apart * apart * E1 - rho(r) * apart * E2) * sd2.row(r).asDiagonal();
    g(at.rho(r)) = dOmega2.cwiseProduct(turn).sum();
  }
  return g;
}

}  // namespace bochner
