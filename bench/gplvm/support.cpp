#include "support.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <numeric>

#include "bochner/assess/knn.hpp"
#include "bochner/data/held_out.hpp"

namespace bochner::bench {

double Stopwatch::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / double(x.size());
}

double median(std::vector<double> x) {
  const auto middle = x.begin() + std::ptrdiff_t(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * double(usage.ru_maxrss);
}

GplvmOptions options(const Settings& settings) {
  GplvmOptions out;
  if (settings.steps > 0) out.steps = settings.steps;
  if (settings.dims > 0) out.dims = settings.dims;
  return out;
}

Matrix latent_means(const ModelGroup& checkpoint, Index N, Index Q) {
  const Vector& theta = checkpoint.group("run").vector("theta");
  return Eigen::Map<const Matrix>(theta.data(), N, Q);  // the parameters begin with them
}

double knn(const Matrix& X, const IndexVector& labels, Index k, const Threads& threads) {
  Rng folds(0);
  return knn_accuracy(X, labels, k, 5, folds, VoteTies::smallest_label, threads);
}

Dataset without_held_out(const Dataset& data, std::uint64_t seed) {
  return hide(data, held_out_masks(data, 0.05, Rng(seed).split("holdout")));
}

double mse(const Matrix& mean, const Matrix& truth, const BoolMatrix& where) {
  double sum = 0;
  Index n = 0;
  for (Index i = 0; i < truth.size(); ++i)
    if (where.data()[i]) {
      const double error = mean.data()[i] - truth.data()[i];
      sum += error * error;
      ++n;
    }
  return sum / double(n);
}

}  // namespace bochner::bench
