#include "parts.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

#include "bochner/linalg/low_rank.hpp"

namespace bochner::bench {

BayesData one_view(const Matrix& Y) { return {.data = join({make_view("y", Y)})}; }

Matrix principal_components(const Matrix& Y, Index Q, ScalingKind scaling, const Threads& threads) {
  const Matrix Z = fit_scaling(Y, scaling).apply(Y);
  const LowRankSvd svd = randomized_svd(Z, Q, {}, Rng(1), threads);
  return svd.U * svd.values.asDiagonal();
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

std::string mean_sd(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  char text[64];
  std::snprintf(text, sizeof text, "%.4f +- %.4f", mean, std::sqrt(squares / double(values.size())));
  return text;
}

}  // namespace bochner::bench
