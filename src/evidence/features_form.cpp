#include <algorithm>
#include <type_traits>
#include <vector>

#include "feature_forms.hpp"

namespace bochner {
namespace {

/// Sums of Phi'Phi (lower triangle) and Phi'Y over the blocks of a lane. In float, every few blocks the sums move on to
/// double, so that the error does not grow with the number of rows.
template <class T>
class LaneSums {
 public:
  LaneSums(Index F, Index M) : C_(MatrixT<T>::Zero(F, F)), A_(MatrixT<T>::Zero(F, M)) {}

  void add(MatrixInT<T> Phi, MatrixInT<T> Y) {
    if (!std::is_same_v<T, double> && pending_ == 16) move_on();
    C_.template selfadjointView<Eigen::Lower>().rankUpdate(Phi.transpose());
    A_.noalias() += Phi.transpose() * Y;
    ++pending_;
  }

  /// Adds rows [begin, begin + size) of the sums.
  void add_to(Matrix& C, Matrix& A, Index begin, Index size) const {
    C.middleRows(begin, size) += C_.middleRows(begin, size).template cast<double>();
    A.middleRows(begin, size) += A_.middleRows(begin, size).template cast<double>();
    if (C_moved_.size() == 0) return;
    C.middleRows(begin, size) += C_moved_.middleRows(begin, size);
    A.middleRows(begin, size) += A_moved_.middleRows(begin, size);
  }

 private:
  void move_on() {
    if (C_moved_.size() == 0) {
      C_moved_ = C_.template cast<double>();
      A_moved_ = A_.template cast<double>();
    } else {
      C_moved_ += C_.template cast<double>();
      A_moved_ += A_.template cast<double>();
    }
    C_.setZero();
    A_.setZero();
    pending_ = 0;
  }

  MatrixT<T> C_, A_;
  Matrix C_moved_, A_moved_;
  int pending_ = 0;
};

/// Fewer lanes where each would hold a large matrix: at most 512 MiB of them, at least 4.
RowPlan sums_plan(const RowPlan& plan, Index F, Index M) {
  const double bytes = 8.0 * double(F) * double(F + M);
  const Index lanes = std::clamp<Index>(Index(536870912.0 / bytes), 4, 16);
  return RowPlan::make(plan.rows, plan.block, lanes);
}

}  // namespace

template <class T>
FeatureEvidence features_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                              const PullFeatures<T>& pull, const EvidenceOptions& options, const Threads& threads) {
  const Index N = features.rows, F = features.cols, M = observations.cols();
  const MatrixT<T>& Y = observations.Y();
  const RowPlan plan = evidence_plan(N, options), first = sums_plan(plan, F, M);
  CachedRows<T> rows(features, pull ? options.cache_bytes : 0);

  std::vector<LaneSums<T>> sums(first.lanes, LaneSums<T>(F, M));
  std::vector<MatrixT<T>> buffers(std::max(plan.lanes, first.lanes));
  for_each_block(threads, first, [&](Index lane, Index begin, Index size) {
    sums[lane].add(rows.make(begin, size, buffers[lane]), Y.middleRows(begin, size));
  });
  Matrix C = Matrix::Zero(F, F), A = Matrix::Zero(F, M);
  for_each_block(threads, F, 16, [&](Index begin, Index size) {
    for (const LaneSums<T>& sum : sums) sum.add_to(C, A, begin, size);
  });
  sums.clear();

  const WeightPosterior weights =
      weight_posterior(std::move(C), A, observations.squared_norm(), N, sigma2, bool(pull), threads);
  if (pull) {
    const MatrixT<T> Bt = (weights.B.transpose() / sigma2).template cast<T>();  // M x F
    const MatrixT<T> G = weights.G.template cast<T>();
    std::vector<MatrixT<T>> gradients(plan.lanes);
    for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
      const auto Phi = rows.again(begin, size, buffers[lane]);
      MatrixT<T>& dPhi = gradients[lane];
      dPhi.resize(size, F);
      dPhi.noalias() = Y.middleRows(begin, size) * Bt;
      dPhi.noalias() -= Phi * G;
      pull(lane, begin, Phi, dPhi);
    });
  }
  return {weights.value, weights.dsigma2, weights.jitter, EvidenceForm::features};
}

template FeatureEvidence features_form<double>(const FeatureRows<double>&, const Observations<double>&, double,
                                               const PullFeatures<double>&, const EvidenceOptions&, const Threads&);
template FeatureEvidence features_form<float>(const FeatureRows<float>&, const Observations<float>&, double,
                                              const PullFeatures<float>&, const EvidenceOptions&, const Threads&);

}  // namespace bochner
