#include "objective.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {
namespace {

using MatrixMap = Eigen::Map<const Matrix>;

/// Noise variances live above this: scaled data that a model explains entirely must not drive it out of the positive
/// definite matrices.
constexpr double noise_floor = 1e-6;

double noise_of(double u) { return noise_floor + std::exp(u); }
double sign_of(Index step) { return step % 2 == 0 ? 1.0 : -1.0; }  // of the draw
double noise_parameter(double sigma2) { return std::log(std::max(sigma2 - noise_floor, noise_floor)); }

Vector flat(const Matrix& A) { return Eigen::Map<const Vector>(A.data(), A.size()); }

}  // namespace

GplvmObjective::GplvmObjective(std::vector<ViewTerm> terms, GplvmParameters start,
                               std::vector<std::optional<double>> fixed_noise, const Rng& rng,
                               const Compute& compute)
    : terms_(std::move(terms)),
      start_(std::move(start)),
      fixed_noise_(std::move(fixed_noise)),
      rng_(rng),
      compute_(compute) {
  for (const ViewTerm& term : terms_) observed_ += term.observed();
  lay_out();
}

void GplvmObjective::lay_out() {
  size_ = 2 * start_.latent.mean.size();
  offset_.clear();
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    offset_.push_back(size_);
    size_ += parameter_count(start_.views[v].kernel) + 1 + start_.views[v].Z.size();
  }
}

void GplvmObjective::set_form(const std::vector<GplvmParameters::View>& like, const FeatureSpec& features) {
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    start_.views[v].kernel = like.at(v).kernel;
    start_.views[v].Z = like.at(v).Z;
    terms_[v].set_features(features);
  }
  drawn_ = -1;
  lay_out();
}

Vector GplvmObjective::pack(const GplvmParameters& p) const {
  Vector theta(size_);
  const Index NQ = p.latent.mean.size();
  theta.head(NQ) = flat(p.latent.mean);
  theta.segment(NQ, NQ) = flat(p.latent.sd).array().log();
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    const GplvmParameters::View& view = p.views[v];
    const Index P = parameter_count(view.kernel);
    theta.segment(offset_[v], P) = parameters(view.kernel);
    theta(offset_[v] + P) = noise_parameter(view.noise_variance);
    theta.segment(offset_[v] + P + 1, view.Z.size()) = flat(view.Z);
  }
  return theta;
}

GplvmParameters GplvmObjective::unpack(const Vector& theta) const {
  const Index N = start_.latent.mean.rows(), Q = start_.latent.mean.cols();
  GplvmParameters p;
  p.latent.mean = MatrixMap(theta.data(), N, Q);
  p.latent.sd = MatrixMap(theta.data() + N * Q, N, Q).array().exp();
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    const GplvmParameters::View& like = start_.views[v];
    const Index P = parameter_count(like.kernel), at = offset_[v];
    p.views.push_back({.kernel = with_parameters(like.kernel, theta.segment(at, P)),
                       .noise_variance = noise_at(v, theta(at + P)),
                       .Z = MatrixMap(theta.data() + at + P + 1, like.Z.rows(), like.Z.cols())});
  }
  return p;
}

double GplvmObjective::noise_at(std::size_t v, double u) const {
  return fixed_noise_[v].value_or(noise_of(u));
}

/// Two steps share a draw.
Rng GplvmObjective::latent_draws(Index step) const {
  return rng_.split("latents").split(static_cast<std::uint64_t>(step / 2));
}
Rng GplvmObjective::frequency_draws(Index step) const {
  return rng_.split("frequencies").split(static_cast<std::uint64_t>(step));
}

double GplvmObjective::add_view(std::size_t v, const Vector& theta, const Matrix& X, Index step,
                                const Rng& rng, Vector& grad, Matrix& dX) {
  const GplvmParameters::View& like = start_.views[v];
  const Index P = parameter_count(like.kernel), at = offset_[v];
  const double u = theta(at + P), sigma2 = noise_at(v, u);
  const std::vector<Index>& rows = terms_[v].rows();
  const bool all = Index(rows.size()) == X.rows();
  const ViewEvidence e =
      terms_[v].evaluate(with_parameters(like.kernel, theta.segment(at, P)), sigma2,
                         MatrixMap(theta.data() + at + P + 1, like.Z.rows(), like.Z.cols()),
                         all ? X : Matrix(X(rows, Eigen::all)), step, rng, compute_);
  grad.segment(at, P) = e.dtheta;
  grad(at + P) = fixed_noise_[v] ? 0.0 : e.dsigma2 * std::exp(u);
  if (like.Z.size() > 0) grad.segment(at + P + 1, like.Z.size()) = flat(e.dZ);
  if (all)
    dX += e.dX;
  else
    dX(rows, Eigen::all) += e.dX;
  jitter_ = std::max(jitter_, e.jitter);
  return e.value;
}

