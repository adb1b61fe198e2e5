#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/pointwise.hpp"
#include "bochner/run/json_file.hpp"

namespace bochner::cli {

/// LOO and WAIC of each view as lines of a table, with the warning of the R package loo; nothing if there are none.
std::string criteria_text(const std::vector<ViewCriteria>& criteria);

/// Puts "loo" and "waic" into metrics.json, by view, with the names that ArviZ has for them.
void put_criteria(Json& json, const std::vector<ViewCriteria>& criteria);

}  // namespace bochner::cli
