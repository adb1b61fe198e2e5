#include "bochner/assess/row_baselines.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/assess/linear_classifiers.hpp"

namespace bochner {

namespace {

constexpr Index block_rows = 4096;
constexpr Index most_linear = 4000;  // inputs; their covariance is kept

/// Calls f(begin, X, Y) for blocks of rows.
template <class F>
void for_each_block_of(const RowSource& rows, const F& f) {
  for (Index begin = 0; begin < rows.rows; begin += block_rows) {
    Matrix X(std::min(block_rows, rows.rows - begin), rows.inputs), Y(X.rows(), rows.outcomes);
    rows.read(begin, X, Y);
    f(begin, X, Y);
  }
}

/// Sums over rows of inputs, about a fixed point.
struct InputSums {
  double n = 0;
  Vector z;   // D
  Matrix zz;  // D x D

  void add(const Matrix& Z) {
    if (Z.rows() == 0) return;
    if (zz.size() == 0) {
      z = Vector::Zero(Z.cols());
      zz = Matrix::Zero(Z.cols(), Z.cols());
    }
    n += static_cast<double>(Z.rows());
    z += Z.colwise().sum().transpose();
    zz.noalias() += Z.transpose() * Z;
  }
};

/// Everything that the normal equations of all outcomes need.
struct Sums {
  explicit Sums(Index P, Index D)
      : absent(static_cast<std::size_t>(P)),
        n(Vector::Zero(P)),
        y1(Vector::Zero(P)),
        y2(Vector::Zero(P)),
        zy(Matrix::Zero(D, P)) {}

  InputSums all;
  std::vector<InputSums> absent;  // over rows where an outcome is missing
  Vector n, y1, y2;               // of the measured outcomes: their number, sum and sum of squares
  Matrix zy;                      // D x P
  Vector about;                   // the mean of the first rows, so that large offsets do not cancel

  void add_inputs(Index begin, Matrix& Z) {
    if (begin == 0) about = Z.colwise().mean();
    Z.rowwise() -= about.transpose();
    all.add(Z);
  }

  /// Z is empty without ridge regression. Missing entries of Y become 0.
  void add_outcomes(const Matrix& Z, Matrix& Y) {
    const bool linear = zy.rows() > 0;
    for (Index o = 0; o < Y.cols(); ++o) {
      std::vector<Index> missing;
      for (Index i = 0; i < Y.rows(); ++i)
        if (std::isnan(Y(i, o))) {
          missing.push_back(i);
          Y(i, o) = 0;
        }
      n(o) += static_cast<double>(Y.rows() - static_cast<Index>(missing.size()));
      y1(o) += Y.col(o).sum();
      y2(o) += Y.col(o).squaredNorm();
      if (linear) absent[static_cast<std::size_t>(o)].add(Z(missing, Eigen::all));
    }
    if (linear) zy.noalias() += Z.transpose() * Y;
  }
};

/// Ridge regression of outcome o, into `out`, whose mean and variance are those of the centred outcomes.
void solve_ridge(const Sums& sums, Index o, OutcomeBaselines& out) {
  const InputSums& absent = sums.absent[static_cast<std::size_t>(o)];
  Matrix C = sums.all.zz;
  Vector z = sums.all.z;
  if (absent.n > 0) {
    C -= absent.zz;
    z -= absent.z;
  }
  z /= sums.n(o);
  C = C / sums.n(o) - z * z.transpose();
  const Vector c = sums.zy.col(o) / sums.n(o) - z * out.mean(o);
  const Vector d = (C.diagonal().array() > 1e-20).select(C.diagonal().array().max(0).sqrt(), 1).matrix();
  constexpr double ridge = 1e-3;
  Matrix R = d.cwiseInverse().asDiagonal() * C * d.cwiseInverse().asDiagonal();
  R.diagonal().array() += ridge;
  const Vector w = R.llt().solve(c.cwiseQuotient(d)).cwiseQuotient(d);
  out.weights.col(o) = w;
  out.intercept(o) = out.mean(o) - w.dot(z + sums.about);
  out.residual_variance(o) = std::max(out.variance(o) - 2 * w.dot(c) + w.dot(C * w), 1e-12 * out.variance(o));
}

}  // namespace

Matrix OutcomeBaselines::linear(MatrixIn inputs) const {
  return (inputs * weights).rowwise() + intercept.transpose();
}

OutcomeBaselines outcome_baselines(const RowSource& rows, const InputsOf& inputs, Index D,
                                   const Vector& centre) {
  const Index P = rows.outcomes;
  const bool linear = D <= most_linear;
  Sums sums(P, linear ? D : 0);
  for_each_block_of(rows, [&](Index begin, const Matrix& X, Matrix& Y) {
    Y.rowwise() -= centre.transpose();
    Matrix Z;
    if (linear) {
      Z = inputs(X);
      sums.add_inputs(begin, Z);
    }
    sums.add_outcomes(Z, Y);
  });
  OutcomeBaselines out{.mean = sums.y1.cwiseQuotient(sums.n), .variance = {}, .residual_variance = {}};
  out.variance = sums.y2.cwiseQuotient(sums.n) - out.mean.cwiseAbs2();
  // A constant is counted in its own units.
  for (Index o = 0; o < P; ++o)
    if (!(out.variance(o) > 1e-24 * sums.y2(o) / sums.n(o))) out.variance(o) = 1;
  if (linear) {
    out.weights.resize(D, P);
    out.intercept.resize(P);
    out.residual_variance.resize(P);
    for (Index o = 0; o < P; ++o) solve_ridge(sums, o, out);
    out.intercept += centre;
  }
  out.mean += centre;
  return out;
}

OutcomeBaselines class_baselines(const RowSource& rows, const InputsOf& inputs, Index D, Index K) {
  constexpr double most_products = 2e7;
  constexpr Index fewest_rows = 100;
  OutcomeBaselines out{
      .mean = Vector::Zero(K), .variance = Vector::Ones(K), .residual_variance = Vector::Ones(K)};
  const auto most = static_cast<Index>(most_products / (double(D + 1) * double(K)));
  if (most < std::min(fewest_rows, rows.rows)) return out;
  const Index kept = std::min(rows.rows, most);
  Matrix X(kept, D);
  IndexVector labels(kept);
  Index at = 0, next = 0;  // of the kept rows
  for_each_block_of(rows, [&](Index begin, const Matrix& raw, const Matrix& Y) {
    std::vector<Index> here;
    for (; next < kept && next * rows.rows / kept < begin + raw.rows(); ++next)
      here.push_back(next * rows.rows / kept - begin);
    const Matrix z = inputs(raw(here, Eigen::all));
    for (std::size_t i = 0; i < here.size(); ++i) {
      const double label = Y(here[i], 0);
      if (std::isnan(label) || !z.row(Index(i)).allFinite()) continue;
      X.row(at) = z.row(Index(i));
      labels(at++) = static_cast<Index>(label);
    }
  });
  if (at == 0) return out;
  LogisticScores scores = logistic_regression(X.topRows(at), labels.head(at), K);
  out.weights = std::move(scores.weights);
  out.intercept = std::move(scores.intercept);
  return out;
}

Vector class_shares(const RowSource& rows, Index K) {
  Vector shares = Vector::Ones(K);
  for_each_block_of(rows, [&](Index, const Matrix&, const Matrix& Y) {
    for (Index i = 0; i < Y.rows(); ++i)
      if (!std::isnan(Y(i, 0))) shares(static_cast<Index>(Y(i, 0))) += 1;
  });
  return shares / shares.sum();
}

}  // namespace bochner
