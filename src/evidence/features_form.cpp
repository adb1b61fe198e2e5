#include <algorithm>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "feature_forms.hpp"
#include "lane_sums.hpp"

namespace bochner {
template <class T>
FeatureEvidence features_form(const FeatureRows<T>& features, const Observations<T>& observations,
                              double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                              const Compute& compute) {
  const Index N = features.rows, F = features.cols, M = observations.cols();
  const MatrixT<T>& Y = observations.Y();
  const RowPlan plan = evidence_plan(N, options), first = sums_plan(plan, F, M);
  CachedRows<T> rows(features, pull ? options.cache_bytes : 0);

  std::vector<LaneSums<T>> sums(first.lanes, LaneSums<T>(F, M));
  std::vector<MatrixT<T>> buffers(std::max(plan.lanes, first.lanes));
  for_each_block(compute, first, [&](Index lane, Index begin, Index size) {
    sums[lane].add(rows.make(begin, size, buffers[lane]), Y.middleRows(begin, size));
  });
  Matrix C = Matrix::Zero(F, F), A = Matrix::Zero(F, M);
  for_each_block(compute, F, 16, [&](Index begin, Index size) {
    for (const LaneSums<T>& sum : sums) sum.add_to(C, A, begin, size);
  });
  sums.clear();

  const WeightPosterior weights = weight_posterior(std::move(C), A, observations.squared_norm(), N, sigma2,
                                                   bool(pull), precision_of<T>, compute);
  if (pull) {
    const MatrixT<T> Bt = (weights.B.transpose() / sigma2).template cast<T>();  // M x F
    const MatrixT<T> G = weights.G.template cast<T>();
    std::vector<MatrixT<T>> gradients(plan.lanes);
    for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
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

template FeatureEvidence features_form<double>(const FeatureRows<double>&, const Observations<double>&,
                                               double, const PullFeatures<double>&, const EvidenceOptions&,
                                               const Compute&);
template FeatureEvidence features_form<float>(const FeatureRows<float>&, const Observations<float>&, double,
                                              const PullFeatures<float>&, const EvidenceOptions&,
                                              const Compute&);

}  // namespace bochner
