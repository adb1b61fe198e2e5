#pragma once
#include <string>
#include <vector>

#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"
#include "job.hpp"

namespace bochner::cli {

/// What a Bayesian fit leaves in its folder beside config.toml and the tables in imputed/.
const std::vector<std::string>& bayes_files();

/// What a fit of either model leaves: a folder holds the results of one run.
std::vector<std::string> all_fit_files();

/// Names of the functions of a view: its columns, or column=class.
std::vector<std::string> function_names(const BayesViewFit& view);

/// Rows for these samples with the likeliest label of each column, given the probabilities of all classes (function_names).
void add_labels(const BayesViewFit& view, const std::vector<std::string>& ids, const Matrix& probabilities,
                TextTable& out);

Json metrics_json(const BayesResult& result);

/// "converged" where the diagnostics of the chains say so, "finished" if all draws were taken, or "interrupted".
const char* stop_reason(const BayesFit& fit);

/// Everything but metrics.json, log.jsonl and draws.nc.
void write_results(const BayesJob& job, const BayesResult& result, RunFolder& run, const Threads& threads);

}  // namespace bochner::cli
