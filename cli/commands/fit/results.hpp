#pragma once
#include <string>
#include <vector>

#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"
#include "job.hpp"

namespace bochner::cli {

/// What a fit leaves in its folder beside config.toml and the tables in imputed/; the checkpoint is not among them.
const std::vector<std::string>& fit_files();

/// metrics.json
Json metrics_json(const FitResult& result);

/// The numbers of dimensions that `--dims auto` tried, with held-out errors.
Json tried_json(const FitJob& job);

/// The card that the steps ran on, and the versions of what computed there.
Json device_json(const FitJob& job);

/// Everything but metrics.json and log.jsonl.
void write_results(const FitJob& job, const FitResult& result, RunFolder& run, const Threads& threads);

}  // namespace bochner::cli
