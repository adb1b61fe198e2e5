#pragma once
#include "shared_inputs.hpp"

namespace bochner {

/// The settings of a predictor that all columns share.
struct CrossViewRecipe {
  InputWeights weights = InputWeights::equal_views;
  double share = 0;         // of the nonlinear kernel
  double length_scale = 1;  // against the median distance
  double sharpness = 0;     // scores count by their sd to this power
  friend bool operator==(const CrossViewRecipe&, const CrossViewRecipe&) = default;
};

/// Training samples in scaled units.
struct CrossViewRows {
  InputRows inputs;
  Matrix Y;  // n x M_target, NaN where missing
};

/// At most 256 of the columns that vary, at even distances: to choose between kernels, and to learn how much to shrink and to widen, they tell as
/// much as thousands.
Matrix some_columns(const Matrix& Y);

/// CrossViewPredictor::input_scale for these scores: distances are taken against their median.
Vector recipe_scale(const CrossViewRecipe& recipe, MatrixIn T);

/// Learns the weights for a given recipe, without shrinkage and calibration.
CrossViewPredictor learn_predictor(SharedInputs& shared, const CrossViewRows& rows,
                                   const CrossViewRecipe& recipe, const Rng& rng, const Compute& compute);

/// In scaled units; y_variance is that of f and noise.
Predictive predict_scaled(const CrossViewPredictor& predictor, MatrixIn table, const Compute& compute);

/// The recipe of the largest evidence, by coordinate ascent on a grid.
CrossViewRecipe choose_recipe(SharedInputs& shared, const CrossViewRows& rows, const Compute& compute);

/// What five-fold cross-validation, components and all, says about a recipe. Missing inputs are filled in beforehand.
struct CrossViewCheck {
  double error = 0;      // sum of squares, after shrinkage
  double explained = 0;  // 1 - error / that of the means
  double shrinkage = 1;  // 0 .. 1, factor of f that minimises the squared error
  double calibration =
      1;  // factor of the variances at which nine of ten entries are inside their 90 % intervals
};
CrossViewCheck cross_validate(SharedInputs& shared, const CrossViewRows& rows, const CrossViewRecipe& recipe,
                              const Rng& rng, const Compute& compute);

}  // namespace bochner
