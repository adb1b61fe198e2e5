#include <algorithm>
#include <cmath>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/evidence/bounded_evidence.hpp"
#include "feature_forms.hpp"
#include "feature_sums.hpp"

namespace bochner {

namespace {

/// Phi'Phi, Phi'Y~ and Phi'W Phi; Gram matrices in their lower triangle.
struct WeightedSums {
  Matrix C, A, C_w;
};

template <class T>
WeightedSums weighted_sums(CachedRows<T>& rows, const FilledTable<T>& table, Index F, const RowPlan& plan,
                           std::vector<MatrixT<T>>& buffers, const Compute& compute) {
  const Index M = table.cols();
  const VectorT<T> root = table.weight().template cast<T>().array().sqrt();
  LaneSum<FeatureSums<T>> sums(plan, FeatureSums<T>(F, M)), weighted(plan, FeatureSums<T>(F, 0));
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const auto Phi = rows.make(begin, size, buffers[plan.strand_of(lane)]);
    sums[lane].add(Phi, table.Y().middleRows(begin, size));
    weighted[lane].add(root.segment(begin, size).asDiagonal() * Phi, MatrixT<T>(size, 0));
  });
  WeightedSums out{Matrix::Zero(F, F), Matrix::Zero(F, M), Matrix::Zero(F, F)};
  Matrix none(F, 0);
  add_lanes(sums, out.C, out.A, compute);
  add_lanes(weighted, out.C_w, none, compute);
  return out;
}

/// The same through S = Y~ Y~', for fewer than 2 M rows. With W = Phi C^-1, U = S W, B B' = W'U and tr A'B = tr Phi'U, no product
/// with the table is left but for the refill.
template <class T>
FeatureEvidence bounded_outer(const FeatureRows<T>& features, FilledTable<T>& table, double sigma2,
                              const PullFeatures<T>& pull, bool refill, const EvidenceOptions& options,
                              const Compute& compute) {
  const double F = double(features.cols), M = double(table.cols()), n_obs = double(table.observed());
  const MatrixT<T> Phi = whole(features, options, compute);
  const VectorT<T> weight = table.weight().template cast<T>(), root = weight.array().sqrt();
  Matrix C = inner_gram<T>(Phi, compute).template cast<double>();
  Matrix C_w = inner_gram<T>(root.asDiagonal() * Phi, compute).template cast<double>();
  C.diagonal().array() += sigma2;
  C_w.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, compute);
  const CholeskyFactor shared = cholesky(std::move(C_w), {.what = "Phi'W Phi + sigma2 I"}, compute);
  const MatrixT<T> C_inverse = inverse(factor, compute).template cast<T>();
  const Matrix inverse_w = inverse(shared, compute);
  const MatrixT<T> W = multiply<T>(Phi, C_inverse, compute);
  const MatrixT<T>& S = table.outer(compute);
  const MatrixT<T> U = multiply<T>(S, W, compute);
  const MatrixT<T> BB = multiply_transposed<T>(W, U, compute);
  const RowPlan plan = evidence_plan(features.rows, options);
  LaneSum<double> products(plan.lanes, 0);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    products[lane] +=
        Phi.middleRows(begin, size).cwiseProduct(U.middleRows(begin, size)).template cast<double>().sum();
  });
  const double explained = products.total(compute);  // tr A'B
  const double residual = double(S.diagonal().template cast<double>().sum()) - explained;

  FeatureEvidence out{.jitter = std::max(factor.jitter, shared.jitter), .form = EvidenceForm::outer};
  out.value = -0.5 * (n_obs * (log_2pi + std::log(sigma2)) +
                      M * (log_determinant(shared) - F * std::log(sigma2)) + residual / sigma2);
  out.dsigma2 = -0.5 * (n_obs / sigma2 + M * (inverse_w.trace() - F / sigma2) - residual / (sigma2 * sigma2) +
                        double(BB.trace()) / sigma2);
  if (pull) {
    const MatrixT<T> G = (M * inverse_w).template cast<T>(), half = 0.5 * (BB + BB.transpose());
    const RowPlan own = evidence_plan(features.rows, options, compute);
    std::vector<MatrixT<T>> gradients(own.strands());
    for_each_block(compute, own, [&](Index lane, Index begin, Index size) {
      const auto block = Phi.middleRows(begin, size);
      MatrixT<T>& dPhi = gradients[own.strand_of(lane)];
      dPhi.resize(size, features.cols);
      dPhi.noalias() = block * half;
      dPhi = T(1 / sigma2) * (U.middleRows(begin, size) - dPhi);
      dPhi.noalias() -= weight.segment(begin, size).asDiagonal() * (block * G);
      pull(lane, begin, block, dPhi);
    });
  }
  if (refill) {  // E[f] = W Phi'Y~
    const MatrixT<T> A = multiply_transposed<T>(Phi, table.Y(), compute);
    for_each_block(compute, features.rows, options.block,
                   [&](Index begin, Index size) { table.refill(begin, W.middleRows(begin, size) * A); });
    table.refilled();
  }
  return out;
}

}  // namespace

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
  if (bound_sees_outer(N, M)) return bounded_outer(features, table, sigma2, pull, refill, options, compute);
  const MatrixT<T>& Y = table.Y();
  const VectorT<T> weight = table.weight().template cast<T>();
  const RowPlan plan = evidence_plan(N, options, compute),
                first = sums_plan(plan, F, F + M, options, compute);
  CachedRows<T> rows(features, options);

  std::vector<MatrixT<T>> buffers(std::max(plan.strands(), first.strands()));
  auto [C, A, C_w] = weighted_sums(rows, table, F, first, buffers, compute);
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
  std::vector<MatrixT<T>> means(plan.strands()), gradients(plan.strands());
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const Index strand = plan.strand_of(lane);
    const auto Phi = rows.again(begin, size, buffers[strand]);
    MatrixT<T>& mean = means[strand];
    mean.resize(size, M);
    mean.noalias() = Phi * B_T;
    if (pull) {
      MatrixT<T>& dPhi = gradients[strand];
      dPhi.resize(size, F);
      dPhi.noalias() = (Y.middleRows(begin, size) - mean) * Bt;
      dPhi.noalias() -= weight.segment(begin, size).asDiagonal() * (Phi * G);
      pull(lane, begin, Phi, dPhi);
    }
    if (refill) table.refill(begin, mean);
  });
  if (refill) table.gather_guesses(compute, plan);
  if (refill) table.refilled();
  return out;
}

template FeatureEvidence bounded_feature_evidence<double>(const FeatureRows<double>&, FilledTable<double>&,
                                                          double, const PullFeatures<double>&, bool,
                                                          const EvidenceOptions&, const Compute&);
template FeatureEvidence bounded_feature_evidence<float>(const FeatureRows<float>&, FilledTable<float>&,
                                                         double, const PullFeatures<float>&, bool,
                                                         const EvidenceOptions&, const Compute&);

}  // namespace bochner
