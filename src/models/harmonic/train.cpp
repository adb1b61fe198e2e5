#include "train.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bochner/core/errors.hpp"
#include "checkpoint.hpp"
#include "deep.hpp"
#include "natural.hpp"

namespace bochner {
namespace {

constexpr Index smoothing = 50;  // steps that the running mean of the bound remembers
constexpr Index ramp = 50;       // steps over which natural steps grow
constexpr Index most_retries = 10;
constexpr double collapse = 10;    // a bound that falls by so many times itself is a step that went wild
constexpr double progress = 2e-3;  // nats per row that count as one
constexpr double deep_natural_step = 0.1;

/// What moves from step to step, together with the optimisers.
struct State {
  HarmonicGp gp;
  Precisions natural;           // with natural gradients
  std::vector<AdamState> adam;  // in the order of step_uphill
  Index step = 0;
};

class Training {
 public:
  Training(HarmonicGp start, const Learning& learning, Batches& batches, const HarmonicFitOptions& options,
           const Rng& rng, const Compute& compute, const HarmonicHooks& hooks)
      : learning_(learning),
        batches_(batches),
        options_(options),
        rng_(rng),
        compute_(compute),
        hooks_(hooks) {
    if (hooks.resume != nullptr)
      load(detail::harmonic_checkpoint_from(*hooks.resume));
    else
      now_ = {.gp = std::move(start), .natural = {}, .adam = std::vector<AdamState>(2)};
    if (hooks.resume == nullptr) best_gp_ = now_.gp;
    if (natural() && now_.natural.empty()) now_.natural = precisions(now_.gp, compute_);
  }

  HarmonicTrained run() {
    Status status = Status::iteration_limit;
    while (now_.step < end()) {
      const bool good = advance() && (now_.step % options_.check_every != 0 || check());
      if (!good && !step_back()) {
        status = Status::not_finite;
        break;
      }
      if (hooks_.on_step && !hooks_.on_step({now_.step, smoothed_, [&] { return checkpoint(); }})) {
        status = Status::stopped_by_callback;
        break;
      }
      if (now_.step == end() && cool_from_ >= 0 && end() < options_.steps) status = Status::converged;
      if (now_.step % options_.check_every == 0 && now_.step > plan().begin() && flat_since(plan().begin())) {
        status = Status::converged;
        break;
      }
    }
    const bool last_checked = !trace_.empty() && trace_.back().step == now_.step;
    if (status != Status::not_finite && !last_checked && !check()) status = Status::not_finite;
    return {std::move(best_gp_), taken_ > 0 ? now_.step : 0, smoothed_, status, std::move(trace_)};
  }

 private:
  bool natural() const { return options_.natural_step > 0; }
  /// The inputs of the last layer move while hidden layers learn: its posterior must not run ahead of them.
  double largest_natural_step() const {
    return now_.gp.hidden.empty() ? options_.natural_step
                                  : std::min(options_.natural_step, deep_natural_step);
  }
  bool validates() const { return batches_.validation_X().rows() > 0; }

  Cooling plan() const { return {options_.steps, options_.check_every, cool_from_}; }
  Index end() const { return plan().end(); }

  /// One step; false where the bound or a gradient is not finite.
  bool advance() {
    batches_.take(now_.step, X_, Y_);
    const double N = double(batches_.rows()), scale = N / double(X_.rows());
    HarmonicGradient g;
    NaturalTarget target;
    double value = 0;
    const double factor = std::ldexp(plan().factor(now_.step), -int(retries_));
    try {
      const HiddenNoise noise{.rng = rng_.split("layers").split(static_cast<std::uint64_t>(now_.step))};
      value = deep_bound(now_.gp, X_, Y_, scale, noise, compute_, &g, natural() ? &target : nullptr).value();
      if (!std::isfinite(value) || !g.kernel.allFinite() || !g.likelihood.allFinite()) return false;
      if (taken_ > ramp && value / N < smoothed_ - collapse * (1 + std::abs(smoothed_))) return false;
      const double warm = std::min(1.0, double(now_.step + 1) / double(ramp));
      if (natural())
        natural_step(now_.natural, target, largest_natural_step() * warm * factor, now_.gp, compute_);
      step_uphill(now_.gp, g, learning_, options_, !natural(), factor, now_.adam, compute_);
    } catch (const NumericalError&) {
      return false;
    } catch (const std::domain_error&) {  // a parameter has left the numbers
      return false;
    }
    ++now_.step;
    ++taken_;
    weight_ = (1 - 1.0 / double(smoothing)) * weight_ + 1;
    smoothed_ += (value / N - smoothed_) / weight_;
    return true;
  }

