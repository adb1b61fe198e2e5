#include <limits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/vector_math.hpp"
#include "likelihood.hpp"

namespace bochner {

namespace {

/// 1 / (1 + exp -f).
Matrix logistic(MatrixIn F) {
  Matrix E = -F.cwiseAbs();
  exp(E.data(), E.data(), E.size());
  return (F.array() >= 0).select(1 / (1 + E.array()), E.array() / (1 + E.array()));
}

/// E[y | f] of each softmax given its total: shares among the measured columns.
Matrix softmax_means(const BayesTable& t, Index begin, MatrixIn F) {
  Matrix out = Matrix::Zero(F.rows(), F.cols());
  for (Index i = 0; i < F.rows(); ++i)
    for (Index g = 0; g < t.totals.cols(); ++g) {
      const Index first = t.groups[static_cast<std::size_t>(g)],
                  size = t.groups[static_cast<std::size_t>(g + 1)] - first;
      if (!(t.totals(begin + i, g) > 0)) continue;
      const auto f = F.row(i).segment(first, size).array();
      const Eigen::ArrayXd e = (f - f.maxCoeff()).exp() * t.seen.row(begin + i).segment(first, size).array();
      out.row(i).segment(first, size) = (t.totals(begin + i, g) / e.sum() * e).matrix().transpose();
    }
  return out;
}

/// d log p / d f for rows begin .. of the table.
Matrix gradient_rows(const BayesTable& t, VectorIn scale, Index begin, MatrixIn F) {
  const auto Y = t.Y.middleRows(begin, F.rows()), seen = t.seen.middleRows(begin, F.rows());
  switch (t.likelihood) {
    case BayesLikelihood::gaussian:
      return ((Y - F).array().rowwise() / scale.transpose().array() * seen.array()).matrix();
    case BayesLikelihood::poisson: {
      Matrix E = with_offset(t, begin, F);
      exp(E.data(), E.data(), E.size());
      return Y - E.cwiseMin(std::numeric_limits<double>::max()).cwiseProduct(seen);
    }
    case BayesLikelihood::negbinom: {
      const Matrix shape = Y.rowwise() + scale.transpose();
      return (Y - shape.cwiseProduct(logistic(with_offset(t, begin, F)))).cwiseProduct(seen);
    }
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      return Y - t.trials.middleRows(begin, F.rows()).cwiseProduct(logistic(F));
    case BayesLikelihood::multinomial:
    case BayesLikelihood::categorical:
      return Y - softmax_means(t, begin, F);
  }
  return {};
}

}  // namespace

double likelihood_gradient(const BayesTable& t, VectorIn scale, MatrixIn F, Matrix& gradient,
                           const Compute& compute) {
  gradient.resize(F.rows(), F.cols());
  Vector by_row = Vector::Zero(t.rows());
  for_each_block(compute, t.rows(), 64, [&](Index begin, Index size) {
    const auto rows = F.middleRows(begin, size);
    add_log_likelihood(t, scale, rows_from(begin, size), rows, by_row.segment(begin, size));
    gradient.middleRows(begin, size) = gradient_rows(t, scale, begin, rows);
  });
  return by_row.sum();
}

}  // namespace bochner
