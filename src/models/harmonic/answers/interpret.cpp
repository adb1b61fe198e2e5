#include "bochner/models/harmonic/interpret.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

constexpr Index stacked_rows = 4096;  // predicted together

/// Encoded columns of a column of the table.
struct Place {
  Index first = 0, width = 1;
};

Place place_of(const HarmonicFit& fit, Index column) {
  const auto c = static_cast<std::size_t>(column);
  if (fit.encoding.columns.empty()) return {column, 1};
  return {fit.encoding.first(c), fit.encoding.columns[c].width()};
}

Matrix predictions(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  HarmonicPrediction p = predict(fit, X, compute);
  return p.probabilities.size() > 0 ? std::move(p.probabilities) : std::move(p.y.mean);
}

/// About `count` rows with every input, evenly spaced.
Matrix some_rows(MatrixIn X, Index count) {
  std::vector<Index> rows;
  for (Index n = 0; n < X.rows(); ++n)
    if (X.row(n).allFinite()) rows.push_back(n);
  const auto N = static_cast<Index>(rows.size());
  std::vector<Index> kept;
  for (Index i = 0; i < std::min(count, N); ++i)
    kept.push_back(rows[static_cast<std::size_t>(i * N / std::min(count, N))]);
  return X(kept, Eigen::all);
}

/// Up to 20 distinct quantiles of the numbers of a column.
Vector grid_of(VectorIn column) {
  constexpr Index points = 20;
  Vector sorted = column;
  std::sort(sorted.begin(), sorted.end());
  Vector grid(points);
  for (Index i = 0; i < points; ++i)
    grid(i) = sorted(std::llround(double(i) / double(points - 1) * double(sorted.size() - 1)));
  const auto end = std::unique(grid.begin(), grid.end());
  return grid.head(end - grid.begin()).eval();
}

}  // namespace

Vector input_relevance(const HarmonicFit& fit, MatrixIn X, const Rng& rng, const Compute& compute) {
  const Index D = Index(fit.table_columns().size());
  constexpr Index most_rows = 500, most_predictions = 50000;
  const Matrix some =
      some_rows(X, std::clamp<Index>(most_predictions / std::max<Index>(D, 1), 50, most_rows));
  const Index N = some.rows();
  Vector out = Vector::Zero(D);
  if (N < 2) return out;
  const Matrix f = predictions(fit, some, compute);
  const Vector variance = (f.rowwise() - f.colwise().mean()).colwise().squaredNorm().transpose() / double(N);
  const Index together =
      std::max<Index>(1, stacked_rows / N);  // columns: a prediction factorises the kernel once
  for (Index begin = 0; begin < D; begin += together) {
    const Index count = std::min(together, D - begin);
    Matrix changed = some.replicate(count, 1);
    for (Index c = 0; c < count; ++c) {
      // A cyclic shift of a random order: every row gets the column of another one.
      const IndexVector order = Rng(rng.split(static_cast<std::uint64_t>(begin + c))).permutation(N);
      const Place at = place_of(fit, begin + c);
      for (Index i = 0; i < N; ++i)
        changed.row(c * N + order(i)).segment(at.first, at.width) =
            some.row(order((i + 1) % N)).segment(at.first, at.width);
    }
    const Matrix g = predictions(fit, changed, compute);
    for (Index c = 0; c < count; ++c) {
      const Vector change =
          (g.middleRows(c * N, N) - f).colwise().squaredNorm().transpose() / (2 * double(N));
      for (Index p = 0; p < f.cols(); ++p)
        if (variance(p) > 0) out(begin + c) += change(p) / variance(p) / double(f.cols());
    }
  }
  return out;
}

PartialDependence partial_dependence(const HarmonicFit& fit, MatrixIn X, Index column,
                                     const Compute& compute) {
  const std::vector<std::string> names = fit.table_columns();
  check_between("partial_dependence", "column", double(column), 0, double(names.size()) - 1);
  constexpr Index most_rows = 200;
  const Matrix some = some_rows(X, most_rows);
  check_at_least("partial_dependence", "rows with every input", some.rows(), 1);
  const auto c = static_cast<std::size_t>(column);
  const Place at = place_of(fit, column);
  const bool category = !fit.encoding.columns.empty() && fit.encoding.columns[c].kind == InputKind::category;
  PartialDependence out{.column = names[c], .levels = {}, .values = {}, .mean = {}};
  if (category)
    out.levels = fit.encoding.columns[c].levels;
  else
    out.values = grid_of(some.col(at.first));
  const Index K = category ? Index(out.levels.size()) : out.values.size();
  const Index N = some.rows();
  Matrix changed = some.replicate(K, 1);
  changed.middleCols(at.first, at.width).setZero();  // an indicator of missing values is off
  for (Index k = 0; k < K; ++k) {
    if (category)
      changed.middleRows(k * N, N).col(at.first + k).setOnes();
    else
      changed.middleRows(k * N, N).col(at.first).setConstant(out.values(k));
  }
  const Matrix f = predictions(fit, changed, compute);
  out.mean.resize(K, f.cols());
  for (Index k = 0; k < K; ++k) out.mean.row(k) = f.middleRows(k * N, N).colwise().mean();
  return out;
}

Vector noise_variance(const HarmonicFit& fit) {
  const Vector& scale = fit.outputs.scale;
  if (const auto* l = std::get_if<GaussianNoise>(&fit.gp.likelihood))
    return l->variance.cwiseProduct(scale.cwiseAbs2());
  if (const auto* l = std::get_if<HeteroscedasticNoise>(&fit.gp.likelihood))
    return l->variance.cwiseProduct(scale.cwiseAbs2());
  if (const auto* l = std::get_if<StudentT>(&fit.gp.likelihood))
    return l->scale.cwiseProduct(scale).cwiseAbs2();
  return {};
}

Vector lengthscales(const AnyKernel& kernel) {
  const std::vector<std::string> names = parameter_names(kernel);
  const Vector theta = parameters(kernel);
  std::vector<double> out;
  bool began = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool ell = names[i].find("log ell") != std::string::npos;
    if (began && (!ell || names[i].ends_with("[1]"))) break;  // of the next part
    began = began || ell;
    if (ell) out.push_back(std::exp(theta(Index(i))));
  }
  return Eigen::Map<const Vector>(out.data(), Index(out.size()));
}

}  // namespace bochner
