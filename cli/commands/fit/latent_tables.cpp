#include "latent_tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

std::vector<std::string> latent_columns(Index dims) {
  std::vector<std::string> names;
  for (Index q = 1; q <= dims; ++q) names.push_back(fmt::format("z{}", q));
  return names;
}

void write_latent(const RunFolder& run, const std::vector<std::string>& ids, const LatentPosterior& latent) {
  const std::vector<std::string> columns = latent_columns(latent.mean.cols());
  write_csv(run.path("latent.csv"), Table{ids, columns, latent.mean});
  write_csv(run.path("latent_sd.csv"), Table{ids, columns, latent.sd});
}

double normal_quantile_of_interval(double level) {
  // Newton on erf(z / sqrt 2) = level from the left, where it is concave: it grows to the root and cannot overshoot.
  double z = 0;
  for (int i = 0; i < 200; ++i) {
    const double step = (level - std::erf(z / std::sqrt(2.0))) / (std::sqrt(2 / pi) * std::exp(-0.5 * z * z));
    z += step;
    if (!(step > 1e-15 * z)) break;
  }
  return z;
}

}  // namespace bochner::cli
