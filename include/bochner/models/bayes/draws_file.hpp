#pragma once
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bochner/models/bayes/bayes.hpp"

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

  /// All draws as an HDF5 file, whole or not at all. For each chain: chain_0/X (draws x N x Q), chain_0/log_density (draws),
  /// chain_0/turn (draws x Q x Q), chain_0/paths (draws x Q x 2: ell and variance over time, of the columns of X turn'),
  /// and for each view chain_0/views/NAME/W, B and scale. `fit` is what came of them. The log stays: what comes after may
  /// fail, and a run must be able to go on.
  void finish(const std::string& path, const BayesFit& fit);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(const double* values, Index n);
  void start(const BayesDraw& draw);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  Index begin_ = 0, count_ = 0;
  std::vector<std::vector<Index>> shapes_;  // X, log density, paths, then W, B, scale of each view
};

}  // namespace bochner
