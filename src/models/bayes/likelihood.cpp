#include "likelihood.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/vector_math.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/random/log_gamma.hpp"

namespace bochner {

namespace {

using Row = Eigen::Array<double, 1, Eigen::Dynamic>;

/// log sum exp over the measured columns of each softmax.
double log_partition(const BayesTable& t, Index n, Index g, const Eigen::Ref<const Row>& f) {
  const Index begin = t.groups[static_cast<std::size_t>(g)],
              size = t.groups[static_cast<std::size_t>(g + 1)] - begin;
  const auto part = f.segment(begin, size);
  const double top = part.maxCoeff();
  Row e = part - top;
  exp(e.data(), e.data(), size);
  if (!t.complete) e *= t.seen.row(n).array().segment(begin, size);
  return top + std::log(e.sum());
}

/// Terms without f, of one entry.
double constant_of(const BayesTable& t, VectorIn scale, Index n, Index j) {
  const double y = t.Y(n, j), exposed = t.offset.size() > 0 ? y * t.offset(n) : 0;
  switch (t.likelihood) {
    case BayesLikelihood::gaussian:
      return -0.5 * (log_2pi + std::log(scale(j)));
    case BayesLikelihood::poisson:
      return exposed - log_gamma(y + 1);
    case BayesLikelihood::negbinom:
      return exposed + log_gamma(y + scale(j)) - log_gamma(scale(j)) - log_gamma(y + 1);
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      return log_gamma(t.trials(n, j) + 1) - log_gamma(y + 1) - log_gamma(t.trials(n, j) - y + 1);
    case BayesLikelihood::multinomial:
    case BayesLikelihood::categorical:
      return -log_gamma(y + 1);
  }
  return 0;
}

}  // namespace

Matrix softplus(MatrixIn X) {
  Matrix T = -X.cwiseAbs();
  exp(T.data(), T.data(), T.size());
  T.array() += 1;
  log(T.data(), T.data(), T.size());
  return T + X.cwiseMax(0);
}

void add_log_likelihood(const BayesTable& t, VectorIn scale, const std::vector<Index>& rows, MatrixIn F,
                        VectorOut out) {
  const auto n = static_cast<Index>(rows.size());
  const auto row = [&](Index i) { return rows[static_cast<std::size_t>(i)]; };
  const auto shifted = [&]() -> Matrix { return t.offset.size() > 0 ? F.colwise() + t.offset(rows) : F; };
  switch (t.likelihood) {
    case BayesLikelihood::gaussian: {
      const Row precision = scale.transpose().array().inverse();
      for (Index i = 0; i < n; ++i) {
        const auto e = (t.Y.row(row(i)) - F.row(i)).array().square() * precision;
        out(i) -= 0.5 * (t.complete ? e.sum() : (e * t.seen.row(row(i)).array()).sum());
      }
      return;
    }
    case BayesLikelihood::poisson: {
      Matrix E = shifted();
      exp(E.data(), E.data(), E.size());
      // Where a count is missing, f may be anything: infinity times a weight of 0 would be NaN.
      if (!t.complete) E = E.cwiseMin(std::numeric_limits<double>::max());
      for (Index i = 0; i < n; ++i)
        out(i) +=
            t.Y.row(row(i)).dot(F.row(i)) - (t.complete ? E.row(i).sum() : E.row(i).dot(t.seen.row(row(i))));
      return;
    }
    case BayesLikelihood::negbinom: {
      const Matrix S = softplus(shifted());
      for (Index i = 0; i < n; ++i) {
        const auto y = t.Y.row(row(i)).array(), s = S.row(i).array();
        const auto terms = y * F.row(i).array() - (y + scale.transpose().array()) * s;
        out(i) += t.complete ? terms.sum() : (terms * t.seen.row(row(i)).array()).sum();
      }
      return;
    }
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli: {
      const Matrix S = softplus(F);
      for (Index i = 0; i < n; ++i)
        out(i) += t.Y.row(row(i)).dot(F.row(i)) - t.trials.row(row(i)).dot(S.row(i));
      return;
    }
    case BayesLikelihood::multinomial:
    case BayesLikelihood::categorical:
      for (Index i = 0; i < n; ++i) {
        out(i) += t.Y.row(row(i)).dot(F.row(i));
        for (Index g = 0; g < t.totals.cols(); ++g)
          if (t.totals(row(i), g) > 0)
            out(i) -= t.totals(row(i), g) * log_partition(t, row(i), g, F.row(i).array());
      }
      return;
  }
}

std::vector<Index> rows_from(Index begin, Index size) {
  std::vector<Index> rows(static_cast<std::size_t>(size));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

double log_probability(const BayesTable& t, VectorIn scale, MatrixIn F, const Compute& compute) {
  Vector by_row = Vector::Zero(t.rows());
  for_each_block(compute, t.rows(), 64, [&](Index begin, Index size) {
    add_log_likelihood(t, scale, rows_from(begin, size), F.middleRows(begin, size),
                       by_row.segment(begin, size));
    for (Index n = begin; n < begin + size; ++n) {
      for (Index j = 0; j < t.cols(); ++j)
        if (t.seen(n, j) > 0) by_row(n) += constant_of(t, scale, n, j);
      for (Index g = 0; g < t.totals.cols(); ++g) by_row(n) += log_gamma(t.totals(n, g) + 1);
    }
  });
  return by_row.sum();
}

BayesTable draw_table(BayesTable t, VectorIn scale, MatrixIn F, Rng& rng) {
  for (Index n = 0; n < t.rows(); ++n) {
    for (Index j = 0; j < t.cols() && !is_softmax(t.likelihood); ++j) {
      const double f = F(n, j), odds = std::exp(f + (t.offset.size() > 0 ? t.offset(n) : 0));
      double y = 0;
      if (t.likelihood == BayesLikelihood::gaussian) y = f + std::sqrt(scale(j)) * rng.normal();
      if (t.likelihood == BayesLikelihood::poisson) y = double(poisson(odds, rng));
      if (t.likelihood == BayesLikelihood::negbinom) y = double(negative_binomial(scale(j), odds, rng));
      if (t.trials.size() > 0)
        y = double(binomial(static_cast<Index>(t.trials(n, j)), 1 / (1 + std::exp(-f)), rng));
      t.Y(n, j) = t.seen(n, j) > 0 ? y : 0;
    }
    for (Index g = 0; g < t.totals.cols(); ++g) {
      const Index begin = t.groups[static_cast<std::size_t>(g)],
                  size = t.groups[static_cast<std::size_t>(g + 1)] - begin;
      const auto f = F.row(n).segment(begin, size).array();
      const Vector weight = (f - f.maxCoeff()).exp() * t.seen.row(n).segment(begin, size).array();
      if (t.totals(n, g) > 0)
        t.Y.row(n).segment(begin, size) =
            multinomial(static_cast<Index>(t.totals(n, g)), weight, rng).cast<double>().transpose();
    }
  }
  return t;
}

LatentLikelihood::LatentLikelihood(const std::vector<BayesTable>& tables,
                                   const std::vector<BayesViewState>& views)
    : tables_(tables), views_(views) {}

Vector LatentLikelihood::operator()(const std::vector<Index>& rows, MatrixIn X) const {
  Vector out = Vector::Zero(X.rows());
  for (std::size_t v = 0; v < tables_.size(); ++v) {
    const Matrix& C = tables_[v].covariates;
    const Matrix F =
        bayes_features(views_[v].W, X, C.size() > 0 ? Matrix(C(rows, Eigen::all)) : Matrix(), Threads(1)) *
        views_[v].B;
    add_log_likelihood(tables_[v], views_[v].scale, rows, F, out);
  }
  return out;
}

}  // namespace bochner
