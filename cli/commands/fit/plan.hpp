#pragma once
#include <string>
#include <vector>

#include "job.hpp"

namespace bochner::cli {

/// "the exact kernel, 600 x 600", "600 random features of each view, drawn afresh every step", ...
std::string algorithm_text(const FitJob& job);

/// "rna 600 x 100 (85 % measured), protein 580 x 20 (99 % measured)"
std::string views_text(const Dataset& data);

/// Refuses what would not fit into memory.
void check_fit_memory(const FitJob& job);

/// The lines `first`, then what would be fitted, its memory and its time (the first steps are taken and timed), and the
/// `files` that would be left in the folder `out`.
std::string fit_plan(const std::string& first, const FitJob& job, const std::vector<std::string>& files,
                     const std::string& out, const Threads& threads);

}  // namespace bochner::cli
