#include "bochner/assess/psis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bochner/core/checks.hpp"
#include "log_sum_exp.hpp"

namespace bochner {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

struct GeneralisedPareto {
  double k = 0, sigma = 1;
};

/// The posterior mean of Zhang and Stephens [zhang2009], its k drawn a little to 1/2, given values in ascending order.
GeneralisedPareto fit_pareto(const Vector& values) {
  const Index n = values.size(), grid = 30 + static_cast<Index>(std::sqrt(double(n)));
  const double quartile = values(static_cast<Index>(double(n) / 4 + 0.5) - 1);
  Vector b(grid), length(grid);
  for (Index i = 0; i < grid; ++i) {
    b(i) = (1 - std::sqrt(double(grid) / (double(i) + 0.5))) / (3 * quartile) + 1 / values(n - 1);
    const double k = (-b(i) * values.array()).log1p().mean();
    length(i) = double(n) * (std::log(-(b(i) / k)) - k - 1);
  }
  double sum = 0, mean = 0;
  for (Index i = 0; i < grid; ++i) {
    const double weight = 1 / (length.array() - length(i)).exp().sum();
    if (!(weight >= 10 * rounding)) continue;
    sum += weight;
    mean += weight * b(i);
  }
  const double center = mean / sum, k = (-center * values.array()).log1p().mean();
  constexpr double prior = 10;  // draws that the prior is worth
  return {(double(n) * k + prior * 0.5) / (double(n) + prior), -k / center};
}

double pareto_quantile(const GeneralisedPareto& p, double share) {
  if (!(p.sigma > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double far = -std::log1p(-share);
  return p.sigma * (std::abs(p.k) < rounding ? far : std::expm1(p.k * far) / p.k);
}

}  // namespace

ParetoSmoothed psis(Vector x, double reff) {
  const Index S = x.size();
  check_at_least("psis", "number of draws", S, 2);
  check_finite("psis", "log_ratios", x);
  check_positive("psis", "reff", reff);
  ParetoSmoothed out{.log_weights = std::move(x), .pareto_k = std::numeric_limits<double>::infinity()};
  Vector& w = out.log_weights;
  w.array() -= w.maxCoeff();
  std::vector<Index> order(static_cast<std::size_t>(S));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return w(a) < w(b); });
  const auto tail = static_cast<Index>(std::ceil(std::min(double(S) / 5, 3 * std::sqrt(double(S) / reff))));
  const double least = std::log(std::numeric_limits<double>::min());
  const double cutoff = std::max(w(order[static_cast<std::size_t>(std::max<Index>(0, S - tail - 1))]), least);
  const auto above = static_cast<std::size_t>(
      std::find_if(order.begin(), order.end(), [&](Index s) { return w(s) > cutoff; }) - order.begin());
  const Index n = S - static_cast<Index>(above);
  if (n > 4) {
    Vector values(n);
    for (Index i = 0; i < n; ++i)
      values(i) = std::exp(w(order[above + static_cast<std::size_t>(i)])) - std::exp(cutoff);
    const GeneralisedPareto pareto = fit_pareto(values);
    out.pareto_k = pareto.k;
    if (std::isfinite(pareto.k))
      for (Index i = 0; i < n; ++i) {
        const double smooth =
            std::log(pareto_quantile(pareto, (double(i) + 0.5) / double(n)) + std::exp(cutoff));
        w(order[above + static_cast<std::size_t>(i)]) = std::min(smooth, 0.0);  // no more than the largest
      }
  }
  w.array() -= detail::log_sum_exp(w);
  return out;
}

}  // namespace bochner
