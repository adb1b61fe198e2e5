#include "bochner/likelihoods/gaussian_noise.hpp"

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {

std::vector<std::string> GaussianNoise::parameter_names() const {
  return output_names("log variance", variance.size());
}

Vector GaussianNoise::parameters() const { return variance.array().log(); }

GaussianNoise GaussianNoise::with_parameters(VectorIn theta) const {
  check_size("GaussianNoise::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.variance = theta.array().exp()};
}

void GaussianNoise::check_outcomes(MatrixIn Y) const {
  check_positive("GaussianNoise", "variance", variance);
  check_entries(
      "GaussianNoise", Y, outputs(), [](double y) { return std::isfinite(y); }, "finite");
}

ExpectedLog GaussianNoise::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("GaussianNoise::expected_log", latents(), mean, var);
  check_rows("GaussianNoise::expected_log", Y, mean);
  check_outcomes(Y);
  return entrywise_expected_log(Y, mean, var, parameter_count(),
                                [&](Index p, double y, double m, double v) -> ExpectedEntry {
                                  const double s2 = variance(p), square = ((y - m) * (y - m) + v) / s2;
                                  return {.value = -0.5 * (log_2pi + std::log(s2) + square),
                                          .dmean = (y - m) / s2,
                                          .dvar = -0.5 / s2,
                                          .dtheta = 0.5 * (square - 1)};
                                });
}

Matrix GaussianNoise::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("GaussianNoise::log_predictive", latents(), mean, var);
  check_rows("GaussianNoise::log_predictive", Y, mean);
  check_outcomes(Y);
  return entrywise_log_predictive(Y, mean, var, [&](Index p, double y, double m, double v) {
    const double s2 = v + variance(p);
    return -0.5 * (log_2pi + std::log(s2) + (y - m) * (y - m) / s2);
  });
}

Outcome GaussianNoise::outcome(MatrixIn mean, MatrixIn var) const {
  check_marginals("GaussianNoise::outcome", latents(), mean, var);
  return {.mean = mean, .variance = var.rowwise() + variance.transpose()};
}

}  // namespace bochner
