#include "bochner/models/bayes/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

namespace {

constexpr double tails = 0.05;

double quantile_of(std::vector<double>& values, double share) {
  const auto place = values.begin() + std::ptrdiff_t(std::lround(share * double(values.size() - 1)));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

Spread spread_of(std::vector<double> values) {
  return {quantile_of(values, tails), quantile_of(values, 0.5), quantile_of(values, 1 - tails)};
}

Spread spread_of(const BayesViewFit& view, const std::function<double(const SpectralDraw&)>& of) {
  std::vector<double> values;
  for (const BayesFunctions& draw : view.draws) values.push_back(of(draw.spectrum));
  return spread_of(std::move(values));
}

Band band_of(const BayesViewFit& view, const Vector& at,
             const std::function<double(const SpectralDraw&, Index q, double at)>& of) {
  const Index P = at.size(), Q = view.draws.front().W.cols();
  Band out{at, Matrix(P, Q), Matrix(P, Q), Matrix(P, Q)};
  for (Index p = 0; p < P; ++p)
    for (Index q = 0; q < Q; ++q) {
      const Spread own = spread_of(view, [&](const SpectralDraw& draw) { return of(draw, q, at(p)); });
      out.low(p, q) = own.low;
      out.median(p, q) = own.median;
      out.high(p, q) = own.high;
    }
  return out;
}

double variance_along(const SpectralDraw& s, Index k, Index q) {
  return s.covariances(k, q * s.means.cols() + q);
}

double density_at(const SpectralDraw& s, Index q, double w) {
  double sum = 0;
  for (Index k = 0; k < s.components(); ++k) {
    const double variance = variance_along(s, k, q);
    for (const double side : {w, -w}) {
      const double z = side - s.means(k, q);
      sum += s.weights(k) * std::exp(-0.5 * z * z / variance) / std::sqrt(2 * std::numbers::pi * variance);
    }
  }
  return sum;
}

double kernel_at(const SpectralDraw& s, Index q, double lag) {
  double sum = 0;
  for (Index k = 0; k < s.components(); ++k)
    sum +=
        s.weights(k) * std::exp(-0.5 * lag * lag * variance_along(s, k, q)) * std::cos(s.means(k, q) * lag);
  return s.amplitude * sum;
}

/// A frequency that most draws have almost nothing beyond.
double highest(const BayesViewFit& view) {
  std::vector<double> ends;
  for (const BayesFunctions& draw : view.draws) ends.push_back(draw.W.cwiseAbs().maxCoeff());
  return quantile_of(ends, 0.5);
}

}  // namespace

SpectralPosterior spectral_posterior(const BayesViewFit& view, Index points) {
  check_at_least("spectral_posterior", "points", points, 2);
  for (const BayesFunctions& draw : view.draws)
    if (draw.spectrum.components() == 0)
      throw InputError(fmt::format(
          "view '{}': the model keeps no spectral density, since an earlier release wrote it; fit it again",
          view.name));
  constexpr double farthest = 4;  // latents have a variance of about one
  return {.amplitude = spread_of(view, [](const SpectralDraw& s) { return s.amplitude; }),
          .concentration = spread_of(view, [](const SpectralDraw& s) { return s.concentration; }),
          .components = spread_of(view, [](const SpectralDraw& s) { return double(s.components()); }),
          .density = band_of(view, Vector::LinSpaced(points, 0, highest(view)), density_at),
          .kernel = band_of(view, Vector::LinSpaced(points, 0, farthest), kernel_at)};
}

}  // namespace bochner
