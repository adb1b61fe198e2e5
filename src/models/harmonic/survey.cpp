#include "survey.hpp"

#include <cmath>
#include <string>

#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

constexpr Index survey_rows = 4096;

/// Mean and sum of squared deviations of the measured entries of each column, block by block [chan1983].
struct Moments {
  Vector count, mean, squares;

  explicit Moments(Index columns)
      : count(Vector::Zero(columns)), mean(Vector::Zero(columns)), squares(Vector::Zero(columns)) {}

  void add(MatrixIn block) {
    for (Index c = 0; c < block.cols(); ++c) {
      const auto here = block.col(c).array().isFinite();
      const double n = double(here.count());
      if (n == 0) continue;
      const double m = here.select(block.col(c).array(), 0).sum() / n;
      const double s = here.select((block.col(c).array() - m).square(), 0).sum();
      const double d = m - mean(c), total = count(c) + n;
      squares(c) += s + d * d * count(c) * n / total;
      mean(c) += d * n / total;
      count(c) = total;
    }
  }

  /// Standard deviations; 1 where a column does not vary beyond rounding.
  Vector scale() const {
    Vector sd = Vector::Ones(mean.size());
    for (Index c = 0; c < sd.size(); ++c) {
      const double s = std::sqrt(squares(c) / std::max(count(c), 1.0));
      if (!(s <= 1e-12 * std::abs(mean(c)))) sd(c) = s;  // NaN included
    }
    return sd;
  }
};

void check_measured(MatrixIn X, Index begin, const std::vector<std::string>& columns) {
  for (Index n = 0; n < X.rows(); ++n)
    for (Index c = 0; c < X.cols(); ++c)
      if (!std::isfinite(X(n, c)))
        throw InputError(
            "row " + std::to_string(begin + n + 1) + ", column '" + columns[static_cast<std::size_t>(c)] +
            "' of the inputs is not measured, but every input is needed; fill it in ('bochner fit' can) "
            "or leave the row out");
}

void check_possible(const AnyLikelihood& likelihood, MatrixIn Y, Index begin) {
  try {
    check_outcomes(likelihood, Y);
  } catch (const std::domain_error& error) {
    throw InputError(std::string("the outcomes do not fit the likelihood ") + likelihood_name(likelihood) +
                     (begin > 0 ? ", counting from row " + std::to_string(begin + 1) : "") + ": " +
                     error.what());
  }
}

}  // namespace

Survey survey(const RowSource& data, const std::vector<std::string>& outcomes,
              const AnyLikelihood& likelihood, InputScaling scaling, bool scale_outcomes, InputMap& inputs) {
  const Index D = Index(inputs.names().size()),
              untouched = Index(2 * inputs.circles.size() + 3 * inputs.spheres.size());
  Moments of_X(D), of_Y(data.outcomes);
  double squares = 0;
  for (Index begin = 0; begin < data.rows; begin += survey_rows) {
    const Index n = std::min(survey_rows, data.rows - begin);
    Matrix X(n, data.inputs), Y(n, data.outcomes);
    data.read(begin, X, Y);
    check_measured(X, begin, inputs.columns);
    check_possible(likelihood, Y, begin);
    const Matrix unfolded = inputs.unfold(X, begin);
    of_X.add(unfolded);
    of_Y.add(Y);
    squares += unfolded.rightCols(D - untouched).squaredNorm();
  }
  inputs.centre = Vector::Zero(D);
  inputs.scale = Vector::Ones(D);
  if (scaling == InputScaling::standardise) {
    inputs.centre.tail(D - untouched) = of_X.mean.tail(D - untouched);
    inputs.scale.tail(D - untouched) = of_X.scale().tail(D - untouched);
  } else if (scaling == InputScaling::pixels) {
    inputs.centre.tail(D - untouched) = of_X.mean.tail(D - untouched);
    const double deviations = of_X.squares.tail(D - untouched).sum();
    if (deviations > 0)
      inputs.scale.tail(D - untouched)
          .setConstant(std::sqrt(deviations / (double(data.rows) * double(D - untouched))));
  } else if (scaling == InputScaling::common && squares > 0) {
    inputs.scale.tail(D - untouched)
        .setConstant(std::sqrt(squares / (double(data.rows) * double(D - untouched))));
  }
  for (Index c = 0; c < data.outcomes; ++c)
    if (of_Y.count(c) == 0)
      throw InputError("the outcome '" + outcomes[static_cast<std::size_t>(c)] +
                       "' is not measured in any row; leave the column out");
  Scaling outputs{.kind = scale_outcomes ? ScalingKind::standardise : ScalingKind::none,
                  .centre = Vector::Zero(data.outcomes),
                  .scale = Vector::Ones(data.outcomes)};
  if (scale_outcomes) {
    outputs.centre = of_Y.mean;
    outputs.scale = of_Y.scale();
  }
  for (Index c = 0; c < D; ++c)
    if (!std::isfinite(inputs.scale(c)) || !std::isfinite(inputs.centre(c)))
      throw InputError("the input '" + inputs.names()[static_cast<std::size_t>(c)] +
                       "' has numbers too large to be squared; divide the column by its typical size");
  if (!outputs.centre.allFinite() || !outputs.scale.allFinite())
    throw InputError("the outcomes have numbers too large to be squared; divide them by their typical size");
  return {std::move(outputs), of_Y.mean};
}

RowSource scaled(const RowSource& data, const InputMap& inputs, const Scaling& outputs) {
  return {data.rows, Index(inputs.names().size()), data.outcomes,
          [data, inputs, outputs](Index begin, MatrixOut X, MatrixOut Y) {
            Matrix raw(X.rows(), data.inputs), y(X.rows(), data.outcomes);
            data.read(begin, raw, y);
            X = inputs.apply(raw);
            Y = outputs.apply(y);
          }};
}

}  // namespace bochner
