#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "run_files.hpp"

namespace bochner::detail {

/// The table of a view with its missing entries filled in, or as it was measured, or predicted; rows are the samples of the run.
struct FilledView {
  std::string name;
  std::vector<std::string> columns;
  Matrix values;        // N x M
  BoolMatrix measured;  // N x M
  bool whole = true;    // all columns of the table, with what was measured of it
};

/// The samples of a latent variable model and what is known about them.
struct RunSamples {
  std::vector<std::string> ids;   // N; empty: the run has no latents
  std::vector<std::string> dims;  // names of the latent dimensions
  Matrix mean, sd;                // N x Q; sd may be empty
  std::vector<FilledView> views;  // those whose tables are in the folder
  Json fields = Json::array();    // what samples can be coloured by

  bool empty() const { return ids.empty(); }
};

RunSamples read_samples(RunFiles& run);

/// relevance.csv of latent dimensions; that of regressions has inputs instead.
std::optional<Table> relevance_of_dimensions(RunFiles& run);

/// Names of the views of the run, as far as its files tell.
std::vector<std::string> view_names(RunFiles& run);

/// A column of text as a field: numbers where all cells are, classes where they repeat. Null where neither helps.
/// `classes`: even where all cells are numbers.
Json field_of(const std::string& name, const std::string& group, const std::vector<std::string>& cells,
              bool classes = false);

}  // namespace bochner::detail
