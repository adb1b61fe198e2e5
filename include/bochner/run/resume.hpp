#pragma once
#include <optional>
#include <string>

#include "bochner/store/model_file.hpp"

namespace bochner {

// What a run folder says about the run in it, for those who want to continue it.

inline const std::string checkpoint_file = "checkpoint.bochner";

/// Whether the run in the folder has ended by itself, so that there is nothing to resume.
bool is_complete(const std::string& folder);

/// Where the run in the folder stood; nothing if it was ended before its first checkpoint. InputError if `fingerprint` is not
/// the one it was started with: the tables have changed.
std::optional<ModelGroup> find_checkpoint(const std::string& folder, const std::string& fingerprint);

/// The bytes of that checkpoint, for processes that may not see the folder.
std::string checkpoint_bytes(const std::string& folder);

}  // namespace bochner
