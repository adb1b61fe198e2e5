#pragma once
#include <string>
#include <vector>

#include "cli/frame/option.hpp"

namespace bochner::cli {

// What holds for every option that names an input file (`Option::file`), whichever the command.

/// InputError if one of the files is the file of the results or, where `folder` says that the run owns it, lies in their
/// folder.
void refuse_inputs_within(const std::vector<Option>& options, const std::string& out, bool folder);

/// The files that the options name, each once, as they were given but without the names of views and parts of files.
std::vector<std::string> input_paths(const std::vector<Option>& options);

/// For `--resume`: goes to the folder in which the run in `out` was started, if its inputs are still there, so that a run can be
/// resumed from anywhere; `out` becomes absolute then.
void return_to_start(const std::vector<Option>& options, std::string& out);

}  // namespace bochner::cli
