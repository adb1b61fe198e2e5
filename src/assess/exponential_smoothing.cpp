#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bochner/assess/series_baselines.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index most_times = 5000;  // the last ones; older ones are forgotten anyway

struct Weights {
  double level = 0, trend = 0, season = 0, damping = 1;
};

/// y_t = level + damping * trend + season of its time + error, each of which moves by its weight times the error
/// [hyndman2008, the additive model with a damped trend].
class Smoothing {
 public:
  Smoothing(const Eigen::Ref<const Vector>& y, Index season, const Weights& weights)
      : w_(weights), season_(Vector::Zero(season)) {
    std::vector<double> first;
    for (Index t = 0; t < std::min<Index>(y.size(), std::max<Index>(season, 1)); ++t)
      if (std::isfinite(y(t))) first.push_back(y(t));
    for (const double value : first) level_ += value / double(first.size());
    if (season > 1)
      for (Index t = 0; t < std::min(season, y.size()); ++t)
        if (std::isfinite(y(t))) season_(t) = y(t) - level_;
    // The first season says where things begin, and counts for no error.
    for (Index t = 0; t < y.size(); ++t) {
      const double error = std::isfinite(y(t)) ? y(t) - next() : 0;
      if (t >= season) squares_ += error * error;
      step(error);
    }
  }
  double next() const { return level_ + w_.damping * trend_ + seasonal(); }
  void step(double error) {
    const double drift = w_.damping * trend_;
    level_ += drift + w_.level * error;
    trend_ = drift + w_.trend * error;
    if (season_.size() > 1) season_(time_ % season_.size()) += w_.season * error;
    ++time_;
  }
  double squares() const { return squares_; }

 private:
  double seasonal() const { return season_.size() > 1 ? season_(time_ % season_.size()) : 0; }

  Weights w_;
  double level_ = 0, trend_ = 0, squares_ = 0;
  Vector season_;
  Index time_ = 0;
};

/// The weights of a grid with the smallest errors of one step.
Weights best_weights(const Eigen::Ref<const Vector>& y, Index season) {
  Weights best{.level = 1};
  double least = std::numeric_limits<double>::infinity();
  const std::vector<double> seasonal =
      season > 1 ? std::vector<double>{0, 0.05, 0.2, 0.5} : std::vector<double>{0};
  for (const double level : {0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0})
    for (const double trend : {0.0, 0.02, 0.1, 0.3})
      for (const double share : seasonal)
        for (const double damping : {0.9, 0.98}) {
          if (trend == 0 && damping > 0.9) continue;  // no trend: nothing to damp
          const Weights w{.level = level, .trend = level * trend, .season = share, .damping = damping};
          const double squares = Smoothing(y, season, w).squares();
          if (squares < least) least = squares, best = w;
        }
  return best;
}

}  // namespace

Matrix exponential_smoothing(MatrixIn y, Index season, Index steps) {
  check_at_least("exponential_smoothing", "season", season, 0);
  check_at_least("exponential_smoothing", "rows of y", y.rows(), 1);
  if (season == 0) season = find_season(y);
  if (y.rows() < 2 * season) season = 1;
  const Index from = std::max<Index>(0, y.rows() - std::max(most_times, 5 * season));
  Matrix out(steps, y.cols());
  for (Index s = 0; s < y.cols(); ++s) {
    const Vector own = y.col(s).tail(y.rows() - from);
    Smoothing state(own, season, best_weights(own, season));
    for (Index t = 0; t < steps; ++t) {
      out(t, s) = state.next();
      state.step(0);
    }
  }
  return out;
}

}  // namespace bochner
