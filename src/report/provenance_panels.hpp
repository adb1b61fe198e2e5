#pragma once
#include "run_files.hpp"

namespace bochner::detail {

/// How the run came about: command, versions, settings, inputs with their hashes, time and memory.
void add_provenance_panels(RunFiles& run, Json& panels);

/// "1 h 5 min", "12 s"
std::string human_seconds(double seconds);

/// Seconds that the whole run took; NaN if its log does not tell.
double run_seconds(const RunFiles& run);

/// The Python estimator whose fit the folder holds, as it prints itself; "" for a run of the program.
std::string made_by(const RunFiles& run);

/// The version of the program that started the run, "" if its log does not tell.
std::string run_version(const RunFiles& run);

}  // namespace bochner::detail
