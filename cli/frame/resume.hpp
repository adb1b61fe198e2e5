#pragma once
#include <string>

#include "verb.hpp"

namespace bochner::cli {

inline const std::string checkpoint_file = "checkpoint.bochner";

/// A run can only be resumed as what it was: InputError if an option is not what the config.toml of its folder has.
void check_unchanged(const Job& job);

/// Whether a run in the folder has ended by itself, so that there is nothing to resume.
bool has_ended(const std::string& folder);

bool file_exists(const std::string& path);

/// InputError that says that the tables are not those of the stopped run, unless the two checksums are the same.
void check_same_tables(const std::string& checkpoint, const std::string& found, const std::string& expected);

}  // namespace bochner::cli
