#include "bochner/models/harmonic/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/compute/cholesky.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/likelihoods/predictive.hpp"
#include "src/models/harmonic/groups.hpp"
#include "src/models/harmonic/outcome_scale.hpp"

namespace bochner {
namespace {

/// Where quantiles are mean -+ z sd.
bool normal(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws) {
  return draws.size() == 1 && std::holds_alternative<GaussianNoise>(fit.gp.likelihood);
}

PredictionInterval normal_interval(const HarmonicFit& fit, const LatentMarginals& f, double coverage) {
  const Outcome y = outcome(fit.gp.likelihood, f.mean, f.variance);
  const Matrix mean = fit.outputs.undo(y.mean),
               half = normal_quantile_of_interval(coverage) *
                      fit.outputs.undo_variance(y.variance).array().sqrt().matrix();
  return {mean - half, mean + half};
}

constexpr Index most_rows = 10000;  // whose covariance is kept
/// What a prior minus what is known of it may lack by rounding.
const std::vector<double> jitters{1e-10, 1e-8, 1e-6, 1e-4};

void check_joint(Index rows) {
  if (rows > most_rows)
    throw InputError("the covariance between " + counted(rows, "row") +
                     " takes too much memory; use at most " + std::to_string(most_rows) + " at a time");
}

/// What the inputs do not tell of the noise is drawn anew at each row.
void add_spread(const HarmonicFit& fit, Matrix& f, Rng& rng) {
  const auto* noise = std::get_if<HeteroscedasticNoise>(&fit.gp.likelihood);
  if (noise == nullptr || fit.calibration.spread.size() == 0) return;
  for (Index o = 0; o < noise->outputs(); ++o)
    f.col(noise->outputs() + o) += fit.calibration.spread(o) / noise->amplitude(o) * rng.normal(f.rows());
}

std::pair<double, double> ends(double coverage) { return {(1 - coverage) / 2, (1 + coverage) / 2}; }

/// How much of the probability of each count, which lies between two levels, is within the central interval.
Matrix share_within(const Matrix& below, const Matrix& upto, double coverage) {
  const auto [first, last] = ends(coverage);
  Matrix out(below.rows(), below.cols());
  for (Index n = 0; n < out.rows(); ++n)
    for (Index p = 0; p < out.cols(); ++p) {
      const double from = below(n, p), to = upto(n, p);
      if (std::isnan(from))
        out(n, p) = from;
      else if (to - from > 1e-12)
        out(n, p) = std::max(0.0, std::min(to, last) - std::max(from, first)) / (to - from);
      else
        out(n, p) = from >= first && to <= last ? 1 : 0;
    }
  return out;
}

}  // namespace

bool has_quantiles(const HarmonicFit& fit) { return !std::holds_alternative<RobustMax>(fit.gp.likelihood); }

std::vector<Matrix> predict_quantiles(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws,
                                      const std::vector<double>& levels, const Compute& compute) {
  if (!has_quantiles(fit))
    throw InputError(
        "the likelihood robustmax has no quantiles: its probabilities are certain given the latent "
        "functions; "
        "use softmax or bernoulli");
  if (const auto* softmax = std::get_if<Softmax>(&fit.gp.likelihood))
    return probability_quantiles(*softmax, draws, levels, Rng(fit.seed).split("harmonic").split("quantiles"),
                                 compute);
  std::vector<Matrix> out = quantiles(fit.gp.likelihood, draws, levels, compute);
  if (scales_outcomes(fit.gp.likelihood))
    for (Matrix& q : out) q = fit.outputs.undo(q);
  return out;
}

PredictionInterval predict_interval(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws,
                                    double coverage, const Compute& compute) {
  check_positive("predict_interval", "coverage", coverage);
  check_between("predict_interval", "coverage", coverage, 0, std::nextafter(1.0, 0.0));
  if (normal(fit, draws)) return normal_interval(fit, draws.front(), coverage);
  const auto [first, last] = ends(coverage);
  std::vector<Matrix> q = predict_quantiles(fit, draws, {first, last}, compute);
  return {std::move(q[0]), std::move(q[1])};
}

Matrix log_density(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                   const Compute&) {
  const Matrix scaled = fit.outputs.apply(Y);
  std::vector<Matrix> each;
  for (const LatentMarginals& f : draws)
    each.push_back(log_predictive(fit.gp.likelihood, scaled, f.mean, f.variance));
  Matrix out = each.front();
  if (each.size() > 1) {
    Matrix largest = each.front(), sum = Matrix::Zero(out.rows(), out.cols());
    for (const Matrix& one : each) largest = largest.cwiseMax(one);
    for (const Matrix& one : each) sum.array() += (one - largest).array().exp();
    out = largest.array() + (sum.array() / double(each.size())).log();
  }
  if (scales_outcomes(fit.gp.likelihood))
    out.rowwise() -= fit.outputs.scale.array().log().matrix().transpose();
  return out;
}

Matrix covered_share(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                     double coverage, const Compute& compute) {
  if (normal(fit, draws)) {
    const PredictionInterval at = normal_interval(fit, draws.front(), coverage);
    const Matrix half = 0.5 * (at.high - at.low), centre = 0.5 * (at.high + at.low);
    return Y.binaryExpr(centre, [](double y, double m) { return std::isnan(y) ? y : std::abs(y - m); })
        .binaryExpr(half, [](double off, double h) { return std::isnan(off) ? off : double(off <= h); });
  }
  const Matrix scaled = fit.outputs.apply(Y);
  const Matrix upto = cumulative(fit.gp.likelihood, draws, scaled, compute);
  const bool counts = is_count(fit.gp.likelihood);
  const Matrix below = counts ? cumulative(fit.gp.likelihood, draws, scaled.array() - 1, compute) : upto;
  return share_within(below, upto, coverage);
}

std::vector<Matrix> predict_covariance(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  const HarmonicGp& gp = fit.gp;
  if (!gp.hidden.empty())
    throw InputError(
        "covariances between rows exist for models of one layer only; this one has hidden layers");
  if (gp.patch_sum) throw InputError("covariances between rows are not available for models of images");
  check_joint(X.rows());
  std::vector<Matrix> out = latent_covariance(gp, fit.inputs.apply(X), compute);
  if (has_outcome(gp.likelihood)) out.resize(at(outputs(gp.likelihood)));  // others are about the noise
  if (scales_outcomes(gp.likelihood))
    for (std::size_t p = 0; p < out.size(); ++p)
      out[p] *= fit.outputs.scale(Index(p)) * fit.outputs.scale(Index(p));
  return out;
}

std::vector<Matrix> sample_outcomes(const HarmonicFit& fit, MatrixIn X, Index count, const Rng& rng,
                                    const Compute& compute) {
  check_at_least("sample_outcomes", "count", count, 1);
  const HarmonicGp& gp = fit.gp;
  const Index N = X.rows(), P = gp.latents();
  const std::vector<LatentMarginals> draws = latent_draws(fit, X, compute);
  const bool joint = gp.hidden.empty() && !gp.patch_sum;
  std::vector<CholeskyFactor> factors;
  if (joint) check_joint(N);
  if (joint)
    for (const Matrix& C : latent_covariance(gp, fit.inputs.apply(X), compute))
      factors.push_back(cholesky(C, {.what = "the covariance of the rows", .jitter = jitters}, compute));
  std::vector<Matrix> out;
  for (Index s = 0; s < count; ++s) {
    Rng own = rng.split(static_cast<std::uint64_t>(s));
    const Matrix z = own.normal(N, P);
    const LatentMarginals& m = draws[at(s % Index(draws.size()))];
    Matrix f = m.mean;
    for (Index p = 0; p < P; ++p) {
      if (joint)
        f.col(p) += factors[at(p)].L.triangularView<Eigen::Lower>() * z.col(p) / fit.calibration.temperature;
      else
        f.col(p).array() += m.variance.col(p).array().sqrt() * z.col(p).array();
    }
    if (joint) add_spread(fit, f, own);
    Matrix y = draw_outcomes(gp.likelihood, f, own);
    out.push_back(scales_outcomes(gp.likelihood) ? fit.outputs.undo(y) : std::move(y));
  }
  return out;
}

}  // namespace bochner
