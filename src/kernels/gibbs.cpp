#include "bochner/kernels/gibbs.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

/// The slope of log k in log ell of one side, q = ell^2 of that side: D/2 - D q / S + 2 r2 q / S^2.
template <class Q, class S, class R>
auto log_slope(double D, const Q& q, const S& sum, const R& r2) {
  return q / sum * (2 * r2 / sum - D) + D / 2;
}

/// d|x|/dx, 0 at the origin.
Vector direction(VectorIn x) { return x.norm() > 0 ? Vector(x / x.norm()) : Vector::Zero(x.size()); }

/// ell(x)^2 given |x|, kept between e^-600 and e^600: far out the kernel is 1 on the diagonal and 0 elsewhere, not 0/0.
double squared_length(const Gibbs& k, double norm) {
  return std::exp(std::clamp(2 * (k.a + k.b * norm), -600., 600.));
}

Eigen::ArrayXd squared_lengths(const Gibbs& k, MatrixIn X) {
  return X.rowwise().norm().unaryExpr([&](double norm) { return squared_length(k, norm); });
}

}  // namespace

std::vector<std::string> Gibbs::parameter_names() const { return {"a", "b", "log sigma2"}; }

Vector Gibbs::parameters() const { return Vector{{a, b, std::log(sigma2)}}; }

Gibbs Gibbs::with_parameters(VectorIn theta) const {
  check_size("Gibbs::with_parameters", "size of theta", theta.size(), "parameter_count()", parameter_count());
  return {.a = theta(0), .b = theta(1), .sigma2 = std::exp(theta(2))};
}

double Gibbs::operator()(VectorIn x, VectorIn y) const {
  const double qx = squared_length(*this, x.norm()), qy = squared_length(*this, y.norm()), S = qx + qy;
  return sigma2 * std::pow(2 * std::sqrt(qx) * std::sqrt(qy) / S, 0.5 * double(x.size())) *
         std::exp(-(x - y).squaredNorm() / S);
}

Vector Gibbs::gradient(VectorIn x, VectorIn y) const {
  const double D = double(x.size()), r2 = (x - y).squaredNorm(), k = (*this)(x, y);
  const double qx = squared_length(*this, x.norm()), qy = squared_length(*this, y.norm());
  const double gx = log_slope(D, qx, qx + qy, r2), gy = log_slope(D, qy, qx + qy, r2);
  return k * Vector{{gx + gy, gx * x.norm() + gy * y.norm(), 1}};  // dlog ell/da = 1, dlog ell/db = |x|
}

Vector Gibbs::input_gradient(VectorIn x, VectorIn y) const {
  const double D = double(x.size()), r2 = (x - y).squaredNorm();
  const double qx = squared_length(*this, x.norm()), S = qx + squared_length(*this, y.norm());
  return (*this)(x, y) * (log_slope(D, qx, S, r2) * b * direction(x) - 2 / S * (x - y));
}

void Gibbs::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  const ScaledDistance distance(Vector::Ones(X.cols()), Z);
  const Eigen::ArrayXd qx = squared_lengths(*this, X), qz = squared_lengths(*this, Z), ell = qz.sqrt();
  Eigen::ArrayXd S(Z.rows()), log_ratio(Z.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    auto k = K.row(i).transpose().array();
    distance.row(X.row(i).data(), K.row(i).data());
    S = qx(i) + qz;
    log_ratio = 2 * std::sqrt(qx(i)) * ell / S;
    log(log_ratio.data(), log_ratio.data(), log_ratio.size());
    k = 0.5 * double(X.cols()) * log_ratio - k / S;
    exp(K.row(i).data(), K.row(i).data(), K.cols());
    k *= sigma2;
  }
}

void Gibbs::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const double D = double(X.cols());
  ScaledDistance distance(Vector::Ones(X.cols()), Z);
  const Eigen::ArrayXd qx = squared_lengths(*this, X), qz = squared_lengths(*this, Z);
  Eigen::ArrayXd r2(Z.rows()), S(Z.rows()), KdK(Z.rows());
  Vector dlog_ell_z = Vector::Zero(Z.rows());  // adjoints of log ell(z_j)
  // `side` hands the adjoint g of log ell at one point on to a, b and the point
  const auto side = [&](const auto& x, double g, auto dx) {
    adjoint.dtheta(0) += g;
    adjoint.dtheta(1) += g * x.norm();
    dx += g * b * direction(x.transpose()).transpose();
  };
  for (Index i = 0; i < X.rows(); ++i) {
    distance.row(X.row(i).data(), r2.data());
    S = qx(i) + qz;
    KdK = K.row(i).cwiseProduct(dL_dK.row(i)).transpose();
    adjoint.dtheta(2) += KdK.sum();
    side(X.row(i), (KdK * log_slope(D, qx(i), S, r2)).sum(), adjoint.dX.row(i));
    dlog_ell_z.array() += KdK * log_slope(D, qz, S, r2);
    r2 = -KdK / S;  // dL/dr2
    distance.pull_row(X.row(i).data(), r2.data(), adjoint.dX.row(i).data());
  }
  for (Index j = 0; j < Z.rows(); ++j) side(Z.row(j), dlog_ell_z(j), adjoint.dZ.row(j));
  Vector unused = Vector::Zero(X.cols());
  distance.finish(unused, adjoint.dZ);
}

Vector Gibbs::diagonal(MatrixIn X) const { return Vector::Constant(X.rows(), sigma2); }

void Gibbs::pull_diagonal(MatrixIn, VectorIn dL_dd, VectorOut dtheta, MatrixOut) const {
  dtheta(2) += sigma2 * dL_dd.sum();
}

}  // namespace bochner
