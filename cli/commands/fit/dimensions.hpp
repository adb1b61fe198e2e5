#pragma once
#include <string>
#include <vector>

#include "bochner/assess/held_out_scores.hpp"
#include "bochner/models/bayes/relevance.hpp"
#include "bochner/models/gplvm/relevance.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

/// What the dimensions of a fit mean.
struct Dimensions {
  struct Of {
    std::string view;
    std::vector<std::string> columns;
    bool functions = false;  // shares are those of the variance of f, not of the measured entries
  };
  std::vector<Of> views{};
  Relevance relevance{};
  std::vector<Matrix> loadings{};     // per view, M x Q
  std::vector<Matrix> loadings_sd{};  // their posterior standard deviations; none for variational models

  Index dims() const { return relevance.by_view.cols(); }
};
Dimensions dimensions_of(const GplvmFit& fit, const Dataset& seen, const Threads& threads);
Dimensions dimensions_of(const BayesFit& fit, const Dataset& seen, const Threads& threads);

/// "shared", "rna only", "unused"; "used" where there is one view.
std::vector<std::string> roles(const Dimensions& dimensions);

/// The share that all dimensions explain, by view.
Json explained_json(const Dimensions& dimensions);

/// The share of the variance of held-out entries that is explained, by view; null where none were held out, and for labels.
Json explained_heldout_json(const Dimensions& dimensions, const std::vector<ViewScores>& scores);

/// Variance explained by view and dimension, in training and of held-out entries, and the top columns of each dimension, as
/// lines.
std::string dimensions_text(const Dimensions& dimensions, const std::vector<ViewScores>& scores);

/// How the top columns of each dimension answer to it; with 90 % intervals over draws where there are some.
TextTable response_table(const Dimensions& dimensions, const GplvmFit& fit, const Threads& threads);
TextTable response_table(const Dimensions& dimensions, const BayesFit& fit, const Threads& threads);

/// relevance.csv, relevance_columns.csv, loadings.csv, loadings_sd.csv where there are some, top_columns.csv and responses.csv.
void write_dimensions(const Dimensions& dimensions, const RunFolder& run, const TextTable& responses);

}  // namespace bochner::cli
