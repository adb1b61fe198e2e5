#include "cross_view_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/linalg/low_rank.hpp"

namespace bochner {
namespace {

constexpr Index exact_up_to = 400;  // smaller side of a table whose components are found exactly
constexpr double far = 2;           // lengths of the usual sample at which an outlying one is cut

Dataset only(const Dataset& data, const std::vector<std::string>& names) {
  std::vector<View> views;
  for (const std::string& name : names) views.push_back(data.view(name));
  return join(std::move(views), {.allow_disjoint = true});
}

double median(Vector values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
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

/// x0 cut at the limit, minus the shift.
void cut(const CrossViewInputs& in, Eigen::Ref<Eigen::RowVectorXd> x) {
  x = (x - in.centre.transpose()).cwiseProduct(in.weight.transpose()).eval();
  const double length = x.norm();
  if (length > in.limit) x *= in.limit / length;
  if (in.shift.size() > 0) x -= in.shift.transpose();
}

}  // namespace

SeenRows::SeenRows(const GplvmFit& fit, const Dataset& data, std::vector<std::string> from)
    : fit_(fit), from_(std::move(from)), data_(only(data, from_)), starts_{0} {
  const Index N = data.rows();
  for (const std::string& name : from_)
    starts_.push_back(starts_.back() + Index(fit.view(name).columns.size()));
  X_.resize(N, starts_.back());
  complete_ = VectorT<bool>::Constant(N, true);
  embedded_ = VectorT<bool>::Constant(N, false);
  latent_ = Matrix::Zero(N, fit.dims());
  for (std::size_t v = 0; v < from_.size(); ++v) {
    const GplvmView& known = fit.view(from_[v]);
    Matrix Y = known.scaling.apply(select_columns(data.view(from_[v]), known.columns).Y);
    VectorT<bool> silent = VectorT<bool>::Constant(Y.cols(), false);
    for (const std::vector<Index>* list : {&known.unmeasured, &known.constant})
      for (const Index m : *list) silent(m) = true;
    for (Index n = 0; n < N; ++n) {
      bool any = false;
      for (Index m = 0; m < Y.cols(); ++m) any = any || (!silent(m) && !std::isnan(Y(n, m)));
      complete_(n) = complete_(n) && any;
    }
    for (Index m = 0; m < Y.cols(); ++m)
      if (silent(m)) Y.col(m).setZero();
    X_.middleCols(starts_[v], Y.cols()) = Y;
  }
}

void SeenRows::embed_rows(const std::vector<Index>& rows, const Compute& compute) {
  std::vector<Index> fresh;
  for (const Index n : rows)
    if (!embedded_(n)) fresh.push_back(n);
  if (fresh.empty()) return;
  const Dataset some = data_.take_rows(Eigen::Map<const IndexVector>(fresh.data(), Index(fresh.size())));
  const LatentPosterior at = embed(fit_, some, compute);
  latent_(fresh, Eigen::all) = at.mean;
  for (const Index n : fresh) embedded_(n) = true;
  for (std::size_t v = 0; v < from_.size(); ++v) {
    const Index begin = starts_[v], size = starts_[v + 1] - begin;
    if (!X_(fresh, Eigen::seqN(begin, size)).array().isNaN().any()) continue;
    const GplvmView& known = fit_.view(from_[v]);
    const Matrix F = known.scaling.apply(predict(known, at, compute).mean);
    for (std::size_t i = 0; i < fresh.size(); ++i)
      for (Index m = 0; m < size; ++m)
        if (double& x = X_(fresh[i], begin + m); std::isnan(x)) x = F(Index(i), m);
  }
}

Matrix SeenRows::table(const std::vector<Index>& rows, const Compute& compute) {
  std::vector<Index> missing;
  for (const Index n : rows)
    if (X_.row(n).array().isNaN().any()) missing.push_back(n);
  embed_rows(missing, compute);
  return X_(rows, Eigen::all);
}

Matrix SeenRows::latents(const std::vector<Index>& rows, const Compute& compute) {
  embed_rows(rows, compute);
  return latent_(rows, Eigen::all);
}

CrossViewInputs learn_inputs(const SeenRows& seen, MatrixIn table, bool equal_views, Index most,
                             const Rng& rng, const Compute& compute) {
  const Index n = table.rows(), M = table.cols();
  CrossViewInputs in{.from = seen.from()};
  in.centre = table.colwise().mean().transpose();
  in.weight = Vector::Zero(M);
  in.limit = std::numeric_limits<double>::infinity();
  Matrix X = table;
  for (std::size_t v = 0; v + 1 < seen.starts().size(); ++v) {
    const Index begin = seen.starts()[v], size = seen.starts()[v + 1] - begin;
    const double total =
        (X.middleCols(begin, size).rowwise() - in.centre.segment(begin, size).transpose()).squaredNorm() /
        double(n);
    if (total > 0) in.weight.segment(begin, size).setConstant(equal_views ? 1 / std::sqrt(total) : 1.0);
  }
  for (Index i = 0; i < n; ++i) cut(in, X.row(i));
  const double usual = median(X.rowwise().norm());
  in.limit = usual > 0 ? far * usual : 1;
  for (Index i = 0; i < n; ++i)
    if (const double length = X.row(i).norm(); length > in.limit) X.row(i) *= in.limit / length;
  in.shift = X.colwise().mean().transpose();
  X.rowwise() -= in.shift.transpose();
  if (X.squaredNorm() == 0) {
    in.loadings = Matrix::Zero(M, 1);
    return in;
  }
  in.loadings = components(X, std::min({most, n - 1, M}), rng, compute);
  in.unit = multiply<double>(X, in.loadings, compute).squaredNorm() / double(n);
  in.loadings /= std::sqrt(in.unit);
  return in;
}

CrossViewScores scores(const CrossViewInputs& inputs, MatrixIn table, const Compute& compute) {
  CrossViewScores out{Matrix(table.rows(), inputs.loadings.cols()), Vector(table.rows())};
  // Row by row, so that the answer for a sample has the same bytes in any company.
  for_each_block(compute, table.rows(), 16, [&](Index begin, Index size) {
    Eigen::RowVectorXd x(table.cols());
    for (Index n = begin; n < begin + size; ++n) {
      x = table.row(n);
      cut(inputs, x);
      out.T.row(n).noalias() = x * inputs.loadings;
      out.length(n) = x.squaredNorm() / inputs.unit;
    }
  });
  return out;
}

}  // namespace bochner
