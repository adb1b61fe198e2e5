#include <algorithm>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "feature_forms.hpp"
#include "feature_sums.hpp"

namespace bochner {
template <class T>
FeatureEvidence features_form(const FeatureRows<T>& features, const Observations<T>& observations,
                              double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                              const Compute& compute) {
  const Index N = features.rows, F = features.cols, M = observations.cols();
  const MatrixT<T>& Y = observations.Y();
  const RowPlan plan = evidence_plan(N, options, compute), first = sums_plan(plan, F, M, options, compute);
  CachedRows<T> rows(features, {options.form, options.block, pull ? options.cache_bytes : 0, options.shared});

  LaneSum<FeatureSums<T>> sums(first, FeatureSums<T>(F, M));
  std::vector<MatrixT<T>> buffers(std::max(plan.strands(), first.strands()));
  for_each_block(compute, first, [&](Index lane, Index begin, Index size) {
    sums[lane].add(rows.make(begin, size, buffers[first.strand_of(lane)]), Y.middleRows(begin, size));
  });
  Matrix C(F, F), A(F, M);
  add_lanes(sums, C, A, compute);

  const WeightPosterior weights = weight_posterior(std::move(C), A, observations.squared_norm(), N, sigma2,
                                                   bool(pull), precision_of<T>, compute);
  if (pull) {
    const MatrixT<T> Bt = (weights.B.transpose() / sigma2).template cast<T>();  // M x F
    const MatrixT<T> G = weights.G.template cast<T>();
    std::vector<MatrixT<T>> gradients(plan.strands());
    for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
      const Index strand = plan.strand_of(lane);
      const auto Phi = rows.again(begin, size, buffers[strand]);
      MatrixT<T>& dPhi = gradients[strand];
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
