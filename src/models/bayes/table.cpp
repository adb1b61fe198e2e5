#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numeric>
#include <stdexcept>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/features/fourier_features.hpp"

namespace bochner {

namespace {

double clamp_share(double share, double n) { return std::min(std::max(share, 0.5 / n), 1 - 0.5 / n); }

/// Link of the mean of a column: where its intercept is before anything is known about x.
double centre_of(const BayesTable& t, Index j) {
  const auto exposed = [&] {  // rows measured, each as many as its exposure
    return t.offset.size() > 0 ? t.offset.array().exp().matrix().dot(t.seen.col(j)) : t.measured(j);
  };
  const double n = t.measured(j), sum = t.Y.col(j).sum();
  if (n == 0) return 0;
  switch (t.likelihood) {
    case BayesLikelihood::gaussian:
      return sum / n;
    case BayesLikelihood::poisson:
    case BayesLikelihood::negbinom:
      return std::log(std::max(sum, 0.5) / exposed());
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli: {
      const double trials = std::max(t.trials.col(j).sum(), 1.0), share = clamp_share(sum / trials, trials);
      return std::log(share / (1 - share));
    }
    case BayesLikelihood::multinomial:
    case BayesLikelihood::categorical:
      return std::log(std::max(sum, 0.5) / n);
  }
  return 0;
}

void count_totals(BayesTable& t) {
  const auto G = static_cast<Index>(t.groups.size()) - 1;
  t.totals.resize(t.rows(), G);
  for (Index g = 0; g < G; ++g) {
    const Index begin = t.groups[static_cast<std::size_t>(g)],
                size = t.groups[static_cast<std::size_t>(g + 1)] - begin;
    t.totals.col(g) = t.Y.middleCols(begin, size).rowwise().sum();
    // A softmax does not see what all of its columns have in common: centres are shares.
    const Vector centre = t.intercept.segment(begin, size);
    const double top = centre.maxCoeff();
    t.intercept.segment(begin, size).array() -= top + std::log((centre.array() - top).exp().mean());
  }
}

void check_counts(const BayesTable& t) {
  const bool counts = t.likelihood != BayesLikelihood::gaussian;
  for (Index n = 0; n < t.rows(); ++n)
    for (Index j = 0; j < t.cols(); ++j) {
      const double y = t.Y(n, j);
      if (counts && !(y >= 0 && y == std::floor(y) && y <= 1e15))
        throw std::domain_error("make_bayes_table: counts must be whole numbers from 0");
      if (t.trials.size() > 0 && y > t.trials(n, j))
        throw std::domain_error("make_bayes_table: more successes than trials");
    }
}

Vector logarithms_of(BayesLikelihood likelihood, const Vector& exposure, Index N) {
  if (exposure.size() == 0) return {};
  check_size("make_bayes_table", "exposures", exposure.size(), "rows of Y", N);
  if (!has_exposure(likelihood))
    throw std::invalid_argument("make_bayes_table: only Poisson and negative binomial counts have exposures");
  if (!(exposure.array() > 0).all() || !exposure.allFinite())
    throw std::domain_error("make_bayes_table: exposures must be positive numbers");
  return exposure.array().log();
}

/// Labels as counts of one, a column for each class.
Matrix one_hot(MatrixIn Y, const std::vector<Index>& classes, std::vector<Index>& groups) {
  check_size("make_bayes_table", "classes", static_cast<Index>(classes.size()), "columns of Y", Y.cols());
  groups = {0};
  for (const Index C : classes) {
    check_at_least("make_bayes_table", "classes", C, 2);
    groups.push_back(groups.back() + C);
  }
  Matrix out = Matrix::Zero(Y.rows(), groups.back());
  for (Index m = 0; m < Y.cols(); ++m) {
    const Index begin = groups[static_cast<std::size_t>(m)], C = classes[static_cast<std::size_t>(m)];
    for (Index n = 0; n < Y.rows(); ++n) {
      if (std::isnan(Y(n, m))) {
        out.row(n).segment(begin, C).setConstant(Y(n, m));
        continue;
      }
      if (!(Y(n, m) >= 0 && Y(n, m) < double(C) && Y(n, m) == std::floor(Y(n, m))))
        throw std::domain_error("make_bayes_table: labels must be whole numbers below the number of classes");
      out(n, begin + static_cast<Index>(Y(n, m))) = 1;
    }
  }
  return out;
}

}  // namespace

BayesTable make_bayes_table(BayesLikelihood likelihood, MatrixIn Y, MatrixIn trials,
                            const std::vector<Index>& classes, const Vector& exposure) {
  BayesTable t{.likelihood = likelihood};
  const Matrix values =
      likelihood == BayesLikelihood::categorical ? one_hot(Y, classes, t.groups) : Matrix(Y);
  const Index N = values.rows(), J = values.cols();
  t.seen = values.array().isNaN().select(Matrix::Zero(N, J), Matrix::Ones(N, J));
  t.complete = (t.seen.array() == 1).all();
  t.Y = values.array().isNaN().select(Matrix::Zero(N, J), values);
  t.measured = t.seen.colwise().sum();
  if (likelihood == BayesLikelihood::bernoulli) t.trials = t.seen;
  if (likelihood == BayesLikelihood::binomial) {
    const bool one = trials.size() == 1;
    if (!one) {
      check_size("make_bayes_table", "rows of trials", trials.rows(), "rows of Y", N);
      check_size("make_bayes_table", "columns of trials", trials.cols(), "columns of Y", J);
    }
    const Matrix all = one ? Matrix(Matrix::Constant(N, J, trials(0, 0))) : Matrix(trials);
    t.trials = (t.seen.array() == 1).select(all, Matrix::Zero(N, J));
  }
  check_counts(t);
  t.offset = logarithms_of(likelihood, exposure, N);
  t.intercept.resize(J);
  for (Index j = 0; j < J; ++j) t.intercept(j) = centre_of(t, j);
  if (likelihood == BayesLikelihood::multinomial) t.groups = {0, J};
  if (is_softmax(likelihood)) count_totals(t);
  return t;
}

std::vector<Index> first_alike(const std::vector<BayesTable>& tables) {
  const auto compare = [&](Index a, Index b) -> std::partial_ordering {
    for (const BayesTable& t : tables) {
      if (t.offset.size() > 0 && t.offset(a) != t.offset(b)) return t.offset(a) <=> t.offset(b);
      for (const Matrix* values : {&t.Y, &t.seen, &t.trials, &t.covariates}) {
        if (values->size() == 0) continue;
        const double *row_a = values->row(a).data(), *row_b = values->row(b).data();
        const auto order = std::lexicographical_compare_three_way(row_a, row_a + values->cols(), row_b,
                                                                  row_b + values->cols());
        if (order != 0) return order;
      }
    }
    return std::partial_ordering::equivalent;
  };
  std::vector<Index> order(static_cast<std::size_t>(tables.front().rows())), out(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return compare(a, b) < 0; });
  Index first = order.front();
  for (const Index n : order) {
    if (compare(first, n) != 0) first = n;
    out[static_cast<std::size_t>(n)] = first;
  }
  return out;
}

