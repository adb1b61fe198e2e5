#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/relevance.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

/// What the dimensions of a fit mean.
struct Dimensions {
  Relevance relevance;
  std::vector<Matrix> loadings;  // per view, M x Q
};
Dimensions dimensions_of(const GplvmFit& fit, const Dataset& seen, const Threads& threads);

/// "shared", "rna only", "unused"; "used" where there is one view.
std::vector<std::string> roles(const Dimensions& dimensions, const GplvmFit& fit);

/// Variance explained by view and dimension, and the top columns of each dimension, as lines.
std::string dimensions_text(const Dimensions& dimensions, const GplvmFit& fit);

/// relevance.csv, relevance_columns.csv, loadings.csv, top_columns.csv and responses.csv
void write_dimensions(const Dimensions& dimensions, const GplvmFit& fit, const RunFolder& run,
                      const Threads& threads);

}  // namespace bochner::cli
