#include "bochner/kernels/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/kernels/bessel_ratios.hpp"
#include "bochner/kernels/parameters.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

/// A block of rows on its circles: Angle = 2 pi x_d / p_d (n x D), Circle = [cos Angle, sin Angle] (n x 2D).
struct Wound {
  Matrix Angle, Circle;

  Wound(const Vector& period, MatrixIn X) : Angle(X * (2 * pi / period.array()).matrix().asDiagonal()) {
    Matrix S(X.rows(), X.cols()), C(X.rows(), X.cols());
    sincos(Angle.data(), S.data(), C.data(), Angle.size());
    Circle.resize(X.rows(), 2 * X.cols());
    Circle << C, S;
  }

  /// The adjoint of Circle, turned into those of X and log period.
  void pull(const Vector& period, const Matrix& dCircle, VectorOut dlog_period, MatrixOut dX) const {
    const Index D = Angle.cols();
    const Matrix dAngle = dCircle.rightCols(D).cwiseProduct(Circle.leftCols(D)) -
                          dCircle.leftCols(D).cwiseProduct(Circle.rightCols(D));
    dX += dAngle * (2 * pi / period.array()).matrix().asDiagonal();
    dlog_period -= dAngle.cwiseProduct(Angle).colwise().sum().transpose();  // dangle/dlog p = -angle
  }
};

Vector twice(const Vector& ell) {
  Vector both(2 * ell.size());
  both << ell, ell;
  return both;
}

/// log c_j(ell_d) - log q_j per row and dimension, and its slope in log ell_d. Beyond the table c_j underflows, the
/// ratio is zero and so is everything that depends on it.
struct HarmonicRatios {
  Matrix log_ratio, slope;  // L x D

  HarmonicRatios(const Vector& ell, const Matrix& J)
      : log_ratio(J.rows(), J.cols()), slope(J.rows(), J.cols()) {
    for (Index d = 0; d < J.cols(); ++d) {
      const double z = 1 / (ell(d) * ell(d));
      // log c_j < -j^2 / (2 z + 2 j / 3) (harmonics.cpp): below -1600 for j > 60 sqrt(z) + 3200, and so is the ratio
      // zero in double precision, square root and all
      const double last = std::min(J.col(d).cwiseAbs().maxCoeff(), std::ceil(60 * std::sqrt(z) + 3200));
      const HarmonicLogs logs = harmonic_logs(z, static_cast<Index>(last));
      for (Index l = 0; l < J.rows(); ++l) {
        const double j = std::abs(J(l, d));
        const Index at = static_cast<Index>(std::min(j, last));
        log_ratio(l, d) = logs.log_c(at) - log_harmonic_law(j);
        slope(l, d) = -2 * logs.slope(at);  // z = ell^-2
      }
    }
  }

  Vector amplitude(double sigma2) const {
    const double L = double(log_ratio.rows());
    return (0.5 * log_ratio.rowwise().sum().array()).exp() * std::sqrt(sigma2 / L);
  }
};

}  // namespace

std::vector<std::string> Periodic::parameter_names() const {
  std::vector<std::string> names = numbered("log ell", ell.size());
  for (const std::string& name : numbered("log period", period.size())) names.push_back(name);
  names.push_back("log sigma2");
  return names;
}

Vector Periodic::parameters() const {
  Vector theta(parameter_count());
  theta << ell.array().log().matrix(), period.array().log().matrix(), std::log(sigma2);
  return theta;
}

