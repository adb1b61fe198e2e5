#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

using Lanes = Eigen::Array<double, 8, 1>;  // partial sums side by side: one or more vector registers

}  // namespace

ScaledDistance::ScaledDistance(VectorIn ell, MatrixIn Z)
    : inverse_(ell.cwiseInverse()),
      U_((Z * inverse_.asDiagonal()).transpose()),
      squares_(Vector::Zero(ell.size())) {}

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
