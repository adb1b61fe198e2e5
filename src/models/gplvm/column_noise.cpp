#include "column_noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bochner {
namespace {

constexpr double nu = 4;                         // entries that the prior of the noise is worth
constexpr double most_tau = 3, least_tau = 0.7;  // sd of the log amplitude
constexpr double many = 30;                      // measured entries
constexpr double least_variance = 1e-6;          // of noise, as in the objective
constexpr double most_leverage = 0.9;            // beyond, a residual says nothing

/// A handful of entries, centred by their own mean, are near zero whatever the column is like: they must not say that its amplitude
/// is.
double tau_of(double count) { return std::clamp(most_tau * count / many, least_tau, most_tau); }

/// (t / z)^2 of the ends of 90 % intervals, Student's t against the normal, by the expansion of t in 1 / dof: at one degree of
/// freedom 11.5 instead of 14.7, from two on within 4 %.
double squared_t_ratio(double dof) {
  constexpr double z2 = 1.6448536 * 1.6448536;
  const double t = 1 + (z2 + 1) / (4 * dof) + ((5 * z2 + 16) * z2 + 3) / (96 * dof * dof) +
                   (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * dof * dof * dof);
  return t * t;
}

}  // namespace

double seldom_measured_variance(const ColumnScale& column, double prior, double count, double most_count,
                                bool own_unit) {
  if (count >= many || 2 * count >= most_count) return 0;
  const double n = std::max(count, 1.0), variance = column.noise + column.amplitude * prior;
  // (y - mean) / sd of n entries, the sd with 1 / n (scaling.cpp), is Student's t times sqrt((n + 1) / (n - 1)).
  const double factor = own_unit && n > 1 ? squared_t_ratio(n - 1) * (n + 1) / (n - 1) : 1 + 1 / n;
  return variance * (factor - 1);
}

ColumnScale column_at(const ColumnEvidence& column, double common, double ratio, double& criterion) {
  const double S = column.y2 - (column.squared.array() / (column.lambda.array() + ratio)).sum();
  const double n = column.count + nu;
  ColumnScale out;
  out.noise = std::max((std::max(S, 0.0) + nu * common) / n, least_variance);
  out.amplitude = out.noise / ratio;
  const double log_amplitude = std::log(out.amplitude), tau = tau_of(column.count);
  criterion = n * (std::log(out.noise) + 1) + (1 + column.spread.array() / ratio).log().sum() +
              log_amplitude * log_amplitude / (tau * tau);
  return out;
}

ColumnScale learn_column(const ColumnEvidence& column, double common) {
  constexpr int points = 40;
  constexpr double golden = 0.6180339887498949;
  const double low = std::log(least_variance), high = std::log(100 * std::max(1.0, common));
  const double step = (high - low) / points;
  const auto value = [&](double log_ratio) {
    double out = 0;
    column_at(column, common, std::exp(log_ratio), out);
    return out;
  };
  double best = low, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= points; ++i) {
    const double t = low + step * i, f = value(t);
    if (f < least) least = f, best = t;
  }
  double a = std::max(best - step, low), b = std::min(best + step, high);
  double c = b - golden * (b - a), d = a + golden * (b - a), fc = value(c), fd = value(d);
  while (b - a > 1e-4) {
    if (fc < fd) {
      b = d, d = c, fd = fc;
      c = b - golden * (b - a), fc = value(c);
    } else {
      a = c, c = d, fc = fd;
      d = a + golden * (b - a), fd = value(d);
    }
  }
  double unused = 0;
  return column_at(column, common, std::exp(0.5 * (a + b)), unused);
}

double latent_factor(const Vector& r2, const Vector& spread, double common) {
  const double n = double(r2.size());
  if (n == 0) return 1;
  const Eigen::ArrayXd h = (spread.array() / common).min(most_leverage), left = 1 - h;
  const double own = std::max((r2.array() - h * left * common).sum(), 0.0);
  const double noise = (own + nu * common) / (left.square().sum() + nu);
  const double expected = (r2.sum() + spread.sum() + nu * common) / (n + nu);
  return noise / expected / left.mean();
}

}  // namespace bochner
