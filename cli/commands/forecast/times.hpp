#pragma once
#include <string>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// Checks the times of a series, its row ids. Numbers must go up in equal steps. ISO dates must go up; where their steps
/// differ (months, quarters, years and weekdays count as equal steps) a note says how many are missing. Anything else is
/// taken at its word. InputError with the file, the rows and what to do.
std::vector<std::string> check_times(const Table& table, const std::string& file);

}  // namespace bochner::cli
