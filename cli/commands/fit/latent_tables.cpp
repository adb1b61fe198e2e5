#include "latent_tables.hpp"

#include <fmt/format.h>

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

}  // namespace bochner::cli
