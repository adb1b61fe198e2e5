#pragma once
#include <string>
#include <vector>

#include "bochner/data/row_factors.hpp"

namespace bochner::cli {

/// Which views `--normalise [VIEW=]rows` means. InputError for another word or an unknown view.
std::vector<bool> normalised_views(const std::vector<std::string>& values,
                                   const std::vector<std::string>& views);

/// "rows  divided by their root mean squares in rna (median 12.5)\n", or nothing.
std::string normalised_text(const char* before, const Dataset& data, const RowFactors& factors);

}  // namespace bochner::cli