double GplvmObjective::operator()(const Vector& theta, Index step, Vector& grad) {
  const Index N = start_.latent.mean.rows(), Q = start_.latent.mean.cols(), NQ = N * Q;
  const Vector eps = sign_of(step) * latent_draws(step).normal(NQ);
  const auto mean = theta.head(NQ).array(), log_sd = theta.segment(NQ, NQ).array();
  const Vector sd = log_sd.exp();
  const Vector x = mean + sd.array() * eps.array();
  const Matrix X = MatrixMap(x.data(), N, Q);

  Matrix dX = Matrix::Zero(N, Q);
  double value = 0;
  const Rng frequencies = frequency_draws(step);
  for (std::size_t v = 0; v < terms_.size(); ++v)
    value += add_view(v, theta, X, step, frequencies.split(v), grad, dX);

  const Vector dx = flat(dX);
  value -= 0.5 * (mean.square() + sd.array().square() - 1 - 2 * log_sd).sum();
  grad.head(NQ) = dx - theta.head(NQ);
  grad.segment(NQ, NQ) = dx.array() * sd.array() * eps.array() - (sd.array().square() - 1);
  grad /= double(observed_);
  return value / double(observed_);
}

bool GplvmObjective::is_on_device() const {
  for (std::size_t v = 0; v < terms_.size(); ++v)
    if (!terms_[v].on_device(start_.views[v].kernel, compute_)) return false;
  return true;
}

std::unique_ptr<LatentStep> GplvmObjective::latent_step() {
  const Index N = start_.latent.mean.rows();
  std::vector<LatentView> views;
  for (ViewTerm& term : terms_) {
    const bool all = Index(term.rows().size()) == N;
    views.push_back({.step = &term.device_step(compute_), .rows = all ? std::vector<Index>() : term.rows()});
  }
  return std::make_unique<LatentStep>(compute_.engine, N, start_.latent.mean.cols(), views,
                                      double(observed_));
}

/// It knows no parameters, so that it can be drawn a step ahead.
const std::vector<SpectralNoise>& GplvmObjective::noise_of_step(Index step) {
  if (drawn_ == step) return noise_;
  const Rng draws = frequency_draws(step);
  noise_.clear();
  for (std::size_t v = 0; v < terms_.size(); ++v)
    noise_.push_back(terms_[v].draw(start_.views[v].kernel, draws.split(v)));
  drawn_ = step;
  return noise_;
}

double GplvmObjective::on_device(LatentStep& latents, const DevicePoint& theta, Index step,
                                 DevicePoint& grad) {
  const std::vector<SpectralNoise> noise = noise_of_step(step);
  const Index before = 2 * start_.latent.mean.size();  // the rest of theta
  std::vector<AnyKernel> kernels;
  std::vector<Frequencies> waves;
  std::vector<double> sigma2;
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    const Index P = parameter_count(start_.views[v].kernel), at = offset_[v] - before;
    kernels.push_back(with_parameters(start_.views[v].kernel, theta.rest.segment(at, P)));
    waves.push_back(frequencies(kernels[v], noise[v]));
    sigma2.push_back(noise_at(v, theta.rest(at + P)));
  }
  const LatentStep::Result e =
      latents.evaluate(waves, sigma2, {.key = latent_draws(step).key(), .sign = sign_of(step)}, theta.latents,
                       grad.latents, [&] { noise_of_step(step + 1); });
  const double per_entry = double(observed_);
  grad.sign = 1;
  grad.latent_squares = e.squares;
  grad.rest.setZero(theta.rest.size());
  double value = -e.divergence;
  for (std::size_t v = 0; v < terms_.size(); ++v) {
    const Index P = parameter_count(kernels[v]), at = offset_[v] - before;
    value += e.views[v].value;
    grad.rest.segment(at, P) = frequencies_pullback(kernels[v], noise[v], e.views[v].gradient) / per_entry;
    if (!fixed_noise_[v]) grad.rest(at + P) = e.views[v].dsigma2 * std::exp(theta.rest(at + P)) / per_entry;
    jitter_ = std::max(jitter_, e.views[v].jitter);
  }
  return value / per_entry;
}

std::vector<Vector> GplvmObjective::guesses() const {
  std::vector<Vector> out;
  for (const ViewTerm& term : terms_) out.push_back(term.guesses());
  return out;
}

void GplvmObjective::set_guesses(const std::vector<Vector>& guesses) {
  for (std::size_t v = 0; v < terms_.size(); ++v) terms_[v].set_guesses(guesses.at(v));
}

}  // namespace bochner
