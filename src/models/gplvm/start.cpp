#include "start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/data/fills.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/linalg/low_rank.hpp"
#include "bochner/models/latent/isomap.hpp"
#include "continuation.hpp"
#include "src/features/inducing.hpp"

namespace bochner {
namespace {

/// One number for all columns suits tables of one kind of measurement; columns in different units need one each. Units show in
/// columns that vary far more than most, in some that vary far more than the next one does, or in many that vary far less, all the
/// time: the border pixels of pictures vary little because they seldom do, and their largest values are many standard deviations
/// away.
ScalingKind automatic_scaling(MatrixIn Y) {
  constexpr double far = 10, gap = 5, seldom = 10, many = 0.15;
  const Scaling each = fit_scaling(Y, ScalingKind::standardise);
  std::vector<double> sds, ranges;
  for (Index m = 0; m < Y.cols(); ++m)
    if (std::find(each.constant.begin(), each.constant.end(), m) == each.constant.end() &&
        std::find(each.unmeasured.begin(), each.unmeasured.end(), m) == each.unmeasured.end()) {
      const auto measured = !Y.col(m).array().isNaN();
      sds.push_back(each.scale(m));
      ranges.push_back(
          measured.select(Y.col(m).array(), -std::numeric_limits<double>::infinity()).maxCoeff() -
          measured.select(Y.col(m).array(), std::numeric_limits<double>::infinity()).minCoeff());
    }
  if (sds.empty()) return ScalingKind::whole_view;
  std::vector<double> sorted = sds;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[sorted.size() / 2];
  bool apart = false;  // answers from 1 to 6, and age
  for (std::size_t i = sorted.size() / 2; i + 1 < sorted.size(); ++i)
    apart = apart || sorted[i + 1] > gap * sorted[i];
  double small = 0;
  for (std::size_t i = 0; i < sds.size(); ++i)
    if (far * sds[i] < middle && ranges[i] < seldom * sds[i]) ++small;
  return sorted.back() > far * middle || apart || small >= many * double(sds.size())
             ? ScalingKind::standardise
             : ScalingKind::whole_view;
}

ScalingKind kind_of(ViewScaling scaling, MatrixIn Y) {
  switch (scaling) {
    case ViewScaling::none:
      return ScalingKind::none;
    case ViewScaling::centre:
      return ScalingKind::centre;
    case ViewScaling::standardise:
      return ScalingKind::standardise;
    case ViewScaling::whole_view:
      return ScalingKind::whole_view;
    case ViewScaling::automatic:
      break;
  }
  return automatic_scaling(Y);
}

}  // namespace

Vector whiten_columns(Matrix& X) {
  X.rowwise() -= X.colwise().mean().eval();
  Vector sds = Vector::Ones(X.cols());
  for (Index q = 0; q < X.cols(); ++q) {
    const double sd = std::sqrt(X.col(q).squaredNorm() / double(X.rows()));
    if (!(sd > 0)) continue;
    X.col(q) /= sd;
    sds(q) = sd;
  }
  return sds;
}

ScaledData scale_views(const Dataset& data, const std::vector<GplvmViewOptions>& views) {
  std::vector<Scaling> scalings;
  std::vector<Matrix> values;
  for (Index v = 0; v < data.view_count(); ++v) {
    const Matrix& Y = data.view(v).Y;
    scalings.push_back(fit_scaling(Y, kind_of(views[static_cast<std::size_t>(v)].scaling, Y)));
    values.push_back(scalings.back().apply(Y));
  }
  return {data.with_values(std::move(values)), std::move(scalings)};
}

FirstGuess first_guess(const Dataset& scaled, const GplvmOptions& options, const Rng& rng,
                       const Compute& compute) {
  const Index N = scaled.rows(), dims = options.dims;
  Index M = 0;
  for (const View& view : scaled.views()) M += view.cols();
  Matrix all(N, M);
  Index at = 0;
  for (const View& view : scaled.views()) {
    all.middleCols(at, view.cols()) = view.Y / std::sqrt(double(view.cols()));
    at += view.cols();
  }
  const bool missing = scaled.observed() < N * M;
  if (missing) {
    const bool large = double(N) * double(M) > 1e7;
    all = fill_low_rank(all,
                        {.rank = std::min<Index>(std::max<Index>(dims, 5), std::min(N, M)),
                         .max_iterations = large ? 30 : 300,
                         .tolerance = 1e-3},
                        rng.split("fill"), compute);
  }
  FirstGuess out;
  at = 0;
  for (const View& view : scaled.views()) {
    out.filled.push_back(missing ? Matrix(all.middleCols(at, view.cols()) * std::sqrt(double(view.cols())))
                                 : view.Y);
    at += view.cols();
  }
  all.rowwise() -= all.colwise().mean().eval();
  const LowRankSvd svd = randomized_svd(all, dims, {}, rng.split("components"), compute);
  Matrix components = rng.split("further dimensions").normal(N, dims);  // more dimensions than columns
  for (Index q = 0; q < svd.U.cols(); ++q)
    if (svd.values(q) > 1e-9 * svd.values(0)) components.col(q) = svd.U.col(q);
  out.X.push_back(std::move(components));
  if (options.race && dims <= most_curved && N > 10 * (dims + 1))
    for (const double neighbours : {0.1, 0.2})
      out.X.push_back(isomap(all, {.dims = dims, .neighbours = neighbours}, rng.split("landmarks"), compute));
  for (Matrix& X : out.X) {
    whiten_columns(X);
    for (const Index n : scaled.empty_rows()) X.row(n).setZero();
  }
  return out;
}

std::vector<AnyKernel> asked_kernels(const std::vector<GplvmViewOptions>& views, Index dims, const Rng& rng) {
  std::vector<AnyKernel> out;
  for (std::size_t v = 0; v < views.size(); ++v)
    out.push_back(make_kernel(views[v].kernel, dims, rng.split("view").split(v).split("kernel"),
                              {.sigma2 = 0.5, .components = views[v].components}));
  return out;
}

GplvmParameters start_parameters(Matrix X, const std::vector<GplvmViewOptions>& views,
                                 const FeatureSpec& features, const std::vector<Index>& empty_rows,
                                 const Rng& rng, const Compute& compute) {
  const Index N = X.rows(), Q = X.cols();
  GplvmParameters p{.latent = {.mean = std::move(X), .sd = Matrix::Constant(N, Q, 0.1)}};
  for (const Index n : empty_rows) {  // the prior, where they stay
    p.latent.mean.row(n).setZero();
    p.latent.sd.row(n).setOnes();
  }
  const std::vector<AnyKernel> kernels = asked_kernels(views, Q, rng);
  for (std::size_t v = 0; v < views.size(); ++v) {
    const Rng mine = rng.split("view").split(v);
    GplvmParameters::View view{.kernel = simple_form(kernels[v]).value_or(kernels[v]),
                               .noise_variance = views[v].fixed_noise.value_or(views[v].first_noise)};
    if (features.kind == FeatureSpec::Kind::nystrom)
      view.Z =
          choose_inducing(view.kernel, p.latent.mean, features.count, 0, mine.split("inducing"), compute);
    p.views.push_back(std::move(view));
  }
  return p;
}

GplvmObjective make_objective(const Dataset& scaled, const std::vector<Matrix>& filled,
                              const std::vector<GplvmViewOptions>& views, const FeatureSpec& features,
                              FloatingPoint precision, GplvmParameters start, const Rng& rng,
                              const Compute& compute) {
  std::vector<ViewTerm> terms;
  std::vector<std::optional<double>> fixed;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const View& view = scaled.view(Index(v));
    terms.emplace_back(view.name, view.Y, filled[v], start.views[v].kernel, features, precision, compute);
    fixed.push_back(views[v].fixed_noise);
  }
  return {std::move(terms), std::move(start), std::move(fixed), rng, compute};
}

}  // namespace bochner
