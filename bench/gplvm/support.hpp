#pragma once
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/gplvm.hpp"

namespace bochner::bench {

/// What the command line may change. 0 stands for the default of the part that runs.
struct Settings {
  std::string data;  // folder of the public data sets
  Threads threads;
  Index seeds = 0;
  Index steps = 0;
  Index features = 0;  // frequencies per component
  Index dims = 0;
};

/// Seconds since it was made, but for the time spent between pause() and resume().
class PausableStopwatch {
 public:
  double seconds() const { return watch_.seconds() - paused_; }
  void pause() { paused_at_ = watch_.seconds(); }
  void resume() { paused_ += watch_.seconds() - paused_at_; }

 private:
  Stopwatch watch_;
  double paused_ = 0, paused_at_ = 0;
};

double mean(const std::vector<double>& x);
double median(std::vector<double> x);
double peak_memory();  // of this process so far, bytes

/// The options of the library with what the command line changes.
GplvmOptions options(const Settings& settings);

/// The means of q(X) in a state of the optimiser (N x Q).
Matrix latent_means(const ModelGroup& checkpoint, Index N, Index Q);

/// KNN accuracy over five shuffled folds, always the same folds.
double knn(const Matrix& X, const IndexVector& labels, Index k, const Threads& threads);

/// What a fit on the command line sees of the data: all but a held-out 5 % of the entries.
Dataset without_held_out(const Dataset& data, std::uint64_t seed);

/// Mean squared error over the entries of `truth` where `where` is true.
double mse(const Matrix& mean, const Matrix& truth, const BoolMatrix& where);

// The parts, in the order of the file names.
void noise(const Settings&);
void scurve(const Settings&);
void coverage(const Settings&);
void rmnist(const Settings&);
void target(const Settings&);
void features(const Settings&);
void mnist(const Settings&);
void steps(const Settings&);
void missing(const Settings&);
void faces(const Settings&);
void mfeat(const Settings&);
void oil(const Settings&);

}  // namespace bochner::bench
