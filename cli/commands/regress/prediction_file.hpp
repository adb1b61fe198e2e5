#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/assess.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner::cli {

/// predictions.csv. Numbers: for each outcome NAME_mean, NAME_f_sd, NAME_y_sd, and NAME_lo, NAME_hi of the 90 % interval of a
/// measurement where noise is Gaussian; for counts NAME_f_mean too, as f is the logarithm of their rate. Classes: class, and p_CLASS for each of
/// them. With a truth, NAME_truth or truth comes first.
class PredictionFile {
 public:
  PredictionFile(const std::string& path, const HarmonicFit& fit, bool truth);
  void write(const std::vector<std::string>& ids, const HarmonicPrediction& p, MatrixIn truth);
  void commit() { csv_.commit(); }

  static std::vector<std::string> columns(const HarmonicFit& fit, bool truth);

 private:
  const HarmonicFit& fit_;
  bool truth_;
  CsvWriter csv_;
};

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
