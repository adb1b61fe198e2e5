#pragma once
#include "bochner/run/run_folder.hpp"
#include "progress.hpp"
#include "verb.hpp"

namespace bochner::cli {

/// Progress of a run: on standard error unless it is to be quiet, and as lines of its log.jsonl.
ProgressOptions logged_progress(const Common& common, RunFolder& run);

}  // namespace bochner::cli