  /// The validation score and the trace; keeps the best model, or the last one where nothing ranks them. False for a model
  /// that cannot predict.
  bool check() {
    HarmonicStep entry{now_.step, smoothed_, std::numeric_limits<double>::quiet_NaN()};
    try {
      const std::vector<LatentMarginals> draws =
          predict_draws(now_.gp, validates() ? batches_.validation_X() : X_, validation_draws,
                        rng_.split("validation"), compute_);
      for (const LatentMarginals& f : draws)
        if (!f.mean.allFinite() || !f.variance.allFinite()) return false;
      if (validates()) entry.validation = validation_score(draws);
    } catch (const NumericalError&) {
      return false;
    } catch (const std::domain_error&) {
      return false;
    }
    trace_.push_back(entry);
    if (!validates() || entry.validation > best_) {
      best_ = entry.validation;
      best_step_ = now_.step;
      best_gp_ = now_.gp;
    }
    if (now_.step < plan().begin() && flat_since(0)) cool_from_ = now_.step;
    return true;
  }

  /// Whether the last `patience` checks, all of them after the step `from`, are no better than those before. What the trace
  /// says, a resumed run knows as well.
  bool flat_since(Index from) const {
    const auto patience = static_cast<std::size_t>(options_.patience);
    if (!validates() || trace_.size() <= patience) return false;
    const auto recent = trace_.end() - options_.patience;
    if (recent->step <= from) return false;
    const auto worse = [](const HarmonicStep& a, const HarmonicStep& b) {
      return a.validation < b.validation;
    };
    const double before = std::max_element(trace_.begin(), recent, worse)->validation;
    return std::max_element(recent, trace_.end(), worse)->validation <= before + progress;
  }

  /// The mean over rows of the log predictive density, summed over the outcomes of a row: the score that is reported. Rows
  /// that have weights (src/likelihoods/likelihood_rows.hpp) count by them.
  double validation_score(const std::vector<LatentMarginals>& draws) const {
    const Matrix& Y = batches_.validation_Y();
    const Index outcomes = outputs(now_.gp.likelihood);
    const Matrix density = mixture_log_predictive(now_.gp.likelihood, Y.leftCols(outcomes), draws);
    const Vector rows = density.array().isNaN().select(0, density.array()).matrix().rowwise().sum();
    return (Y.cols() > outcomes ? rows.dot(Y.col(outcomes)) : rows.sum()) / double(Y.rows());
  }

  /// On from the best model with half the step size and optimisers that remember nothing; false once that has been done too
  /// often.
  bool step_back() {
    if (++retries_ > most_retries) return false;
    ++now_.step;  // other rows next time
    now_.gp = best_gp_;
    now_.adam.assign(now_.adam.size(), {});
    if (natural()) now_.natural = precisions(now_.gp, compute_);
    return true;
  }

  ModelGroup checkpoint() const {
    return detail::checkpoint_group({.step = now_.step,
                                     .retries = retries_,
                                     .cool_from = cool_from_,
                                     .gp = now_.gp,
                                     .adam = now_.adam,
                                     .precision = now_.natural,
                                     .smoothed = smoothed_,
                                     .smoothing_weight = weight_,
                                     .best = best_,
                                     .best_step = best_step_,
                                     .best_gp = best_gp_,
                                     .trace = trace_});
  }

  void load(const detail::HarmonicCheckpoint& c) {
    now_ = {.gp = c.gp, .natural = c.precision, .adam = c.adam, .step = c.step};
    taken_ = c.step - c.retries;
    retries_ = c.retries;
    cool_from_ = c.cool_from;
    smoothed_ = c.smoothed;
    weight_ = c.smoothing_weight;
    best_ = c.best;
    best_step_ = c.best_step;
    best_gp_ = c.best_gp;
    trace_ = c.trace;
  }

  const Learning& learning_;
  Batches& batches_;
  const HarmonicFitOptions& options_;
  Rng rng_;
  Compute compute_;
  const HarmonicHooks& hooks_;

  State now_;
  Index retries_ = 0, cool_from_ = -1;
  Index taken_ = 0;  // steps of this run that were good
  double smoothed_ = 0, weight_ = 0;
  double best_ = -std::numeric_limits<double>::infinity();  // validation score
  Index best_step_ = 0;
  HarmonicGp best_gp_{};
  std::vector<HarmonicStep> trace_;
  Matrix X_, Y_;
};

}  // namespace

Index Cooling::begin() const { return from >= 0 ? from : steps / 2; }

Index Cooling::end() const { return from >= 0 ? std::min(steps, 2 * std::max(from, check_every)) : steps; }

double Cooling::factor(Index step) const {
  constexpr double cold = 0.02;  // at the end
  if (step < begin()) return 1;
  return step_factor(CosineStep{.last = cold}, step - begin(), std::max<Index>(end() - begin(), 1));
}

HarmonicTrained train_harmonic(HarmonicGp start, const Learning& learning, Batches& batches,
                               const HarmonicFitOptions& options, const Rng& rng, const Compute& compute,
                               const HarmonicHooks& hooks) {
  return Training(std::move(start), learning, batches, options, rng, compute, hooks).run();
}

}  // namespace bochner
