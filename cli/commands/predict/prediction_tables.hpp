#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/run/run_folder.hpp"
#include "cli/commands/regress/prediction_file.hpp"
#include "cli/commands/regress/scores.hpp"
#include "cli/inputs/paired_rows.hpp"

namespace bochner::cli {

/// What was found out along the way.
struct Predicted {
  std::vector<OutcomeScores> scores;
  Index missing = 0;  // rows without a prediction
};

/// predictions.csv and parts.csv, and the scores of rows whose truth is known.
class PredictionTables {
 public:
  PredictionTables(const HarmonicFit& fit, const PairedRows& rows, const RunFolder& run,
                   const PredictionColumns& columns, bool parts);

  /// The rows from `begin` on.
  void write(Index begin, MatrixIn X, MatrixIn Y, const HarmonicPrediction& p, const Threads& threads);
  Predicted commit();

 private:
  const HarmonicFit& fit_;
  const PairedRows& rows_;
  PredictionFile file_;
  std::optional<PartsFile> parts_;
  Predicted out_;
};

/// A prediction on its way from one process to another.
std::string bytes_of(const HarmonicPrediction& p);
HarmonicPrediction prediction_from(const std::string& bytes);

}  // namespace bochner::cli
