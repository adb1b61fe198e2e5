#pragma once
#include <string>
#include <vector>

#include "bochner/compute/communicator.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner {

/// Writes down which data a run has read, one event "input" for each file with its size in bytes and its SHA-256, so that a result
/// can be traced to its tables. Only regular files count: a pipe cannot be read twice. A file that is gone is left out.
void log_inputs(const std::vector<std::string>& files, RunFolder& run);

/// InputError if ranks have files of the same names with other bytes. A collective operation.
void check_same_inputs(const std::vector<std::string>& files, const Communicator& comm);

}  // namespace bochner
