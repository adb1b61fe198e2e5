#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bochner/models/bayes/draws.hpp"

namespace bochner {

/// Draws under way: numbers appended to a plain file, so that memory does not grow with them and a kill at any moment
/// leaves what was flushed. All draws have one shape; those of all chains take turns.
class DrawsLog {
 public:
  /// Keeps the first `begin` draws of an earlier run, counted over all chains; InputError if it does not have so many.
  DrawsLog(std::string path, Index begin);

  void add(const BayesDraw& draw);
  void flush();  // to the disk: a checkpoint must not know of draws that a crash could lose
  Index count() const { return count_; }

  /// All draws of chains that the fit has not left out, read back from the file; `fit` is what came of them. WriteError if they cannot be read. The log stays: what
  /// comes after may fail, and a run must be able to go on.
  BayesDraws draws(const BayesFit& fit);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(const double* values, Index n);
  void start(const BayesDraw& draw);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  Index begin_ = 0, count_ = 0;
  std::vector<std::vector<Index>>
      shapes_;  // X, log density, paths, turn, then W, B, scale, covariates, spectrum of each view
};

}  // namespace bochner
