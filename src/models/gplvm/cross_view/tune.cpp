#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/data/splits.hpp"
#include "columns.hpp"
#include "model.hpp"

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

/// Where few entries of a column are missing they are put at its mean, the same for every kernel: then one factorisation
/// serves all.
Matrix fill_few(Matrix Y) {
  constexpr double few = 0.2;
  for (Index c = 0; c < Y.cols(); ++c)
    if (double(Y.col(c).array().isNaN().count()) <= few * double(Y.rows()))
      Y.col(c) = fill_column_means(Y.col(c));
  return Y;
}

}  // namespace

Matrix some_columns(const Matrix& Y) {
  constexpr std::size_t most = 256;
  std::vector<Index> varying, chosen;
  const Scaling scaling = fit_scaling(Y, ScalingKind::none);
  for (Index m = 0; m < Y.cols(); ++m)
    if (!std::binary_search(scaling.constant.begin(), scaling.constant.end(), m) &&
        !std::binary_search(scaling.unmeasured.begin(), scaling.unmeasured.end(), m))
      varying.push_back(m);
  const std::size_t count = std::min(most, varying.size());
  for (std::size_t c = 0; c < count; ++c) chosen.push_back(varying[c * varying.size() / count]);
  return Y(Eigen::all, chosen);
}

CrossViewRecipe choose_recipe(SharedInputs& shared, const CrossViewRows& rows, const Compute& compute) {
  const Matrix Y = fill_few(rows.Y);
  struct Inputs {
    Matrix T, linear;
  };
  std::map<InputWeights, Inputs> inputs;
  for (const InputWeights weights :
       {InputWeights::equal_views, InputWeights::standardised, InputWeights::as_fitted}) {
    if (weights == InputWeights::as_fitted && shared.seen().from.size() == 1)
      continue;  // the same as equal_views
    const auto learned = shared.learn(rows.inputs, weights, components_to_tune, compute);
    inputs[weights] = {learned->at.T, outer_gram<double>(learned->at.T, compute)};
  }
  std::vector<std::pair<CrossViewRecipe, double>> known;
  const auto value = [&](const CrossViewRecipe& recipe) {
    for (const auto& [seen_before, result] : known)
      if (seen_before == recipe) return result;
    const auto& [T, linear] = inputs.at(recipe.weights);
    Matrix C = linear;
    if (recipe.share > 0) {
      const Matrix U = T * recipe_scale(recipe, T).asDiagonal();
      C = (1 - recipe.share) * linear +
          recipe.share * (-0.5 * squared_distances(U, compute)).array().exp().matrix();
    }
    known.emplace_back(recipe, log_evidence(C, Y, compute));
    return known.back().second;
  };
  CrossViewRecipe linear, best{.share = 0.5, .length_scale = 0.7};
  for (const auto& [weights, own] : inputs) {
    const CrossViewRecipe one{.weights = weights};
    CrossViewRecipe other = best;
    other.weights = weights;
    if (value(one) > value(linear)) linear = one;
    if (value(other) > value(best)) best = other;
  }
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
  return value(best) > value(linear) ? best : linear;
}

CrossViewCheck cross_validate(SharedInputs& shared, const CrossViewRows& rows, const CrossViewRecipe& recipe,
                              const Rng& rng, const Compute& compute) {
  const Index n = rows.Y.rows();
  Rng shuffle = shared.rng().split("folds");  // the same ones for all targets
  const IndexVector fold = k_fold(n, folds, shuffle);
  Matrix F(n, rows.Y.cols()), residual(n, rows.Y.cols()), variance(n, rows.Y.cols());
  for (Index f = 0; f < folds; ++f) {
    const Split split = fold_split(fold, f);
    const auto part = [&](const IndexVector& some) {
      return CrossViewRows{rows.inputs.take(some), rows.Y(some, Eigen::all)};
    };
    const CrossViewRows train = part(split.train), test = part(split.test);
    const CrossViewPredictor p = learn_predictor(shared, train, recipe, rng, compute);
    const Predictive at = predict_scaled(p, test.inputs.table, compute);
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
