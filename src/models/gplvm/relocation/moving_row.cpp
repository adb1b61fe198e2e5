#include "moving_row.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"

namespace bochner {

MovingRow::MovingRow(const AnyKernel& kernel, double sigma2, const Matrix& X, const Matrix& Y,
                     const Matrix& filled, const Compute& compute)
    : kernel_(kernel), sigma2_(sigma2), place_(static_cast<std::size_t>(X.rows()), -1) {
  const BoolMatrix measured = !Y.array().isNaN();
  for (Index n = 0; n < X.rows(); ++n)
    if (measured.row(n).any()) {
      place_[static_cast<std::size_t>(n)] = Index(rows_.size());
      rows_.push_back(n);
    }
  X_ = X(rows_, Eigen::all);
  Y_ = filled(rows_, Eigen::all);
  measured_ = measured(rows_, Eigen::all);
  Matrix S = gram(kernel, X_, compute);
  S.diagonal().array() += sigma2;
  C_ = inverse(cholesky(std::move(S), {.what = "the covariance of the rows"}, compute), compute);
  A_ = multiply<double>(C_, Y_, compute);
}

MovingRow::At MovingRow::look(Index n, const Matrix& x) const {
  Matrix K(1, X_.rows());
  gram_block(kernel_, x, X_, K);
  Vector k = K.row(0).transpose();
  k(n) = 0;
  const Vector own = C_.col(n);
  const double share = own.dot(k) / own(n);
  At out{.c = C_ * k - share * own, .mean = A_.transpose() * k - share * A_.row(n).transpose()};
  out.c(n) = 0;
  // Not below what one row beside an equal one leaves, whatever rounding says.
  out.s = std::max(diagonal(kernel_, x)(0) - k.dot(out.c), 0.0) + sigma2_;
  return out;
}

double MovingRow::density(Index n, const Vector& error, double s) const {
  double out = 0;
  for (Index m = 0; m < error.size(); ++m)
    if (measured_(n, m)) out += std::log(2 * std::numbers::pi * s) + error(m) * error(m) / s;
  return -0.5 * out;
}

double MovingRow::gain(Index row, const Matrix& x) const {
  const Index n = place_[static_cast<std::size_t>(row)];
  if (n < 0) return 0;
  const At there = look(n, x);
  // As it is: y_n - mean = A_n / C_nn, s = 1 / C_nn.
  const double own = C_(n, n);
  return density(n, Y_.row(n).transpose() - there.mean, there.s) -
         density(n, A_.row(n).transpose() / own, 1 / own);
}

void MovingRow::move(Index row, const Matrix& x) {
  const Index n = place_[static_cast<std::size_t>(row)];
  if (n < 0) return;
  const At there = look(n, x);
  const Vector own = C_.col(n);
  const Vector error = Y_.row(n).transpose() - there.mean;
  // The inverse without row n, then with it in its new place.
  A_ -= own * (A_.row(n) / own(n)).eval();
  A_ -= there.c * (error.transpose() / there.s);
  A_.row(n) = error.transpose() / there.s;
  C_ -= own * (own.transpose() / own(n));
  C_ += there.c * (there.c.transpose() / there.s);
  C_.col(n) = -there.c / there.s;
  C_.row(n) = C_.col(n).transpose();
  C_(n, n) = 1 / there.s;
  X_.row(n) = x.row(0);
}

Index move_where_it_gains(std::vector<MovingRow>& views, const std::vector<Index>& order,
                          const LatentPosterior& proposed, double nats, LatentPosterior& latent) {
  const auto prior = [](const LatentPosterior& at, Index n) {  // minus the divergence from it
    return (0.5 * (1 - at.mean.row(n).array().square() - at.sd.row(n).array().square()) +
            at.sd.row(n).array().log())
        .sum();
  };
  Index moved = 0;
  for (const Index n : order) {
    const Matrix x = proposed.mean.row(n);
    double gain = prior(proposed, n) - prior(latent, n);
    for (const MovingRow& view : views) gain += view.gain(n, x);
    if (!(gain > nats)) continue;
    for (MovingRow& view : views) view.move(n, x);
    latent.mean.row(n) = proposed.mean.row(n);
    latent.sd.row(n) = proposed.sd.row(n);
    ++moved;
  }
  return moved;
}

}  // namespace bochner
