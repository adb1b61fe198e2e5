#pragma once
#include <string>
#include <vector>

#include "bayes_job.hpp"
#include "bochner/io/run_folder.hpp"
#include "json_file.hpp"

namespace bochner::cli {

/// What a Bayesian fit leaves in its folder beside config.toml and the tables in imputed/.
const std::vector<std::string>& bayes_files();

Json metrics_json(const BayesResult& result);

/// Everything but metrics.json, log.jsonl and draws.h5. `forecast`: steps past the last time.
void write_results(const BayesJob& job, const BayesResult& result, Index forecast, const RunFolder& run,
                   const Threads& threads);

}  // namespace bochner::cli
