#pragma once
#include <string>
#include <vector>

#include "job.hpp"

namespace bochner::cli {

/// "the exact kernel, 600 x 600", "600 random features of each view, redrawn every step", ...
std::string algorithm_text(const FitJob& job);

/// "rna 600 x 100 (85 % measured), protein 580 x 20 (99 % measured)"
std::string views_text(const Dataset& data);

/// Two lines with these beginnings: what was read, and where the sample ids came from.
std::string tables_text(const Dataset& data, const std::string& ids, const char* read, const char* from);

/// What was learned, in a line.
std::string fitted_text(const FitJob& job, const FitResult& result);

/// "cuda:0 (NVIDIA H200)"; empty for the processor.
std::string device_text(const FitJob& job);

MemoryNeed fit_memory(const FitJob& job);

/// The lines `first`, then what would be fitted, its memory and its time (the first steps are taken and timed), and the
/// `files` that would be left in the folder `out`.
std::string fit_plan(const std::string& first, const FitJob& job, const std::vector<std::string>& files,
                     const std::string& out, const Threads& threads);

}  // namespace bochner::cli
