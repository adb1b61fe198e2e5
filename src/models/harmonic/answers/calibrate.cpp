#include "calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "bochner/likelihoods/predictive.hpp"
#include "src/likelihoods/likelihood_rows.hpp"

namespace bochner {
namespace {

constexpr Index most_values = 2000;
// Of logarithms. Twenty rows say much about a variance, and next to nothing about a temperature: they may all be right.
constexpr double factor_sd = 1, temperature_sd = 0.3, largest_factor = 3, largest_spread = 4;

/// The largest value of a function with one top on [low, high], to 1/200 of its argument [kiefer1953].
std::pair<double, double> highest(double low, double high, const std::function<double(double)>& f) {
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double a = high - golden * (high - low), b = low + golden * (high - low), fa = f(a), fb = f(b);
  while (high - low > 5e-3) {
    if (fa > fb) {
      high = b, b = a, fb = fa;
      fa = f(a = high - golden * (high - low));
    } else {
      low = a, a = b, fa = fb;
      fb = f(b = low + golden * (high - low));
    }
  }
  return fa > fb ? std::pair(a, fa) : std::pair(b, fb);
}

/// The same on [-reach, reach] for a function of steps, which may be flat beside its top: the best of a grid, nearest to 0 among
/// equals, then around it.
std::pair<double, double> highest_of_steps(double reach, const std::function<double(double)>& f) {
  constexpr double width = 0.1;
  std::pair<double, double> best{0, f(0)};
  for (int k = 1; k * width <= reach; ++k)
    for (const double at : {-k * width, k * width})
      if (const double value = f(at); value > best.second) best = {at, value};
  const auto near = highest(std::max(-reach, best.first - width), std::min(reach, best.first + width), f);
  return near.second > best.second ? near : best;
}

/// Values of one outcome with their weights, and q(f) there.
struct Judges {
  std::vector<LatentMarginals> draws;
  Matrix Y;  // the other outcomes are NaN
  Vector weight;
  double worth = 0;  // in rows of equal weight
};

/// Rows on which outcome `o` was measured, evenly spaced where there are more than most_values.
Judges judges_of(const std::vector<LatentMarginals>& draws, MatrixIn Y, Index outcomes, Index o) {
  std::vector<Index> known;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, o))) known.push_back(n);
  std::vector<Index> rows;
  const auto N = static_cast<Index>(known.size()), kept = std::min(N, most_values);
  for (Index i = 0; i < kept; ++i) rows.push_back(known[static_cast<std::size_t>(i * N / kept)]);
  Judges out{.draws = {}, .Y = Y(rows, Eigen::all).leftCols(outcomes), .weight = Vector::Ones(kept)};
  if (Y.cols() > outcomes) out.weight = Y(rows, outcomes);
  for (Index other = 0; other < outcomes; ++other)
    if (other != o) out.Y.col(other).setConstant(std::numeric_limits<double>::quiet_NaN());
  const double total = out.weight.sum();
  if (total > 0) out.worth = total * total / out.weight.squaredNorm();
  for (const LatentMarginals& d : draws)
    out.draws.push_back({d.mean(rows, Eigen::all), d.variance(rows, Eigen::all)});
  return out;
}

/// sum_n weight_n log p(y_no), the mean over the draws inside of the logarithm.
double log_score(const AnyLikelihood& likelihood, const Judges& at, Index o, const Compute& compute) {
  std::vector<Vector> each;
  for (const LatentMarginals& f : at.draws)
    each.push_back(log_predictive(likelihood, at.Y, f.mean, f.variance, compute).col(o));
  Vector top = each.front();
  for (const Vector& one : each) top = top.cwiseMax(one);
  Vector sum = Vector::Zero(top.size());
  for (const Vector& one : each) sum.array() += (one - top).array().exp();
  return at.weight.dot((top.array() + (sum.array() / double(each.size())).log()).matrix());
}

double log_prior(double log_value, double sd) { return -0.5 * log_value * log_value / (sd * sd); }

/// Place of the scale of the noise of outcome `o` among the parameters, and what a factor of e of its variance adds there.
struct NoiseParameter {
  Index place;
  double per_log_variance;
};
std::optional<NoiseParameter> noise_parameter(const AnyLikelihood& likelihood, Index o) {
  const Index P = outputs(likelihood);
  if (std::holds_alternative<GaussianNoise>(likelihood)) return NoiseParameter{o, 1};
  if (std::holds_alternative<HeteroscedasticNoise>(likelihood)) return NoiseParameter{o, 1};
  if (std::holds_alternative<StudentT>(likelihood)) return NoiseParameter{o, 0.5};
  if (std::holds_alternative<NegativeBinomial>(likelihood)) return NoiseParameter{P + o, -1};
  return std::nullopt;
}

AnyLikelihood with_noise(const AnyLikelihood& likelihood, const NoiseParameter& at, double log_factor) {
  Vector theta = parameters(likelihood);
  theta(at.place) += at.per_log_variance * log_factor;
  return with_parameters(likelihood, theta);
}

