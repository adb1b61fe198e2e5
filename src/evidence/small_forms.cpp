#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/evidence/kernel_evidence.hpp"
#include "feature_forms.hpp"

// The two forms for few rows: Phi is made whole, since N F is of the order of what the form needs anyway.

namespace bochner {
/// With W = Phi C^-1 and U = S W:  tr(A'B) = tr(Phi'U), B B' = W'U (symmetric),
/// d/dPhi = U / sigma2 - M W - Phi B B' / sigma2.
template <class T>
FeatureEvidence outer_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                           const PullFeatures<T>& pull, const EvidenceOptions& options,
                           const Compute& compute) {
  const double N = double(features.rows), F = double(features.cols), M = double(observations.cols());
  const MatrixT<T> Phi = whole(features, options, compute);
  Matrix C = inner_gram<T>(Phi, compute).template cast<double>();
  C.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, compute);
  const Matrix C_inverse = inverse(factor, compute);
  const MatrixT<T> W = multiply<T>(Phi, C_inverse.template cast<T>(), compute);
  const MatrixT<T> U = multiply<T>(observations.S(), W, compute);

  const RowPlan plan = evidence_plan(features.rows, options);
  LaneSum<MatrixT<T>> products(plan.lanes, MatrixT<T>::Zero(features.cols, features.cols));
  LaneSum<double> explained(plan.lanes, 0);  // tr(A'B)
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const auto Ub = U.middleRows(begin, size);
    explained[lane] += Phi.middleRows(begin, size).cwiseProduct(Ub).template cast<double>().sum();
    products[lane].template triangularView<Eigen::Lower>() += W.middleRows(begin, size).transpose() * Ub;
  });
  MatrixT<T> BB = products.total(compute);
  mirror_lower<T>(BB, compute);
  const double residual = observations.squared_norm() - explained.total(compute);

  FeatureEvidence out{.jitter = factor.jitter, .form = EvidenceForm::outer};
  out.value = -0.5 * (N * M * log_2pi + M * ((N - F) * std::log(sigma2) + log_determinant(factor)) +
                      residual / sigma2);
  out.dsigma2 = -0.5 * (M * ((N - F) / sigma2 + C_inverse.trace()) - residual / (sigma2 * sigma2) +
                        double(BB.trace()) / sigma2);
  if (!pull) return out;

  BB *= T(-1 / sigma2);
  const RowPlan own = evidence_plan(features.rows, options, compute);
  std::vector<MatrixT<T>> gradients(own.strands());
  for_each_block(compute, own, [&](Index lane, Index begin, Index size) {
    const auto block = Phi.middleRows(begin, size);
    MatrixT<T>& dPhi = gradients[own.strand_of(lane)];
    dPhi = T(1 / sigma2) * U.middleRows(begin, size) - T(M) * W.middleRows(begin, size);
    dPhi.noalias() += block * BB;
    pull(lane, begin, block, dPhi);
  });
  return out;
}

/// K = Phi Phi', so d/dPhi = 2 (d/dK) Phi. Missing entries are the kernel's affair.
template <class T>
FeatureEvidence dual_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                          const PullFeatures<T>& pull, const EvidenceOptions& options,
                          const Compute& compute) {
  const MatrixT<T> Phi = whole(features, options, compute);
  const Matrix K = outer_gram<T>(Phi, compute).template cast<double>();
  const KernelEvidence evidence =
      kernel_evidence(K, observations, sigma2, true, compute);  // d/dsigma2 needs it too
  FeatureEvidence out{evidence.value, evidence.dsigma2, evidence.jitter, EvidenceForm::dual};
  if (pull) {
    const MatrixT<T> dK2 = (2 * evidence.dL_dK).template cast<T>();
    const RowPlan plan = evidence_plan(features.rows, options, compute);
    for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
      const MatrixT<T> dPhi = dK2.middleRows(begin, size) * Phi;
      pull(lane, begin, Phi.middleRows(begin, size), dPhi);
    });
  }
  return out;
}

#define BOCHNER_INSTANTIATE(T)                                                                            \
  template FeatureEvidence outer_form<T>(const FeatureRows<T>&, const Observations<T>&, double,           \
                                         const PullFeatures<T>&, const EvidenceOptions&, const Compute&); \
  template FeatureEvidence dual_form<T>(const FeatureRows<T>&, const Observations<T>&, double,            \
                                        const PullFeatures<T>&, const EvidenceOptions&, const Compute&);
BOCHNER_INSTANTIATE(double)
BOCHNER_INSTANTIATE(float)

}  // namespace bochner
