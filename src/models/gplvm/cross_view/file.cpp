#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "src/store/entries.hpp"

namespace bochner {
namespace {

constexpr Index most_predictors = 100'000;

/// Numbers that a prediction would spread over every entry.
void check_numbers(const ModelGroup& group, const char* name, const Eigen::Ref<const Matrix>& value) {
  if (value.allFinite()) return;
  throw InputError(
      fmt::format("{}: the entry {} holds a number that is not finite", group.where(), quote(name)));
}

Vector vector_from(const ModelGroup& group, const char* name, Index length) {
  const Vector& value = group.vector(name);
  detail::check_length(group, name, value.size(), length);
  check_numbers(group, name, value);
  return value;
}

Matrix matrix_from(const ModelGroup& group, const char* name, Index rows, Index cols) {
  const Matrix& value = group.matrix(name);
  detail::check_shape(group, name, value, rows, cols);
  check_numbers(group, name, value);
  return value;
}

void check(const ModelGroup& group, bool holds, const char* rule) {
  if (!holds) throw InputError(fmt::format("{}: {}", group.where(), rule));
}

}  // namespace

ModelGroup cross_view_group(const CrossViewPredictor& p) {
  ModelGroup out;
  out.set("from", p.inputs.from).set("target", p.target);
  out.set("input_centre", p.inputs.centre).set("input_weight", p.inputs.weight).set("limit", p.inputs.limit);
  out.set("filled", p.inputs.penalty.size());
  if (p.inputs.penalty.size() > 0) out.set("fill", p.inputs.fill).set("penalty", p.inputs.penalty);
  out.set("input_shift", p.inputs.shift).set("loadings", p.inputs.loadings).set("unit", p.inputs.unit);
  out.set("share", p.share)
      .set("input_scale", p.input_scale)
      .set("inducing", p.Z.rows())
      .set("basis", p.spectrum.size());
  // A matrix without rows or columns is left out.
  if (p.Z.size() > 0) out.set("Z", p.Z);
  if (p.spectrum.size() > 0)
    out.set("projection", p.projection)
        .set("centre", p.centre)
        .set("spectrum", p.spectrum)
        .set("weights", p.weights);
  out.set("missed", p.missed).set("intercept", p.intercept).set("noise", p.noise).set("spread", p.spread);
  out.set("explained", p.explained);
  return out;
}

CrossViewPredictor cross_view_from(const ModelGroup& g, const GplvmFit& fit) {
  CrossViewPredictor p;
  p.inputs.from = g.texts("from");
  p.target = g.text("target");
  Index M = 0;
  for (const std::string& name : p.inputs.from) {
    check(g, name != p.target && std::count(p.inputs.from.begin(), p.inputs.from.end(), name) == 1,
          "a view predicts itself, or is named twice");
    M += Index(fit.view(name).columns.size());
  }
  check(g, M > 0, "a predictor must have views to predict from");
  const auto columns = Index(fit.view(p.target).columns.size());
  p.inputs.centre = vector_from(g, "input_centre", M);
  p.inputs.weight = vector_from(g, "input_weight", M);
  const Index q = detail::count_from(g, "filled");
  p.inputs.fill = q > 0 ? matrix_from(g, "fill", M, q) : Matrix(M, 0);
  p.inputs.penalty = q > 0 ? vector_from(g, "penalty", q) : Vector(0);
  check(g, (p.inputs.penalty.array() > 0).all(), "the penalty must be positive");
  p.inputs.limit = g.number("limit");
  p.inputs.shift = vector_from(g, "input_shift", M);
  p.inputs.unit = g.number("unit");
  check(g, p.inputs.limit > 0 && p.inputs.unit > 0 && std::isfinite(p.inputs.unit),
        "limit and unit must be positive numbers");
  const Index r = g.matrix("loadings").cols();
  p.inputs.loadings = matrix_from(g, "loadings", M, r);
  p.share = g.number("share");
  check(g, p.share >= 0 && p.share <= 1, "the share must be between 0 and 1");
  const Index m = detail::count_from(g, "inducing"), k = detail::count_from(g, "basis");
  p.input_scale = vector_from(g, "input_scale", r);
  p.Z = m > 0 ? matrix_from(g, "Z", m, r) : Matrix(0, r);
  // Sizes of what is not in the file come from what is: a hostile count allocates nothing.
  p.projection = k > 0 ? matrix_from(g, "projection", r + m, k) : Matrix(r + m, 0);
  p.centre = k > 0 ? vector_from(g, "centre", k) : Vector(0);
  p.spectrum = k > 0 ? vector_from(g, "spectrum", k) : Vector(0);
  p.weights = k > 0 ? matrix_from(g, "weights", k, columns) : Matrix(0, columns);
  check(g, (p.spectrum.array() > 0).all(), "the spectrum must be positive");
  p.missed = g.number("missed");
  p.intercept = vector_from(g, "intercept", columns);
  p.noise = vector_from(g, "noise", columns);
  p.spread = matrix_from(g, "spread", columns, cross_view_ratios().size());
  p.explained = g.number("explained");
  check(g, (p.noise.array() >= 0).all() && (p.spread.array() >= 0).all(), "variances must not be negative");
  check(g, std::isfinite(p.missed) && std::isfinite(p.explained), "missed and explained must be finite");
  return p;
}

ModelGroup cross_views_group(const CrossViewModels& models) {
  ModelGroup out;
  out.set("count", models.predictors.size());
  for (std::size_t i = 0; i < models.predictors.size(); ++i)
    out.set(detail::place(i), cross_view_group(models.predictors[i]));
  return out;
}

CrossViewModels cross_views_from(const ModelGroup& group, const GplvmFit& fit) {
  const Index count = detail::count_from(group, "count");
  check(group, count <= most_predictors, "there are too many predictors");
  CrossViewModels out;
  for (Index i = 0; i < count; ++i)
    out.predictors.push_back(cross_view_from(group.group(detail::place(static_cast<std::size_t>(i))), fit));
  return out;
}

}  // namespace bochner