/// How far the share of values in their 90 % intervals is from 0.9, in squares of its standard error; a scale that maximises
/// densities makes intervals too wide where tails are heavier, or lighter, than the likelihood's.
double coverage_score(const AnyLikelihood& likelihood, const Judges& at, Index o, const Compute& compute) {
  constexpr double coverage = 0.9;
  const Vector level = cumulative(likelihood, at.draws, at.Y, compute).col(o);
  const double share =
      ((2 * level.array() - 1).abs() <= coverage).select(at.weight.array(), 0).sum() / at.weight.sum();
  return -0.5 * (share - coverage) * (share - coverage) * at.worth / (coverage * (1 - coverage));
}

Judges with_spread(const Judges& judges, const HeteroscedasticNoise& l, Index o, double spread) {
  Judges out = judges;
  for (LatentMarginals& d : out.draws)
    d.variance.col(l.outputs() + o).array() += std::pow(spread / l.amplitude(o), 2);
  return out;
}

/// Sets what validation rows say of outcome `o`.
void calibrate_noise(HarmonicFit& fit, const Judges& judges, Index o, const Compute& compute) {
  const AnyLikelihood start = fit.gp.likelihood;
  const std::optional<NoiseParameter> at = noise_parameter(start, o);
  if (!at) return;
  const auto best_factor = [&](const Judges& rows) {
    return highest(-largest_factor, largest_factor, [&](double log_factor) {
      return log_score(with_noise(start, *at, log_factor), rows, o, compute) +
             log_prior(log_factor, factor_sd);
    });
  };
  Judges rows = judges;
  if (const auto* noise = std::get_if<HeteroscedasticNoise>(&start)) {
    const auto of_spread = [&](double spread) {
      return best_factor(with_spread(judges, *noise, o, spread)).second - 0.5 * spread * spread;
    };
    const auto [spread, value] = highest(0, largest_spread, of_spread);
    fit.calibration.spread(o) = value > of_spread(0) ? spread : 0;
    rows = with_spread(judges, *noise, o, fit.calibration.spread(o));
  }
  double log_factor = best_factor(rows).first;
  if (!is_count(start)) {
    const auto score = [&](double t) {
      return coverage_score(with_noise(start, *at, t), rows, o, compute) + log_prior(t, factor_sd);
    };
    log_factor = highest_of_steps(largest_factor, score).first;
  }
  fit.gp.likelihood = with_noise(start, *at, log_factor);
  fit.calibration.noise(o) = std::exp(log_factor);
}

bool has_temperature(const AnyLikelihood& likelihood) {
  return std::holds_alternative<Softmax>(likelihood) || std::holds_alternative<Bernoulli>(likelihood);
}

Judges with_temperature(const Judges& judges, double log_temperature) {
  Judges out = judges;
  const double by = std::exp(-log_temperature);
  for (LatentMarginals& d : out.draws) d.mean *= by, d.variance *= by * by;
  return out;
}

}  // namespace

double calibrate(HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                 const Compute& compute) {
  const Index P = outputs(fit.gp.likelihood);
  fit.calibration = {.temperature = 1, .noise = Vector::Ones(P), .spread = Vector::Zero(P)};
  for (Index o = 0; o < P; ++o) {
    const Judges judges = judges_of(draws, Y, P, o);
    if (judges.worth < double(fewest_to_calibrate)) continue;
    if (!has_temperature(fit.gp.likelihood)) {
      calibrate_noise(fit, judges, o, compute);
      continue;
    }
    if (P > 1) break;  // one temperature for all
    const auto score = [&](double t) {
      return log_score(fit.gp.likelihood, with_temperature(judges, t), o, compute) +
             log_prior(t, temperature_sd);
    };
    fit.calibration.temperature = std::exp(highest(-largest_factor, largest_factor, score).first);
  }
  return validation_density(fit, draws, Y, compute);
}

double validation_density(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                          const Compute& compute) {
  std::vector<LatentMarginals> calibrated = draws;
  for (LatentMarginals& f : calibrated) apply_calibration(fit, f);
  double sum = 0;
  for (Index o = 0; o < outputs(fit.gp.likelihood); ++o)
    sum += log_score(fit.gp.likelihood, judges_of(calibrated, Y, outputs(fit.gp.likelihood), o), o, compute);
  return sum;
}

void apply_calibration(const HarmonicFit& fit, LatentMarginals& f) {
  const HarmonicCalibration& c = fit.calibration;
  if (c.temperature != 1) {
    f.mean /= c.temperature;
    f.variance /= c.temperature * c.temperature;
  }
  const auto* noise = std::get_if<HeteroscedasticNoise>(&fit.gp.likelihood);
  if (noise == nullptr || c.spread.size() == 0) return;
  for (Index o = 0; o < noise->outputs(); ++o)
    f.variance.col(noise->outputs() + o).array() += std::pow(c.spread(o) / noise->amplitude(o), 2);
}

}  // namespace bochner
