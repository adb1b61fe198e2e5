#include "bochner/kernels/bivariate_sm.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/core/transforms.hpp"
#include "bochner/kernels/damped_waves.hpp"
#include "bochner/kernels/parameters.hpp"

namespace bochner {
namespace {

void check_shapes(const char* function, const BivariateSm& k) {
  check_size(function, "size of rho", k.rho.size(), "size of alpha", k.alpha.size());
  const std::pair<const char*, const Matrix*> matrices[] = {{"mu1", &k.mu1}, {"mu2", &k.mu2}, {"sd", &k.sd}};
  for (const auto& [name, matrix] : matrices) {
    check_size(function, name, matrix->rows(), "rows, the size of alpha", k.alpha.size());
    check_size(function, name, matrix->cols(), "columns, those of mu1", k.mu1.cols());
  }
}

/// Where the parameters of component r sit in theta.
struct BivariateLayout {
  Index R, D;
  Index alpha(Index r) const { return r; }
  Index mu1(Index r) const { return R + r * D; }
  Index mu2(Index r) const { return R + (R + r) * D; }
  Index sd(Index r) const { return R + (2 * R + r) * D; }
  Index rho(Index r) const { return R + 3 * R * D + r; }
};

/// Component r at a pair of points: the plain formulas that the block code is tested against.
struct Component {
  Vector u, v;                // scaled inputs
  double damped;              // alpha / 4 exp(-q / 2)
  double c1, s1, c2, s2;      // cos and sin of mu1'x and mu2'x
  double c1y, s1y, c2y, s2y;  // and of y

  Component(const BivariateSm& k, Index r, VectorIn x, VectorIn y)
      : u(k.sd.row(r).transpose().cwiseProduct(x)), v(k.sd.row(r).transpose().cwiseProduct(y)) {
    const double q = (1 - k.rho(r)) * (u.squaredNorm() + v.squaredNorm()) + k.rho(r) * (u - v).squaredNorm();
    damped = 0.25 * k.alpha(r) * std::exp(-0.5 * q);
    const double a1 = k.mu1.row(r).dot(x), a2 = k.mu2.row(r).dot(x), b1 = k.mu1.row(r).dot(y),
                 b2 = k.mu2.row(r).dot(y);
    c1 = std::cos(a1), s1 = std::sin(a1), c2 = std::cos(a2), s2 = std::sin(a2);
    c1y = std::cos(b1), s1y = std::sin(b1), c2y = std::cos(b2), s2y = std::sin(b2);
  }
  double value() const { return damped * ((c1 + c2) * (c1y + c2y) + (s1 + s2) * (s1y + s2y)); }
  double da1() const { return damped * (c1 * (s1y + s2y) - s1 * (c1y + c2y)); }  // d/d(mu1'x)
  double da2() const { return damped * (c2 * (s1y + s2y) - s2 * (c1y + c2y)); }
  double db1() const { return damped * (c1y * (s1 + s2) - s1y * (c1 + c2)); }  // d/d(mu1'y)
  double db2() const { return damped * (c2y * (s1 + s2) - s2y * (c1 + c2)); }
};

/// The two waves of a component at a set of points, and their sum.
struct WavePair {
  Waves first, second, both;

