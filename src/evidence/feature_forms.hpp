#pragma once
#include <type_traits>
#include <vector>

#include "bochner/compute/cholesky.hpp"
#include "bochner/evidence/feature_evidence.hpp"

namespace bochner {

// The forms behind feature_evidence, one file each.

template <class T>
FeatureEvidence features_form(const FeatureRows<T>& features, const Observations<T>& observations,
                              double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                              const Compute& compute);
template <class T>
FeatureEvidence outer_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                           const PullFeatures<T>& pull, const EvidenceOptions& options,
                           const Compute& compute);
template <class T>
FeatureEvidence dual_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                          const PullFeatures<T>& pull, const EvidenceOptions& options,
                          const Compute& compute);
template <class T>
FeatureEvidence missing_form(const FeatureRows<T>& features, const Observations<T>& observations,
                             double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                             const Compute& compute);

/// Rows of Phi, kept after the first time they are made when the whole of Phi fits the cache. Blocks are of the same size at
/// every visit, but a rank may come to others in the second sweep than in the first.
template <class T>
class CachedRows {
 public:
  CachedRows(const FeatureRows<T>& features, const EvidenceOptions& options)
      : features_(features),
        keep_(double(features.rows) * double(features.cols) * sizeof(T) <= double(options.cache_bytes)),
        block_(options.block) {
    if (!keep_) return;
    Phi_.resize(features.rows, features.cols);
    if (options.shared) made_.resize(static_cast<std::size_t>((features.rows + block_ - 1) / block_));
  }

  /// First visit: makes the rows. `buffer` holds them where they are not kept.
  Eigen::Ref<MatrixT<T>> make(Index begin, Index size, MatrixT<T>& buffer) {
    if (keep_) {
      features_.fill(begin, Phi_.middleRows(begin, size));
      if (!made_.empty()) made_[static_cast<std::size_t>(begin / block_)] = 1;
      return Phi_.middleRows(begin, size);
    }
    buffer.resize(size, features_.cols);
    features_.fill(begin, buffer);
    return buffer;
  }

  /// A later visit: reads them, or makes them again.
  Eigen::Ref<MatrixT<T>> again(Index begin, Index size, MatrixT<T>& buffer) {
    if (keep_ && (made_.empty() || made_[static_cast<std::size_t>(begin / block_)]))
      return Phi_.middleRows(begin, size);
    return make(begin, size, buffer);
  }

 private:
  const FeatureRows<T>& features_;
  bool keep_;
  Index block_;
  MatrixT<T> Phi_;
  std::vector<char> made_;  // blocks, where the rows are shared
};

/// Phi as one matrix, for the forms with few rows: N F is of the order of what they need anyway.
template <class T>
MatrixT<T> whole(const FeatureRows<T>& features, const EvidenceOptions& options, const Compute& compute) {
  MatrixT<T> Phi(features.rows, features.cols);
  for_each_block(compute, features.rows, options.block,
                 [&](Index begin, Index size) { features.fill(begin, Phi.middleRows(begin, size)); });
  return Phi;
}

/// Everything F x F for one group of M columns measured in the same n rows.
struct WeightPosterior {
  double value = 0;  // log evidence of the group
  double dsigma2 = 0;
  double jitter = 0;
  Matrix B;  // F x M, C^-1 A: posterior mean of the weights
  Matrix G;  // F x F, M C^-1 + B B' / sigma2; empty when no gradient is asked for
};

/// How exact the sums handed to weight_posterior are: those of double or of float tables.
enum class Precision { fine, coarse };
template <class T>
inline constexpr Precision precision_of = std::is_same_v<T, double> ? Precision::fine : Precision::coarse;

/// C: lower triangle of Phi'Phi over the n rows (sigma2 is added here); A = Phi'Y; y2 = |Y|^2.
WeightPosterior weight_posterior(Matrix C, const Matrix& A, double y2, Index n, double sigma2, bool gradient,
                                 Precision precision, const Compute& compute);

}  // namespace bochner
