#include "bochner/models/gplvm/cross_view.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "bochner/data/splits.hpp"
#include "fit.hpp"
#include "model.hpp"
#include "src/models/gplvm/table_units.hpp"

namespace bochner {
namespace {

constexpr Index rows_to_tune = 300, most_rows = 20'000;
constexpr Index fewest_rows = 10;  // below, the means are all there is to learn

std::vector<Index> pick(const std::vector<Index>& rows, Index most, const Rng& rng) {
  if (Index(rows.size()) <= most) return rows;
  std::vector<Index> out;
  for (const Index i : some_rows(Index(rows.size()), most, rng))
    out.push_back(rows[static_cast<std::size_t>(i)]);
  return out;
}

/// Predicts the means of the columns whatever the inputs are.
CrossViewPredictor only_means(const SeenRows& seen, const Matrix& Y) {
  const Index M = seen.starts.back(), columns = Y.cols();
  CrossViewPredictor out;
  out.inputs = {.from = seen.from,
                .centre = Vector::Zero(M),
                .weight = Vector::Zero(M),
                .fill = Matrix(M, 0),
                .penalty = Vector(0),
                .shift = Vector::Zero(M),
                .loadings = Matrix::Zero(M, 1)};
  out.input_scale = Vector::Zero(1);
  out.Z = Matrix(0, 1);
  out.projection = Matrix(1, 0);
  out.centre = out.spectrum = Vector(0);
  out.weights = Matrix(0, columns);
  out.intercept = Vector::Zero(columns);
  out.noise = Vector::Ones(columns);
  out.spread = Matrix::Zero(columns, cross_view_ratios().size());
  for (Index m = 0; m < columns; ++m) {
    const auto measured = !Y.col(m).array().isNaN();
    const double count = double(measured.count());
    if (count == 0) continue;
    out.intercept(m) = measured.select(Y.col(m).array(), 0.0).sum() / count;
    if (count > 1)
      out.noise(m) = measured.select((Y.col(m).array() - out.intercept(m)).square(), 0.0).sum() / (count - 1);
  }
  // Columns that do not vary in these rows may do so in others: they have the noise of the rest.
  const double usual = out.noise.mean();
  out.noise = (out.noise.array() > 1e-12 * usual).select(out.noise, usual > 0 ? usual : 1.0);
  return out;
}

/// Large matrices in single precision: they are most of a model file of wide views, and their errors are far above its rounding.
void round_large(Matrix& A) {
  constexpr Index large = 65536;
  if (A.size() < large) return;
  const Matrix rounded = A.cast<float>().cast<double>();
  if (rounded.allFinite()) A = rounded;
}

}  // namespace

std::optional<CrossViewPredictor> fit_cross_view(const GplvmFit& fit, const Dataset& data,
                                                 SharedInputs& shared, const std::string& target,
                                                 const Rng& rng, const Compute& compute) {
  const SeenRows& seen = shared.seen();
  const GplvmView& known = fit.view(target);
  const Matrix Y = known.scaling.apply(select_columns(data.view(target), known.columns).Y);
  std::vector<Index> all;
  for (Index n = 0; n < Y.rows(); ++n)
    if (seen.complete(n) && !Y.row(n).array().isNaN().all()) all.push_back(n);
  if (all.empty()) return std::nullopt;

  CrossViewPredictor out;
  const Matrix varying = some_columns(Y(all, Eigen::all));
  if (Index(all.size()) < fewest_rows || varying.cols() == 0) {
    out = only_means(seen, Y(all, Eigen::all));
  } else {
    const std::vector<Index> some = pick(all, rows_to_tune, shared.rng().split("tuning"));
    // Filled in once for all recipes and folds: what is missing says nothing about the target.
    const CrossViewRows tuning{shared.filled(some, compute), some_columns(Y(some, Eigen::all))};
    CrossViewRecipe recipe = choose_recipe(shared, tuning, compute);
    CrossViewCheck check = cross_validate(shared, tuning, recipe, rng, compute);
    if (recipe.share > 0) {
      // The evidence trusts the kernel more than outlying samples allow; where the linear one predicts better, it is kept.
      const CrossViewRecipe linear{.weights = recipe.weights};
      const CrossViewCheck other = cross_validate(shared, tuning, linear, rng, compute);
      if (other.error < check.error) recipe = linear, check = other;
    }
    const std::vector<Index> most = pick(all, most_rows, shared.rng().split("rows"));
    const CrossViewRows training{shared.of(most), Y(most, Eigen::all)};
    out = learn_predictor(shared, training, recipe, rng, compute);
    // Shrinks f towards the means of the columns, which are those of the training samples.
    const Vector mean = only_means(seen, training.Y).intercept;
    out.intercept = mean + check.shrinkage * (out.intercept - mean);
    out.weights *= check.shrinkage;
    out.noise *= check.calibration;
    out.spread *= check.calibration;
    out.explained = check.explained;
  }
  out.target = target;
  for (Matrix* A :
       {&out.inputs.fill, &out.inputs.loadings, &out.Z, &out.projection, &out.weights, &out.spread})
    round_large(*A);
  return out;
}

CrossViewPredictor fit_cross_view(const GplvmFit& fit, const Dataset& data,
                                  const std::vector<std::string>& from, const std::string& target,
                                  const Rng& rng, const Compute& compute) {
  if (from.empty()) throw std::invalid_argument("fit_cross_view: from is empty, but must name a view");
  for (std::size_t v = 0; v < from.size(); ++v)
    if (from[v] == target || std::count(from.begin(), from.end(), from[v]) > 1)
      throw std::invalid_argument("fit_cross_view: from holds the target, or view '" + from[v] + "' twice");
  SharedInputs shared(seen_rows(fit, data, from), rng.split("inputs"));
  std::optional<CrossViewPredictor> out = fit_cross_view(fit, data, shared, target, rng, compute);
  if (!out)
    throw InputError("no sample has a measurement in view '" + target +
                     "' and in all the views that it is to be predicted from");
  return std::move(*out);
}

Predictive predict(const CrossViewPredictor& predictor, const GplvmFit& fit, const Dataset& rows,
                   const Compute& compute) {
  const SeenRows seen = seen_rows(fit, rows, predictor.inputs.from);
  return in_table_units(fit.view(predictor.target), predict_scaled(predictor, seen.X, compute));
}

}  // namespace bochner
