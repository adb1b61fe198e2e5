#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/evidence/bounded_evidence.hpp"
#include "feature_forms.hpp"
#include "lane_sums.hpp"

namespace bochner {

/// With C = Phi'Phi + sigma2 I, C_w = Phi'W Phi + sigma2 I, A = Phi'Y~, B = C^-1 A:
///
///   bound  = -1/2 [ n_obs log(2 pi sigma2) + M (log|C_w| - F log sigma2) + (|Y~|^2 - tr A'B) / sigma2 ]
///   d/dPhi = (Y~ - Phi B) B' / sigma2 - M W Phi C_w^-1
template <class T>
FeatureEvidence bounded_feature_evidence(const FeatureRows<T>& features, FilledTable<T>& table, double sigma2,
                                         const PullFeatures<T>& pull, bool refill,
                                         const EvidenceOptions& options, const Compute& compute) {
  if (table.complete())
    return feature_evidence<T>(features, table.observations(), sigma2, pull, options, compute);
  check_positive("bounded_feature_evidence", "sigma2", sigma2);
  check_size("bounded_feature_evidence", "rows of Phi", features.rows, "rows of Y", table.rows());
  const Index N = features.rows, F = features.cols, M = table.cols();
  const MatrixT<T>& Y = table.Y();
  const VectorT<T> weight = table.weight().template cast<T>(), root = weight.array().sqrt();
  const RowPlan plan = evidence_plan(N, options), first = sums_plan(plan, F, F + M);
  CachedRows<T> rows(features, options.cache_bytes);

  std::vector<LaneSums<T>> sums(first.lanes, LaneSums<T>(F, M)), weighted(first.lanes, LaneSums<T>(F, 0));
  std::vector<MatrixT<T>> buffers(std::max(plan.lanes, first.lanes));
  for_each_block(compute, first, [&](Index lane, Index begin, Index size) {
    const auto Phi = rows.make(begin, size, buffers[lane]);
    sums[lane].add(Phi, Y.middleRows(begin, size));
    weighted[lane].add(root.segment(begin, size).asDiagonal() * Phi, MatrixT<T>(size, 0));
  });
  Matrix C = Matrix::Zero(F, F), A = Matrix::Zero(F, M), C_w = Matrix::Zero(F, F), none(F, 0);
  for_each_block(compute, F, 16, [&](Index begin, Index size) {
    for (const LaneSums<T>& sum : sums) sum.add_to(C, A, begin, size);
    for (const LaneSums<T>& sum : weighted) sum.add_to(C_w, none, begin, size);
  });
  sums.clear();
  weighted.clear();

  C.diagonal().array() += sigma2;
  C_w.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, compute);
  const CholeskyFactor shared = cholesky(std::move(C_w), {.what = "Phi'W Phi + sigma2 I"}, compute);
  const Matrix P = solve_lower(factor, A, compute);  // tr A'B = |P|^2
  const Matrix B = solve_lower_transposed(factor, P, compute);
  const Matrix inverse_w = inverse(shared, compute);
  const double residual = squared_norm<T>(Y, compute) - squared_norm<double>(P, compute);
  const double n_obs = double(table.observed());

  FeatureEvidence out{.jitter = std::max(factor.jitter, shared.jitter), .form = EvidenceForm::features};
  out.value =
      -0.5 * (n_obs * (log_2pi + std::log(sigma2)) +
              double(M) * (log_determinant(shared) - double(F) * std::log(sigma2)) + residual / sigma2);
  out.dsigma2 = -0.5 * (n_obs / sigma2 + double(M) * (inverse_w.trace() - double(F) / sigma2) -
                        residual / (sigma2 * sigma2) + squared_norm<double>(B, compute) / sigma2);
  if (!pull && !refill) return out;

  const MatrixT<T> B_T = B.template cast<T>(), Bt = (B.transpose() / sigma2).template cast<T>();
  const MatrixT<T> G = (double(M) * inverse_w).template cast<T>();
  std::vector<MatrixT<T>> means(plan.lanes), gradients(plan.lanes);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const auto Phi = rows.again(begin, size, buffers[lane]);
    MatrixT<T>& mean = means[lane];
    mean.resize(size, M);
    mean.noalias() = Phi * B_T;
    if (pull) {
      MatrixT<T>& dPhi = gradients[lane];
      dPhi.resize(size, F);
      dPhi.noalias() = (Y.middleRows(begin, size) - mean) * Bt;
      dPhi.noalias() -= weight.segment(begin, size).asDiagonal() * (Phi * G);
      pull(lane, begin, Phi, dPhi);
    }
    if (refill) table.refill(begin, mean);
  });
  return out;
}

template FeatureEvidence bounded_feature_evidence<double>(const FeatureRows<double>&, FilledTable<double>&,
                                                          double, const PullFeatures<double>&, bool,
                                                          const EvidenceOptions&, const Compute&);
template FeatureEvidence bounded_feature_evidence<float>(const FeatureRows<float>&, FilledTable<float>&,
                                                         double, const PullFeatures<float>&, bool,
                                                         const EvidenceOptions&, const Compute&);

}  // namespace bochner
