#include <cmath>

#include "bochner/models/harmonic/distribution.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "deep.hpp"
#include "outcome_scale.hpp"
#include "src/models/harmonic/answers/calibrate.hpp"

namespace bochner {
namespace {

/// The noise of hidden layers belongs to the fit: what it says of a row, it says every time.
Rng prediction_noise(const HarmonicFit& fit) { return Rng(fit.seed).split("harmonic").split("predict"); }

/// Moments of a mixture of equal parts, added one at a time: the mean of the variances and the variance of the means.
class Mixture {
 public:
  void add(const Matrix& mean, const Matrix& variance) {
    if (count_++ == 0) {
      mean_ = mean, variance_ = variance, spread_ = Matrix::Zero(mean.rows(), mean.cols());
      return;
    }
    const Matrix off = mean - mean_;
    mean_ += off / double(count_);
    spread_ += off.cwiseProduct(mean - mean_);
    variance_ += (variance - variance_) / double(count_);
  }
  const Matrix& mean() const { return mean_; }
  Matrix variance() const { return variance_ + spread_ / double(count_); }

 private:
  Index count_ = 0;
  Matrix mean_, variance_, spread_;
};

}  // namespace

std::vector<LatentMarginals> latent_draws(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  std::vector<LatentMarginals> out =
      predict_draws(fit.gp, fit.inputs.apply(X), fit.options.draws, prediction_noise(fit), compute);
  for (LatentMarginals& f : out) apply_calibration(fit, f);
  return out;
}

std::vector<std::string> HarmonicFit::table_columns() const {
  if (encoding.columns.empty()) return inputs.columns;
  std::vector<std::string> out;
  for (const InputColumn& c : encoding.columns) out.push_back(c.name);
  return out;
}

HarmonicPrediction predict(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  const AnyLikelihood& likelihood = fit.gp.likelihood;
  Mixture f, y;
  HarmonicPrediction out{.f = {}, .y = {}, .probabilities = {}, .draws = latent_draws(fit, X, compute)};
  const std::vector<LatentMarginals>& draws = out.draws;
  for (const LatentMarginals& draw : draws) {
    f.add(draw.mean, draw.variance);
    if (has_probabilities(likelihood)) {
      const Matrix p = probabilities(likelihood, draw.mean, draw.variance);
      if (out.probabilities.size() == 0)
        out.probabilities = p / double(draws.size());
      else
        out.probabilities += p / double(draws.size());
    } else {
      const Outcome one = outcome(likelihood, draw.mean, draw.variance);
      y.add(one.mean, one.variance);
    }
  }
  out.f = {f.mean(), f.variance()};
  if (has_probabilities(likelihood)) return out;
  const Index P = outputs(likelihood);  // later columns are about the noise
  out.f = {Matrix(out.f.mean.leftCols(P)), Matrix(out.f.variance.leftCols(P))};
  out.y = {fit.outputs.undo(y.mean()), fit.outputs.undo_variance(y.variance())};
  out.f = {fit.outputs.undo(out.f.mean), fit.outputs.undo_variance(out.f.variance)};
  if (is_count(likelihood)) out.f.mean.rowwise() += parameters(likelihood).head(P).transpose();  // log rates
  return out;
}

std::vector<LatentMarginals> predict_parts(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  std::vector<Mixture> groups(static_cast<std::size_t>(fit.gp.groups()));
  for_each_draw(fit.gp, fit.inputs.apply(X), fit.options.draws, prediction_noise(fit), compute,
                [&](MatrixIn inputs) {
                  const std::vector<LatentMarginals> parts = predict_parts(fit.gp, inputs, compute);
                  for (std::size_t h = 0; h < groups.size(); ++h)
                    groups[h].add(parts[h].mean, parts[h].variance);
                });
  std::vector<LatentMarginals> out;
  const AnyLikelihood& likelihood = fit.gp.likelihood;
  const Index P = has_outcome(likelihood) ? outputs(likelihood) : fit.gp.latents();
  for (const Mixture& g : groups) out.push_back({g.mean().leftCols(P), g.variance().leftCols(P)});
  if (scales_outcomes(fit.gp.likelihood))
    for (LatentMarginals& part : out)
      part = {fit.outputs.undo_sd(part.mean), fit.outputs.undo_variance(part.variance)};
  if (const double T = fit.calibration.temperature; T != 1)
    for (LatentMarginals& part : out) part.mean /= T, part.variance /= T * T;
  return out;
}

Matrix log_density(const HarmonicFit& fit, MatrixIn X, MatrixIn Y, const Compute& compute) {
  return log_density(fit, latent_draws(fit, X, compute), Y, compute);
}

}  // namespace bochner
