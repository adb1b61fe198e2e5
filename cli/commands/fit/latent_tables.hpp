#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/fit.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

/// "z1", "z2", ...
std::vector<std::string> latent_columns(Index dims);

/// latent.csv and latent_sd.csv
void write_latent(const RunFolder& run, const std::vector<std::string>& ids, const LatentPosterior& latent);

}  // namespace bochner::cli
