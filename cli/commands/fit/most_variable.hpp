#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner::cli {

/// How many columns `--most-variable [VIEW=]K` keeps of each view; nothing: all. `labels`: whether a view holds labels,
/// which have no variance: a K for all views does not mean them. InputError for a K below 1, or for an unknown view.
std::vector<std::optional<Index>> most_variable_of(const std::vector<std::string>& values,
                                                   const std::vector<std::string>& views,
                                                   const std::vector<bool>& labels);

/// What was kept, by view of the data.
struct KeptColumns {
  std::vector<std::vector<Index>> columns;  // ascending
  std::string text{};  // "rna: the 500 most variable of 2000 columns"; empty if nothing was asked for
};
/// `counts`: of each view; those beyond its end keep all.
KeptColumns choose_columns(const Dataset& data, const std::vector<std::optional<Index>>& counts);

/// "keep  rna: the 500 most variable of 2000 columns\n", or nothing.
std::string kept_text(const char* before, const std::string& text);

}  // namespace bochner::cli
