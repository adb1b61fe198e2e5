#include "frequency_trial.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/vector_math.hpp"
#include "bochner/random/wishart.hpp"

namespace bochner {

namespace {

// Fresh frequencies are rarely taken where data are many, but nothing else crosses between components.
constexpr double fresh_share = 0.2;

Eigen::ArrayXd determinant(const PairLaw& law) { return law.cc * law.ss - law.cs.square(); }

Eigen::ArrayXd mean_of_sines(const PairLaw& law) {
  return (law.cc * law.ts - law.cs * law.tc) / determinant(law);
}

/// The mean of the weights of cosines given those of sines.
Eigen::ArrayXd mean_of_cosines(const PairLaw& law, const Eigen::ArrayXd& sines) {
  return (law.tc - law.cs * sines) / law.cc;
}

}  // namespace

Trial make_trial(const BayesViewState& view, Index l, MatrixIn X, double step, Rng& rng,
                 const Compute& compute) {
  Trial out;
  const SpectralComponent& component = view.mixture.of(l);
  const Vector now = view.W.row(l);
  out.walk = rng.uniform() >= fresh_share;
  if (out.walk) {
    out.w = multivariate_normal(now, step * component.L, rng);
    out.log_ratio = log_density(component, out.w) - log_density(component, now);
  } else {
    out.w = multivariate_normal(component.mean, component.L, rng);
  }
  Matrix w(X.cols(), 2);
  w << now, out.w;
  const double scale = 1 / std::sqrt(double(view.W.rows()));
  out.pairs.resize(X.rows(), 4);
  out.products.resize(X.rows(), 6);
  for_each_block(compute, X.rows(), 1024, [&](Index begin, Index n) {
    const Matrix angle = X.middleRows(begin, n) * w;
    Matrix sine(n, 2), cosine(n, 2);
    sincos(angle.data(), sine.data(), cosine.data(), angle.size());
    for (const Index k : {0, 1}) {
      const auto c = scale * cosine.col(k).array(), s = scale * sine.col(k).array();
      auto pairs = out.pairs.middleRows(begin, n).middleCols(2 * k, 2).array();
      pairs.col(0) = c;
      pairs.col(1) = s;
      auto products = out.products.middleRows(begin, n).middleCols(3 * k, 3).array();
      products.col(0) = c.square();
      products.col(1) = c * s;
      products.col(2) = s.square();
    }
  });
  return out;
}

RowPlan row_blocks(const BayesTable& t) {
  return RowPlan::make(t.rows(), std::clamp<Index>(16384 / t.cols(), 16, 256));
}

PairSums sum_rows(const Compute& compute, const BayesTable& t,
                  const std::function<void(Index, Index, PairSums&)>& add) {
  return sum_over_rows<PairSums>(compute, row_blocks(t),
                                 {Matrix::Zero(6, t.cols()), Matrix::Zero(4, t.cols())},
                                 [&](PairSums& sum, Index begin, Index size) { add(begin, size, sum); });
}

Matrix PairLaw::mean() const {
  Matrix out(2, cc.size());
  const Eigen::ArrayXd sines = mean_of_sines(*this);
  out << mean_of_cosines(*this, sines).matrix().transpose(), sines.matrix().transpose();
  return out;
}

double PairLaw::log_integral() const {
  const Matrix m = mean();
  return 0.5 *
         (tc * m.row(0).transpose().array() + ts * m.row(1).transpose().array() - determinant(*this).log())
             .sum();
}

Matrix PairLaw::draw(Rng& rng) const {
  const Eigen::ArrayXd sines =
      mean_of_sines(*this) + rng.normal(cc.size()).array() / (determinant(*this) / cc).sqrt();
  const Eigen::ArrayXd cosines = mean_of_cosines(*this, sines) + rng.normal(cc.size()).array() / cc.sqrt();
  Matrix out(2, cc.size());
  out << cosines.matrix().transpose(), sines.matrix().transpose();
  return out;
}

double PairLaw::log_density(const Matrix& weights) const {
  // By the same conditionals as a draw: where the law is nearly singular, rounding is the same, too.
  const Eigen::ArrayXd sines = weights.row(1).transpose(), precision = determinant(*this) / cc,
                       c = weights.row(0).transpose().array() - mean_of_cosines(*this, sines),
                       s = sines - mean_of_sines(*this);
  return 0.5 * (cc.log() + precision.log() - cc * c.square() - precision * s.square()).sum();
}

PairLaw make_law(const PairSums& sums, Index which, double amplitude) {
  const auto row = [](const Matrix& M, Index r) { return M.row(r).transpose().array(); };
  return {row(sums.S, 3 * which) + 1 / amplitude, row(sums.S, 3 * which + 1),
          row(sums.S, 3 * which + 2) + 1 / amplitude, row(sums.T, 2 * which), row(sums.T, 2 * which + 1)};
}

Matrix weights_of(const BayesViewState& view, Index l) {
  Matrix out(2, view.B.cols());
  out << view.B.row(l), view.B.row(view.W.rows() + l);
  return out;
}

void keep_weights(BayesViewState& view, Index l, const Matrix& weights) {
  view.B.row(l) = weights.row(0);
  view.B.row(view.W.rows() + l) = weights.row(1);
}

Change change_of(Matrix pairs, const Matrix& from, const Matrix& to, bool accepted) {
  Change out{std::move(pairs), Matrix::Zero(4, from.cols())};
  out.weights.topRows(2) = -from;
  out.weights.middleRows(accepted ? 2 : 0, 2) += to;
  return out;
}

void count(FrequencyMoves& moves, bool walk, bool accepted) {
  ++(walk ? moves.proposed : moves.fresh);
  if (accepted) ++(walk ? moves.accepted : moves.fresh_accepted);
}

}  // namespace bochner
