#include "inputs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bochner/compute/batched.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/linalg/low_rank.hpp"

namespace bochner {
namespace {

constexpr Index exact_up_to = 400;  // smaller side of a table whose components are found exactly
constexpr double outlying =
    1.5;  // lengths of a long sample (nine of ten are shorter) at which another one is cut
constexpr Index most_fill = 30, rows_per_fill = 10, columns_per_fill = 3;
constexpr int fill_steps = 5;

/// The length that nine of ten rows stay below.
double long_row(const Matrix& X) {
  Vector lengths = X.rowwise().norm();
  const auto at = lengths.begin() + (9 * lengths.size()) / 10;
  std::nth_element(lengths.begin(), at, lengths.end());
  return *at;
}

/// Right singular vectors of X (n x M), top r of those that do not vanish.
Matrix components(const Matrix& X, Index r, const Rng& rng, const Compute& compute) {
  if (std::min(X.rows(), X.cols()) > exact_up_to)
    return randomized_svd(X, r, {}, rng.split("components"), compute).V;
  if (X.cols() <= X.rows()) return top_eigenpairs(inner_gram<double>(X, compute), r, {}, compute).vectors;
  const Eigenpairs pairs = top_eigenpairs(outer_gram<double>(X, compute), r, {}, compute);
  Index rank = 0;
  while (rank < r && pairs.values(rank) > 1e-10 * pairs.values(0)) ++rank;
  Matrix V = multiply_transposed<double>(X, pairs.vectors.leftCols(rank), compute);
  return V * pairs.values.head(rank).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Puts missing entries of centred and weighted rows at their conditional means.
class RowFill {
 public:
  explicit RowFill(const CrossViewInputs& in) : in_(in) {
    whole_ = in.penalty.asDiagonal();
    whole_.noalias() += in.fill.transpose() * in.fill;
  }

  void operator()(Eigen::Ref<Eigen::RowVectorXd> x) const {
    std::vector<Index> missing;
    for (Index m = 0; m < x.size(); ++m)
      if (std::isnan(x(m))) {
        missing.push_back(m);
        x(m) = 0;
      }
    if (missing.empty() || in_.penalty.size() == 0) return;
    const Matrix lacking = in_.fill(missing, Eigen::all);
    Eigen::MatrixXd A = whole_;
    A.noalias() -= lacking.transpose() * lacking;
    const Vector b = in_.fill.transpose() * x.transpose();
    const Vector t = SmallCholesky(A, "the precision of the components of a row").solve(b);
    x(missing) = (lacking * t).transpose();
  }

 private:
  const CrossViewInputs& in_;
  Eigen::MatrixXd whole_;  // fill'fill + diag(penalty)
};

void cut(double limit, Eigen::Ref<Eigen::RowVectorXd> x) {
  const double length = x.norm();
  if (length > limit) x *= limit / length;
}

void centre_and_weight(const CrossViewInputs& in, Eigen::Ref<Eigen::RowVectorXd> x) {
  x = (x - in.centre.transpose()).cwiseProduct(in.weight.transpose()).eval();
}

/// Principal components of a table with missing values, and the ratio of the variance of an entry that they leave to
/// that along each of them: expectation maximisation without the variance of what is filled in, from the means.
void learn_fill(const Matrix& X, const Rng& rng, const Compute& compute, CrossViewInputs& in) {
  const Index n = X.rows(), M = X.cols();
  const Index q = std::clamp<Index>(std::min(n / rows_per_fill, M / columns_per_fill), 1, most_fill);
  const auto measured = !X.array().isNaN();
  const double count = std::max(1.0, double(measured.count()));
  for (int step = 0; step < fill_steps; ++step) {
    Matrix filled = X;
    const RowFill fill(in);
    for (Index i = 0; i < n; ++i) fill(filled.row(i));
    const double usual = outlying * long_row(filled);
    for (Index i = 0; i < n; ++i) cut(usual, filled.row(i));
    if (filled.squaredNorm() == 0) return;
    const Matrix P = components(filled, std::min(q, std::min(n, M)), rng, compute);
    const Matrix T = multiply<double>(filled, P, compute);
    const double left =
        measured.select(filled - multiply<double>(T, P.transpose(), compute), 0.0).squaredNorm();
    in.fill = P;
    in.penalty = (left / count) * (T.colwise().squaredNorm().transpose() / double(n)).cwiseInverse();
    in.penalty = in.penalty.cwiseMax(1e-8).cwiseMin(1e8);
  }
}

/// Means and weights of the columns alone.
CrossViewInputs learn_weights_of_inputs(const SeenRows& seen, MatrixIn table, InputWeights weights) {
  const Index M = table.cols();
  CrossViewInputs in{.from = seen.from};
  in.centre = in.weight = Vector::Zero(M);
  in.fill = Matrix(M, 0);
  in.penalty = Vector(0);
  for (std::size_t v = 0; v + 1 < seen.starts.size(); ++v) {
    const Index first = seen.starts[v], columns = seen.starts[v + 1] - first;
    Vector variance = Vector::Zero(columns);
    for (Index m = first; m < first + columns; ++m) {
      const auto measured = !table.col(m).array().isNaN();
      const double count = double(measured.count());
      if (count == 0) continue;
      in.centre(m) = measured.select(table.col(m).array(), 0.0).sum() / count;
      variance(m - first) =
          measured.select((table.col(m).array() - in.centre(m)).square(), 0.0).sum() / count;
    }
    const double total = variance.sum();
    if (total == 0) continue;
    auto own = in.weight.segment(first, columns);
    own.setConstant(weights == InputWeights::as_fitted ? 1.0 : 1 / std::sqrt(total));
    // At most ten times what it was: the rounding of a column that hardly varies stays small.
    if (weights == InputWeights::standardised)
      own = own.array() *
            (total / double(columns) / variance.array().max(0.01 * total / double(columns))).sqrt();
  }
  return in;
}

}  // namespace

SeenRows seen_rows(const GplvmFit& fit, const Dataset& data, std::vector<std::string> from) {
  const Index N = data.rows();
  SeenRows out{.from = std::move(from), .starts = {0}};
  for (const std::string& name : out.from)
    out.starts.push_back(out.starts.back() + Index(fit.view(name).columns.size()));
  out.X.resize(N, out.starts.back());
  out.complete = VectorT<bool>::Constant(N, true);
  for (std::size_t v = 0; v < out.from.size(); ++v) {
    const GplvmView& known = fit.view(out.from[v]);
    Matrix Y = known.scaling.apply(select_columns(data.view(out.from[v]), known.columns).Y);
    VectorT<bool> silent = VectorT<bool>::Constant(Y.cols(), false);
    for (const std::vector<Index>* list : {&known.unmeasured, &known.constant})
      for (const Index m : *list) silent(m) = true;
    for (Index n = 0; n < N; ++n) {
      bool any = false;
      for (Index m = 0; m < Y.cols(); ++m) any = any || (!silent(m) && !std::isnan(Y(n, m)));
      out.complete(n) = out.complete(n) && any;
    }
    for (Index m = 0; m < Y.cols(); ++m)
      if (silent(m)) Y.col(m).setZero();
    out.X.middleCols(out.starts[v], Y.cols()) = Y;
  }
  return out;
}

LearnedInputs learn_inputs(const SeenRows& seen, MatrixIn table, InputWeights weights, Index most,
                           const Rng& rng, const Compute& compute) {
  const Index n = table.rows(), M = table.cols();
  LearnedInputs out{.inputs = learn_weights_of_inputs(seen, table, weights), .at = {}};
  CrossViewInputs& in = out.inputs;
  Matrix X = table;
  for (Index i = 0; i < n; ++i) centre_and_weight(in, X.row(i));
  if (X.array().isNaN().any()) {
    learn_fill(X, rng, compute, in);
    const RowFill fill(in);
    for (Index i = 0; i < n; ++i) fill(X.row(i));
  }
  const double usual = long_row(X);
  in.limit = usual > 0 ? outlying * usual : 1;
  for (Index i = 0; i < n; ++i) cut(in.limit, X.row(i));
  in.shift = X.colwise().mean().transpose();
  X.rowwise() -= in.shift.transpose();
  if (X.squaredNorm() == 0) {
    in.loadings = Matrix::Zero(M, 1);
    out.at = {Matrix::Zero(n, 1), Vector::Zero(n)};
    return out;
  }
  in.loadings = components(X, std::min({most, n - 1, M}), rng, compute);
  out.at.T = multiply<double>(X, in.loadings, compute);
  in.unit = out.at.T.squaredNorm() / double(n);
  in.loadings /= std::sqrt(in.unit);
  out.at.T /= std::sqrt(in.unit);
  out.at.length = X.rowwise().squaredNorm() / in.unit;
  return out;
}

Matrix fill_inputs(const SeenRows& seen, MatrixIn table, const Rng& rng, const Compute& compute) {
  Matrix out = table;
  if (!table.array().isNaN().any()) return out;
  CrossViewInputs in = learn_weights_of_inputs(seen, table, InputWeights::equal_views);
  Matrix X = table;
  for (Index i = 0; i < X.rows(); ++i) centre_and_weight(in, X.row(i));
  learn_fill(X, rng, compute, in);
  const RowFill fill(in);
  for (Index i = 0; i < X.rows(); ++i) {
    fill(X.row(i));
    for (Index m = 0; m < X.cols(); ++m)
      if (std::isnan(out(i, m))) out(i, m) = in.centre(m) + (in.weight(m) > 0 ? X(i, m) / in.weight(m) : 0.0);
  }
  return out;
}

CrossViewScores scores(const CrossViewInputs& inputs, MatrixIn table, const Compute& compute) {
  CrossViewScores out{Matrix(table.rows(), inputs.loadings.cols()), Vector(table.rows())};
  for_each_block(compute, table.rows(), 16, [&](Index begin, Index size) {
    Eigen::RowVectorXd x(table.cols());
    const RowFill fill(inputs);
    for (Index n = begin; n < begin + size; ++n) {
      x = table.row(n);
      centre_and_weight(inputs, x);
      fill(x);
      cut(inputs.limit, x);
      x -= inputs.shift.transpose();
      out.T.row(n).noalias() = x * inputs.loadings;
      out.length(n) = x.squaredNorm() / inputs.unit;
    }
  });
  return out;
}

}  // namespace bochner
