#include <algorithm>
#include <type_traits>
#include <vector>

#include "feature_forms.hpp"

namespace bochner {
namespace {

/// Sums of Phi'Phi (lower triangle) and Phi'Y over the blocks of a lane. In float a few blocks are summed in float
/// and then moved to double, so that the error does not grow with the number of rows.
template <class T>
class LaneSums {
 public:
  LaneSums(Index F, Index M) : C(Matrix::Zero(F, F)), A(Matrix::Zero(F, M)) {
    if constexpr (!std::is_same_v<T, double>) {
      c_.setZero(F, F);
      a_.setZero(F, M);
    }
  }

  void add(MatrixInT<T> Phi, MatrixInT<T> Y) {
    if constexpr (std::is_same_v<T, double>) {
      add_to(C, A, Phi, Y);
    } else {
      add_to(c_, a_, Phi, Y);
      if (++pending_ == 16) flush();
    }
  }

  void flush() {
    if constexpr (!std::is_same_v<T, double>) {
      C += c_.template cast<double>();
      A += a_.template cast<double>();
      c_.setZero();
      a_.setZero();
      pending_ = 0;
    }
  }

  Matrix C, A;

 private:
  static void add_to(MatrixT<T>& C_sum, MatrixT<T>& A_sum, MatrixInT<T> Phi, MatrixInT<T> Y) {
    C_sum.template selfadjointView<Eigen::Lower>().rankUpdate(Phi.transpose());
    A_sum.noalias() += Phi.transpose() * Y;
  }
  MatrixT<T> c_, a_;
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
  threads.run(first.lanes, [&](Index lane) { sums[lane].flush(); });
  for_each_block(threads, F, 16, [&](Index begin, Index size) {
    for (Index lane = 1; lane < first.lanes; ++lane) {
      sums[0].C.middleRows(begin, size) += sums[lane].C.middleRows(begin, size);
      sums[0].A.middleRows(begin, size) += sums[lane].A.middleRows(begin, size);
    }
  });

  const WeightPosterior weights =
      weight_posterior(std::move(sums[0].C), sums[0].A, observations.squared_norm(), N, sigma2, bool(pull), threads);
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
