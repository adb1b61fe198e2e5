#pragma once
#include <string>

#include "bochner/run/run_folder.hpp"
#include "job.hpp"

namespace bochner::cli {

/// Lines for the terminal; "" without covariates.
std::string covariates_text(const BayesResult& result);

/// covariates.csv; nothing without covariates.
void write_covariates(const BayesResult& result, RunFolder& run);

}  // namespace bochner::cli