  WavePair(const BivariateSm& k, Index r, MatrixIn X) {
    const Vector origin = Vector::Zero(X.cols());
    first = waves(k.sd.row(r), k.mu1.row(r), X, origin);
    second = waves(k.sd.row(r), k.mu2.row(r), X, origin);
    both = {.n = first.n, .U = first.U, .c = first.c + second.c, .s = first.s + second.s};
  }
};

void pull_pair(const BivariateSm& k, Index r, MatrixIn X, const WavePair& w, Waves& dw, VectorOut dtheta,
               MatrixOut dX) {
  const BivariateLayout at{k.components(), k.input_dims()};
  const Vector origin = Vector::Zero(at.D);
  auto dlog_sd = dtheta.segment(at.sd(r), at.D);
  pull_waves(k.sd.row(r), k.mu1.row(r), X, origin, w.first, dw, dlog_sd, dtheta.segment(at.mu1(r), at.D), dX);
  dw.U.setZero();  // the scaled inputs are shared: counted with the first wave
  pull_waves(k.sd.row(r), k.mu2.row(r), X, origin, w.second, dw, dlog_sd, dtheta.segment(at.mu2(r), at.D),
             dX);
}

}  // namespace

std::vector<std::string> BivariateSm::parameter_names() const {
  std::vector<std::string> names = numbered("log alpha", components());
  for (const char* name : {"mu1", "mu2", "log sd"})
    for (const std::string& entry : numbered(name, components(), input_dims())) names.push_back(entry);
  for (const std::string& entry : numbered("logit rho", components())) names.push_back(entry);
  return names;
}

Vector BivariateSm::parameters() const {
  check_shapes("BivariateSm::parameters", *this);
  const BivariateLayout at{components(), input_dims()};
  Vector theta(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    theta(at.alpha(r)) = std::log(alpha(r));
    theta.segment(at.mu1(r), at.D) = mu1.row(r);
    theta.segment(at.mu2(r), at.D) = mu2.row(r);
    theta.segment(at.sd(r), at.D) = sd.row(r).array().log();
    theta(at.rho(r)) = LogisticTransform::unconstrain(rho(r));
  }
  return theta;
}

BivariateSm BivariateSm::with_parameters(VectorIn theta) const {
  check_size("BivariateSm::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const BivariateLayout at{components(), input_dims()};
  BivariateSm k = *this;
  for (Index r = 0; r < at.R; ++r) {
    k.alpha(r) = std::exp(theta(at.alpha(r)));
    k.mu1.row(r) = theta.segment(at.mu1(r), at.D);
    k.mu2.row(r) = theta.segment(at.mu2(r), at.D);
    k.sd.row(r) = theta.segment(at.sd(r), at.D).array().exp();
    k.rho(r) = LogisticTransform::constrain(theta(at.rho(r)));
  }
  return k;
}

double BivariateSm::operator()(VectorIn x, VectorIn y) const {
  check_shapes("BivariateSm", *this);
  double k = 0;
  for (Index r = 0; r < components(); ++r) k += Component(*this, r, x, y).value();
  return k;
}

Vector BivariateSm::gradient(VectorIn x, VectorIn y) const {
  check_shapes("BivariateSm::gradient", *this);
  const BivariateLayout at{components(), input_dims()};
  Vector g(parameter_count());
  for (Index r = 0; r < at.R; ++r) {
    const Component c(*this, r, x, y);
    const double k_r = c.value();
    g(at.alpha(r)) = k_r;
    g.segment(at.mu1(r), at.D) = c.da1() * x + c.db1() * y;
    g.segment(at.mu2(r), at.D) = c.da2() * x + c.db2() * y;
    g.segment(at.sd(r), at.D) =  // dq/dlog sd_d = 2 (u_d^2 - 2 rho u_d v_d + v_d^2)
        -k_r * (c.u.cwiseProduct(c.u - rho(r) * c.v) + c.v.cwiseProduct(c.v - rho(r) * c.u));
    g(at.rho(r)) = k_r * c.u.dot(c.v) * rho(r) * (1 - rho(r));
  }
  return g;
}

Vector BivariateSm::input_gradient(VectorIn x, VectorIn y) const {
  check_shapes("BivariateSm::input_gradient", *this);
  Vector g = Vector::Zero(input_dims());
  for (Index r = 0; r < components(); ++r) {
    const Component c(*this, r, x, y);
    g += c.da1() * mu1.row(r).transpose() + c.da2() * mu2.row(r).transpose() -
         c.value() * sd.row(r).transpose().cwiseProduct(c.u - rho(r) * c.v);
  }
  return g;
}

void BivariateSm::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_shapes("BivariateSm::gram_block", *this);
  K.setZero();
  for (Index r = 0; r < components(); ++r)
    add_damped_waves(0.25 * alpha(r), rho(r), WavePair(*this, r, X).both, WavePair(*this, r, Z).both, K);
}

void BivariateSm::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  check_shapes("BivariateSm::pull_block", *this);
  const BivariateLayout at{components(), input_dims()};
  for (Index r = 0; r < at.R; ++r) {
    const WavePair x(*this, r, X), z(*this, r, Z);
    Waves dx = Waves::zero(X.rows(), at.D), dz = Waves::zero(Z.rows(), at.D);
    const DampedWavesAdjoint a = pull_damped_waves(0.25 * alpha(r), rho(r), x.both, z.both, dL_dK, dx, dz);
    adjoint.dtheta(at.alpha(r)) += a.dlog_weight;
    adjoint.dtheta(at.rho(r)) += a.drho * rho(r) * (1 - rho(r));
    pull_pair(*this, r, X, x, dx, adjoint.dtheta, adjoint.dX);
    pull_pair(*this, r, Z, z, dz, adjoint.dtheta, adjoint.dZ);
  }
}

Vector BivariateSm::diagonal(MatrixIn X) const {
  check_shapes("BivariateSm::diagonal", *this);
  Vector k = Vector::Zero(X.rows());
  for (Index r = 0; r < components(); ++r) {
    const Waves x = WavePair(*this, r, X).both;
    k += damped_wave_pairs(0.25 * alpha(r), rho(r), x, x);
  }
  return k;
}

void BivariateSm::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  check_shapes("BivariateSm::pull_diagonal", *this);
  const BivariateLayout at{components(), input_dims()};
  for (Index r = 0; r < at.R; ++r) {
    const WavePair x(*this, r, X);
    Waves dx = Waves::zero(X.rows(), at.D);
    const DampedWavesAdjoint a =
        pull_damped_wave_pairs(0.25 * alpha(r), rho(r), x.both, x.both, dL_dd, dx, dx);
    dtheta(at.alpha(r)) += a.dlog_weight;
    dtheta(at.rho(r)) += a.drho * rho(r) * (1 - rho(r));
    pull_pair(*this, r, X, x, dx, dtheta, dX);
  }
}

}  // namespace bochner
