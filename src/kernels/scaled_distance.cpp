#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

using Lanes = Eigen::Array<double, 8, 1>;  // partial sums side by side: one or more vector registers

constexpr Index many_columns = 24;  // from here on a product of matrices is faster
constexpr double too_close = 1e-8;  // of |a|^2 + |u|^2: a distance below has lost half of its digits

}  // namespace

ScaledDistance::ScaledDistance(VectorIn ell, MatrixIn Z)
    : inverse_(ell.cwiseInverse()),
      U_((Z * inverse_.asDiagonal()).transpose()),
      squares_(Vector::Zero(ell.size())) {}

ScaledDistance::ScaledDistance(VectorIn ell, MatrixIn X, MatrixIn Z) : ScaledDistance(ell, Z) {
  if (X.cols() < many_columns) {
    X_ = X;
    return;
  }
  A_ = X * inverse_.asDiagonal();
  const Vector a2 = A_.rowwise().squaredNorm(), u2 = U_.colwise().squaredNorm();
  R2_.noalias() = -2 * (A_ * U_);
  for (Index i = 0; i < R2_.rows(); ++i)
    for (Index j = 0; j < R2_.cols(); ++j) {
      const double sum = a2(i) + u2(j);
      R2_(i, j) += sum;
      if (!(R2_(i, j) >= too_close * sum)) R2_(i, j) = (A_.row(i).transpose() - U_.col(j)).squaredNorm();
    }
}

void ScaledDistance::row(Index i, double* r2) const {
  if (wide())
    Eigen::Map<Vector>(r2, R2_.cols()) = R2_.row(i);
  else
    row(X_.row(i).data(), r2);
}

void ScaledDistance::pull_row(Index i, const double* w) {
  if (wide()) {
    if (W_.size() == 0) W_ = Matrix::Zero(A_.rows(), U_.cols());
    W_.row(i) = Eigen::Map<const Vector>(w, U_.cols());
  } else {
    if (dX_.size() == 0) dX_ = Matrix::Zero(X_.rows(), X_.cols());
    pull_row(X_.row(i).data(), w, dX_.row(i).data());
  }
}

void ScaledDistance::finish(VectorOut dlog_ell, MatrixOut dX, MatrixOut dZ) const {
  if (!wide()) {
    finish(dlog_ell, dZ);
    if (dX_.size() > 0) dX += dX_;
    return;
  }
  if (W_.size() == 0) return;
  const Vector rows = W_.rowwise().sum(), columns = W_.colwise().sum();
  const Matrix WU = W_ * U_.transpose(), WA = W_.transpose() * A_;  // n x D, m x D
  dlog_ell -= 2 * (A_.cwiseAbs2().transpose() * rows + U_.cwiseAbs2() * columns -
                   2 * A_.cwiseProduct(WU).colwise().sum().transpose());
  dX += (rows.asDiagonal() * A_ - WU) * (2 * inverse_).asDiagonal();
  dZ -= (WA - columns.asDiagonal() * U_.transpose()) * (2 * inverse_).asDiagonal();
}

void ScaledDistance::row(const double* x, double* r2) const {
  const Index m = U_.cols();
  Eigen::Map<Eigen::ArrayXd> out(r2, m);
  switch (U_.rows()) {  // one pass for the low dimensions of latent spaces
    case 1:
      out = (U_.row(0).transpose().array() - x[0] * inverse_(0)).square();
      return;
    case 2:
      out = (U_.row(0).transpose().array() - x[0] * inverse_(0)).square() +
            (U_.row(1).transpose().array() - x[1] * inverse_(1)).square();
      return;
    default:
      // Four at a time: reading and writing the sums costs more than the arithmetic.
      const auto square = [&](Index d) {
        return (U_.row(d).transpose().array() - x[d] * inverse_(d)).square();
      };
      const Index D = U_.rows();
      Index d = D % 4;
      out.setZero();
      for (Index first = 0; first < d; ++first) out += square(first);
      for (; d < D; d += 4) out += (square(d) + square(d + 1)) + (square(d + 2) + square(d + 3));
  }
}

void ScaledDistance::pull_row(const double* x, const double* w, double* dx) {
  const Index m = U_.cols(), whole = m - m % Lanes::SizeAtCompileTime;
  if (dU_.size() != U_.size()) dU_ = Matrix::Zero(U_.rows(), m);
  for (Index d = 0; d < U_.rows(); ++d) {
    const double centre = x[d] * inverse_(d);
    const double* u = U_.row(d).data();
    double* du = dU_.row(d).data();
    Lanes first = Lanes::Zero(), second = Lanes::Zero();
    for (Index j = 0; j < whole; j += Lanes::SizeAtCompileTime) {
      const Lanes difference = centre - Eigen::Map<const Lanes>(u + j);
      const Lanes weighted = Eigen::Map<const Lanes>(w + j) * difference;
      Eigen::Map<Lanes>(du + j) += weighted;
      first += weighted;
      second += weighted * difference;
    }
    double sum = first.sum(), squares = second.sum();
    for (Index j = whole; j < m; ++j) {
      const double difference = centre - u[j], weighted = w[j] * difference;
      du[j] += weighted;
      sum += weighted;
      squares += weighted * difference;
    }
    dx[d] += 2 * inverse_(d) * sum;
    squares_(d) += squares;
  }
}

void ScaledDistance::finish(VectorOut dlog_ell, MatrixOut dZ) const {
  dlog_ell -= 2 * squares_;
  if (dU_.size() == U_.size()) dZ -= dU_.transpose() * (2 * inverse_).asDiagonal();
}

void scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixOut R2) {
  const ScaledDistance distance(ell, Z);
  for (Index i = 0; i < X.rows(); ++i) distance.row(X.row(i).data(), R2.row(i).data());
}

void pull_scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixIn W, VectorOut dlog_ell,
                                MatrixOut dX, MatrixOut dZ) {
  ScaledDistance distance(ell, Z);
  for (Index i = 0; i < X.rows(); ++i) distance.pull_row(X.row(i).data(), W.row(i).data(), dX.row(i).data());
  distance.finish(dlog_ell, dZ);
}

}  // namespace bochner
