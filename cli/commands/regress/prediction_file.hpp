#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/assess.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner::cli {

/// What predictions.csv says beside means and probabilities.
struct PredictionColumns {
  bool truth = false;
  double interval = 0;           // coverage of NAME_lo, NAME_hi; 0: 0.9 for numbers, none for classes
  std::vector<double> levels{};  // of NAME_q0.05, ..
};

/// predictions.csv. Numbers: for each outcome NAME_mean, NAME_f_sd, NAME_y_sd, NAME_lo, NAME_hi of the interval of a
/// measurement, and its quantiles; for counts NAME_f_mean too, as f is the logarithm of their rate. Classes: class, and p_CLASS for each of
/// them, with p_CLASS_lo, p_CLASS_hi and p_CLASS_q0.05 of the probability where asked. With a truth, NAME_truth or truth comes first.
class PredictionFile {
 public:
  /// InputError where the likelihood has no quantiles and some are asked for.
  PredictionFile(const std::string& path, const HarmonicFit& fit, PredictionColumns what);
  void write(const std::vector<std::string>& ids, MatrixIn X, const HarmonicPrediction& p, MatrixIn truth,
             const Threads& threads);
  void commit() { csv_.commit(); }

  static std::vector<std::string> columns(const HarmonicFit& fit, const PredictionColumns& what);

 private:
  const HarmonicFit& fit_;
  PredictionColumns what_;
  CsvWriter csv_;
};

/// "0.05,0.5,0.95" as levels, ascending; InputError for anything else.
std::vector<double> read_levels(const std::string& list);

/// parts.csv: what each group of harmonics adds, NAME_part1, NAME_part1_sd, ... for each latent function.
class PartsFile {
 public:
  PartsFile(const std::string& path, const HarmonicFit& fit);
  void write(const std::vector<std::string>& ids, MatrixIn X, const Threads& threads);
  void commit() { csv_.commit(); }

 private:
  const HarmonicFit& fit_;
  CsvWriter csv_;
};

}  // namespace bochner::cli