Matrix with_offset(const BayesTable& t, Index begin, MatrixIn F) {
  if (t.offset.size() == 0) return F;
  return F.colwise() + t.offset.segment(begin, F.rows());
}

Matrix bayes_features(MatrixIn W, MatrixIn X, const Compute& compute) {
  return bayes_features(W, X, Matrix(), compute);
}

Matrix bayes_features(MatrixIn W, MatrixIn X, MatrixIn covariates, const Compute& compute) {
  const Index L = W.rows(), C = covariates.cols();
  const FourierFeatures<double> map{
      .Omega1 = W, .Omega2 = Matrix(), .amplitude = Vector::Constant(L, 1 / std::sqrt(double(L)))};
  Matrix Phi(X.rows(), 2 * L + C + 1);
  for_each_block(compute, X.rows(), 128, [&](Index begin, Index size) {
    Matrix block(size, 2 * L);
    map.fill(X.middleRows(begin, size), block);
    Phi.middleRows(begin, size).leftCols(2 * L) = block;
    if (C > 0) Phi.middleRows(begin, size).middleCols(2 * L, C) = covariates.middleRows(begin, size);
    Phi.middleRows(begin, size).col(2 * L + C).setOnes();
  });
  return Phi;
}

Matrix functions_of(const BayesTable& t, const BayesViewState& view, MatrixIn X, const Compute& compute) {
  return multiply<double>(bayes_features(view.W, X, t.covariates, compute), view.B, compute);
}

}  // namespace bochner
