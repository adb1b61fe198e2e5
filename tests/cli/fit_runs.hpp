#pragma once
#include <string>
#include <vector>

#include "program.hpp"
#include "run_files.hpp"

namespace bochner::testing {

/// A folder with two tables, and a short run of `bochner fit` on them.
class Fit : public ::testing::Test {
 protected:
  Fit() { write_example_tables(folder); }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  const std::vector<std::string> fit{"fit",     "--view", "rna=rna.csv", "--view", "protein.csv",
                                     "--steps", "30",     "--holdout",   "0.15"};
  TempFolder folder;
};

/// The files that such a run leaves.
inline const std::vector<std::string> fit_leaves{"config.toml",
                                                 "heldout.csv",
                                                 "heldout_entries.csv",
                                                 "heldout_views.csv",
                                                 "imputed/protein.csv",
                                                 "imputed/protein_hi.csv",
                                                 "imputed/protein_lo.csv",
                                                 "imputed/rna.csv",
                                                 "imputed/rna_hi.csv",
                                                 "imputed/rna_lo.csv",
                                                 "kernel.json",
                                                 "latent.csv",
                                                 "latent_sd.csv",
                                                 "loadings.csv",
                                                 "log.jsonl",
                                                 "metrics.json",
                                                 "model.bochner",
                                                 "relevance.csv",
                                                 "relevance_columns.csv",
                                                 "responses.csv",
                                                 "top_columns.csv",
                                                 "trace.csv"};

}  // namespace bochner::testing