Periodic Periodic::with_parameters(VectorIn theta) const {
  check_size("Periodic::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  const Index D = ell.size();
  return {.ell = theta.head(D).array().exp(),
          .period = theta.segment(D, D).array().exp(),
          .sigma2 = std::exp(theta(2 * D))};
}

double Periodic::operator()(VectorIn x, VectorIn y) const {
  const auto sine = (pi * (x - y).array() / period.array()).sin();
  return sigma2 * std::exp(-2 * (sine / ell.array()).square().sum());
}

Vector Periodic::gradient(VectorIn x, VectorIn y) const {
  const Eigen::ArrayXd angle = pi * (x - y).array() / period.array();
  const double k = (*this)(x, y);
  Vector g(parameter_count());
  // dk/dlog ell = 4 k sin^2 / ell^2;  dk/dangle = -2 k sin(2 angle) / ell^2, dangle/dlog p = -angle
  g << 4 * k * (angle.sin() / ell.array()).square().matrix(),
      2 * k * ((2 * angle).sin() * angle / ell.array().square()).matrix(), k;
  return g;
}

Vector Periodic::input_gradient(VectorIn x, VectorIn y) const {
  const Eigen::ArrayXd angle = pi * (x - y).array() / period.array();
  return -2 * pi * (*this)(x, y) * ((2 * angle).sin() / (period.array() * ell.array().square())).matrix();
}

void Periodic::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_size("Periodic", "size of period", period.size(), "size of ell", ell.size());
  const Wound wound_X(period, X), wound_Z(period, Z);
  const ScaledDistance distance(twice(ell), wound_Z.Circle);
  for (Index i = 0; i < X.rows(); ++i) {
    auto k = K.row(i);
    distance.row(wound_X.Circle.row(i).data(), k.data());
    k *= -0.5;
    exp(k.data(), k.data(), k.size());
    k *= sigma2;
  }
}

void Periodic::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Index D = ell.size();
  const Wound wound_X(period, X), wound_Z(period, Z);
  ScaledDistance distance(twice(ell), wound_Z.Circle);
  Matrix dX = Matrix::Zero(X.rows(), 2 * D), dZ = Matrix::Zero(Z.rows(), 2 * D);
  Vector w(Z.rows()), dlog_ell = Vector::Zero(2 * D);
  double total = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    w = -0.5 * K.row(i).cwiseProduct(dL_dK.row(i)).transpose();
    total += w.sum();
    distance.pull_row(wound_X.Circle.row(i).data(), w.data(), dX.row(i).data());
  }
  distance.finish(dlog_ell, dZ);
  adjoint.dtheta.head(D) += dlog_ell.head(D) + dlog_ell.tail(D);
  adjoint.dtheta(2 * D) -= 2 * total;
  wound_X.pull(period, dX, adjoint.dtheta.segment(D, D), adjoint.dX);
  wound_Z.pull(period, dZ, adjoint.dtheta.segment(D, D), adjoint.dZ);
}

Vector Periodic::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), sigma2); }

void Periodic::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta(2 * ell.size()) += sigma2 * dL_dd.sum();
}

SpectralNoise Periodic::draw_noise(Index L, Directions, Rng& rng) const {
  check_at_least("Periodic::draw_noise", "L", L, 1);
  SpectralNoise noise{.extra = Matrix(L, ell.size())};
  for (Index l = 0; l < L; ++l)
    for (Index d = 0; d < ell.size(); ++d) noise.extra(l, d) = draw_harmonic(rng);
  return noise;
}

Frequencies Periodic::frequencies(const SpectralNoise& noise) const {
  check_noise("Periodic::frequencies", noise.extra, noise.extra.rows(), ell.size());
  return {.Omega1 = noise.extra * (2 * pi / period.array()).matrix().asDiagonal(),
          .amplitude = HarmonicRatios(ell, noise.extra).amplitude(sigma2)};
}

Vector Periodic::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  check_noise("Periodic::frequencies_pullback", noise.extra, noise.extra.rows(), ell.size());
  check_adjoint("Periodic::frequencies_pullback", dL, noise.extra.rows(), ell.size(), false);
  const HarmonicRatios ratios(ell, noise.extra);
  const Matrix Omega = noise.extra * (2 * pi / period.array()).matrix().asDiagonal();
  const Vector AdA = ratios.amplitude(sigma2).cwiseProduct(dL.amplitude);
  Vector g(parameter_count());
  g << 0.5 * ratios.slope.transpose() * AdA, -Omega.cwiseProduct(dL.Omega1).colwise().sum().transpose(),
      0.5 * AdA.sum();
  return g;
}

}  // namespace bochner
