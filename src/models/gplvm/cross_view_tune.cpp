#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/data/splits.hpp"
#include "cross_view_columns.hpp"
#include "cross_view_model.hpp"

namespace bochner {
namespace {

constexpr Index components_to_tune = 400;
constexpr Index folds = 5;
constexpr int sweeps = 2;
constexpr double level = 0.9;  // of the intervals that are calibrated

Matrix squared_distances(const Matrix& X, const Compute& compute) {
  const Matrix G = outer_gram<double>(X, compute);
  const Vector length = G.diagonal();
  return ((-2 * G).colwise() + length).rowwise() + length.transpose();
}

/// Columns at even distances: the choice is between kernels, and a few hundred columns tell as much as thousands. Where few
/// entries of a column are missing they are put at its mean, the same for every kernel: then one factorisation serves all.
Matrix some_columns(const Matrix& Y) {
  constexpr Index most = 256;
  constexpr double few = 0.2;
  const Index count = std::min(most, Y.cols());
  Matrix out(Y.rows(), count);
  for (Index c = 0; c < count; ++c) {
    const auto y = Y.col(c * Y.cols() / count);
    out.col(c) = y;
    if (double(y.array().isNaN().count()) <= few * double(Y.rows())) out.col(c) = fill_column_means(y);
  }
  return out;
}

}  // namespace

CrossViewRecipe choose_recipe(const SeenRows& seen, const CrossViewRows& rows, const Rng& rng,
                              const Compute& compute) {
  const Matrix Y = some_columns(rows.Y);
  CrossViewRecipe best;
  Matrix T, linear;
  double top = 0;
  for (const bool equal : {true, false}) {
    if (!equal && seen.from.size() == 1) continue;
    const CrossViewInputs inputs = learn_inputs(seen, rows.table, equal, components_to_tune, rng, compute);
    Matrix t = scores(inputs, rows.table, compute).T;
    Matrix gram = outer_gram<double>(t, compute);
    const double value = log_evidence(gram, Y, compute);
    if (!equal && !(value > top)) continue;
    top = value;
    best.equal_views = equal;
    T = std::move(t);
    linear = std::move(gram);
  }

  const CrossViewRecipe only_linear = best;
  std::vector<std::pair<CrossViewRecipe, double>> known;
  const auto value = [&](const CrossViewRecipe& recipe) {
    for (const auto& [seen_before, result] : known)
      if (seen_before == recipe) return result;
    const Matrix U = T * recipe_scale(recipe, T).asDiagonal();
    const Matrix C = (1 - recipe.share) * linear +
                     recipe.share * (-0.5 * squared_distances(U, compute)).array().exp().matrix();
    known.emplace_back(recipe, log_evidence(C, Y, compute));
    return known.back().second;
  };
  best.share = 0.5;
  best.length_scale = 0.7;
  const auto improve = [&](double CrossViewRecipe::*part, const std::vector<double>& choices) {
    CrossViewRecipe from = best;
    for (const double choice : choices) {
      from.*part = choice;
      if (value(from) > value(best)) best = from;
    }
  };
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const CrossViewRecipe before = best;
    improve(&CrossViewRecipe::length_scale, {0.25, 0.35, 0.5, 0.7, 1.0, 1.4});
    improve(&CrossViewRecipe::sharpness, {0.0, 0.5, 1.0});
    improve(&CrossViewRecipe::share, {0.5, 0.9, 1.0});
    if (best == before) break;
  }
  return value(best) > top ? best : only_linear;
}

CrossViewCheck cross_validate(const SeenRows& seen, const CrossViewRows& rows, const CrossViewRecipe& recipe,
                              const Rng& rng, const Compute& compute) {
  const Index n = rows.table.rows();
  Rng shuffle = rng.split("folds");
  const IndexVector fold = k_fold(n, folds, shuffle);
  Matrix F(n, rows.Y.cols()), residual(n, rows.Y.cols()), variance(n, rows.Y.cols());
  for (Index f = 0; f < folds; ++f) {
    const Split split = fold_split(fold, f);
    const auto part = [&](const IndexVector& some) {
      return CrossViewRows{rows.table(some, Eigen::all), rows.Y(some, Eigen::all)};
    };
    const CrossViewRows train = part(split.train), test = part(split.test);
    const CrossViewPredictor p = learn_predictor(seen, train, recipe, rng, compute);
    const Predictive at = predict_scaled(p, test.table, compute);
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(rows.Y.cols());
    for (Index m = 0; m < rows.Y.cols(); ++m) {
      const auto measured = !train.Y.col(m).array().isNaN();
      if (measured.any())
        mean(m) = measured.select(train.Y.col(m).array(), 0.0).sum() / double(measured.count());
    }
    F(split.test, Eigen::all) = at.mean.rowwise() - mean;
    residual(split.test, Eigen::all) = test.Y.rowwise() - mean;
    variance(split.test, Eigen::all) = at.y_variance;
  }
  const auto measured = !residual.array().isNaN();
  const Matrix y = measured.select(residual, 0.0), f = measured.select(F, 0.0);
  CrossViewCheck out;
  const double total = y.squaredNorm(), product = y.cwiseProduct(f).sum(), square = f.squaredNorm();
  out.shrinkage = square > 0 ? std::clamp(product / square, 0.0, 1.0) : 0.0;
  out.error = (y - out.shrinkage * f).squaredNorm();
  out.explained = total > 0 ? 1 - out.error / total : 0.0;
  std::vector<double> z2;
  for (Index i = 0; i < n; ++i)
    for (Index m = 0; m < y.cols(); ++m)
      if (!std::isnan(residual(i, m)) && variance(i, m) > 1e-20) {
        const double error = y(i, m) - out.shrinkage * f(i, m);
        z2.push_back(error * error / variance(i, m));
      }
  if (!z2.empty()) {
    const auto at = z2.begin() + std::min(Index(level * double(z2.size())), Index(z2.size()) - 1);
    std::nth_element(z2.begin(), at, z2.end());
    const double z = normal_quantile_of_interval(level);
    out.calibration = std::clamp(*at / (z * z), 0.05, 100.0);
  }
  return out;
}

}  // namespace bochner
