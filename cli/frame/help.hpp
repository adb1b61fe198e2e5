#pragma once
#include <string>
#include <vector>

#include "command.hpp"

namespace bochner::cli {

/// What `bochner --help` and `bochner <command> --help` print.
std::string program_help(const std::vector<Command>& commands);
std::string command_help(const Command& command, const std::vector<Option>& common);

}  // namespace bochner::cli
