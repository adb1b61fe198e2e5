#include "entries.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {

std::vector<Index> indices(const std::vector<std::int64_t>& values) { return {values.begin(), values.end()}; }

Matrix paths_matrix(const std::vector<PathPrior>& paths) {
  Matrix out(static_cast<Index>(paths.size()), 2);
  for (Index d = 0; d < out.rows(); ++d)
    out.row(d) << paths[static_cast<std::size_t>(d)].ell, paths[static_cast<std::size_t>(d)].variance;
  return out;
}

std::vector<PathPrior> paths_from(const ModelGroup& g, const Matrix& values, PathKind path) {
  std::vector<PathPrior> out;
  check_shape(g, "paths", values, values.rows(), 2);
  for (Index d = 0; d < values.rows(); ++d) {
    if (!(values(d, 0) > 0 && values(d, 1) > 0))
      throw InputError(fmt::format("{}: length-scales and variances must be positive", g.where()));
    out.push_back({path, values(d, 0), values(d, 1)});
  }
  return out;
}

namespace {

ModelGroup spectrum_group(const SpectralDraw& s) {
  ModelGroup out;
  return out.set("weights", s.weights)
      .set("means", s.means)
      .set("covariances", s.covariances)
      .set("concentration", s.concentration)
      .set("amplitude", s.amplitude);
}

SpectralDraw spectrum_from(const ModelGroup& g, Index Q) {
  SpectralDraw out{.weights = g.vector("weights"),
                   .means = g.matrix("means"),
                   .covariances = g.matrix("covariances"),
                   .concentration = g.number("concentration"),
                   .amplitude = g.number("amplitude")};
  check_shape(g, "means", out.means, out.components(), Q);
  check_shape(g, "covariances", out.covariances, out.components(), Q * Q);
  if (!(out.concentration > 0 && out.amplitude > 0 && (out.weights.array() > 0).all()))
    throw InputError(
        fmt::format("{}: weights, concentration and amplitude must be positive numbers", g.where()));
  return out;
}

}  // namespace

ModelGroup covariates_group(const Covariates& covariates) {
  ModelGroup out;
  for (std::size_t c = 0; c < covariates.columns.size(); ++c) {
    const Covariate& own = covariates.columns[c];
    ModelGroup column;
    column.set("name", own.name).set("levels", own.levels).set("centre", own.centre).set("scale", own.scale);
    out.set(place(c), column);
  }
  return out.set("count", covariates.columns.size());
}

Covariates covariates_from(const ModelGroup& g) {
  Covariates out;
  const Index count = count_from(g, "count");
  for (Index c = 0; c < count; ++c) {
    const ModelGroup& own = g.group(place(static_cast<std::size_t>(c)));
    out.columns.push_back({own.text("name"), own.texts("levels"), own.number("centre"), own.number("scale")});
    if (out.columns.back().levels.size() == 1 || !(out.columns.back().scale > 0))
      throw InputError(fmt::format("{}: a covariate has a single level or no scale", own.where()));
  }
  return out;
}

ModelGroup functions_group(const BayesFunctions& f) {
  ModelGroup out;
  out.set("W", f.W).set("B", f.B).set("scale", f.scale);
  if (f.covariates.size() > 0) out.set("covariates", f.covariates);
  if (f.spectrum.components() > 0) out.set("spectrum", spectrum_group(f.spectrum));
  return out;
}

BayesFunctions functions_from(const ModelGroup& g, Index Q) {
  BayesFunctions out{.W = g.matrix("W"), .B = g.matrix("B"), .scale = g.vector("scale")};
  check_shape(g, "W", out.W, out.W.rows(), Q);
  check_shape(g, "B", out.B, 2 * out.W.rows() + 1, out.B.cols());
  if (g.has("covariates")) {  // since models can have some
    out.covariates = g.matrix("covariates");
    check_shape(g, "covariates", out.covariates, out.covariates.rows(), out.B.cols());
  }
  if (g.has("spectrum")) out.spectrum = spectrum_from(g.group("spectrum"), Q);  // since draws keep it
  if (out.scale.size() > 0) {
    check_length(g, "scale", out.scale.size(), out.B.cols());
    if (!(out.scale.array() > 0).all())
      throw InputError(fmt::format("{}: noise variances and dispersions must be positive", g.where()));
  }
  return out;
}

}  // namespace bochner::detail
