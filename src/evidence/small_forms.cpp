#include <cmath>

#include "bochner/evidence/kernel_evidence.hpp"
#include "bochner/linalg/products.hpp"
#include "feature_forms.hpp"

// The two forms for few rows: Phi is made whole, since N F is of the order of what the form needs anyway.

namespace bochner {
namespace {

template <class T>
MatrixT<T> whole(const FeatureRows<T>& features, const EvidenceOptions& options, const Threads& threads) {
  MatrixT<T> Phi(features.rows, features.cols);
  for_each_block(threads, features.rows, options.block,
                 [&](Index begin, Index size) { features.fill(begin, Phi.middleRows(begin, size)); });
  return Phi;
}

}  // namespace

/// With T1 = S Phi and H = Phi'S Phi = A A':  tr(A'B) = tr(C^-1 H), |B|^2 = tr(C^-1 H C^-1),
/// d/dPhi = T1 C^-1 / sigma2 - Phi (M C^-1 + C^-1 H C^-1 / sigma2).
template <class T>
FeatureEvidence outer_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                           const PullFeatures<T>& pull, const EvidenceOptions& options,
                           const Threads& threads) {
  const double N = double(features.rows), F = double(features.cols), M = double(observations.cols());
  const MatrixT<T> Phi = whole(features, options, threads);
  const MatrixT<T> T1 = multiply<T>(observations.S(), Phi, threads);
  Matrix C = inner_gram<T>(Phi, threads).template cast<double>();
  C.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, threads);
  const Matrix C_inverse = inverse(factor, threads);
  const Matrix H = multiply_transposed<T>(Phi, T1, threads).template cast<double>();
  const Matrix CH = multiply<double>(C_inverse, H, threads);   // C^-1 H
  const Matrix BB = multiply<double>(CH, C_inverse, threads);  // C^-1 H C^-1 = B B'
  const double residual = observations.squared_norm() - CH.trace();

  FeatureEvidence out{.jitter = factor.jitter, .form = EvidenceForm::outer};
  out.value = -0.5 * (N * M * log_2pi + M * ((N - F) * std::log(sigma2) + log_determinant(factor)) +
                      residual / sigma2);
  out.dsigma2 = -0.5 * (M * ((N - F) / sigma2 + C_inverse.trace()) - residual / (sigma2 * sigma2) +
                        BB.trace() / sigma2);
  if (!pull) return out;

  const MatrixT<T> left = (C_inverse / sigma2).template cast<T>();
  const MatrixT<T> right = (M * C_inverse + BB / sigma2).template cast<T>();
  const RowPlan plan = evidence_plan(features.rows, options);
  std::vector<MatrixT<T>> gradients(plan.lanes);
  for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
    MatrixT<T>& dPhi = gradients[lane];
    dPhi.resize(size, features.cols);
    dPhi.noalias() = T1.middleRows(begin, size) * left;
    dPhi.noalias() -= Phi.middleRows(begin, size) * right;
    pull(lane, begin, Phi.middleRows(begin, size), dPhi);
  });
  return out;
}

/// K = Phi Phi', so d/dPhi = 2 (d/dK) Phi. Holes are the kernel's affair.
template <class T>
FeatureEvidence dual_form(const FeatureRows<T>& features, const Observations<T>& observations, double sigma2,
                          const PullFeatures<T>& pull, const EvidenceOptions& options,
                          const Threads& threads) {
  const MatrixT<T> Phi = whole(features, options, threads);
  const Matrix K = outer_gram<T>(Phi, threads).template cast<double>();
  const KernelEvidence evidence =
      kernel_evidence(K, observations, sigma2, true, threads);  // d/dsigma2 needs it too
  FeatureEvidence out{evidence.value, evidence.dsigma2, evidence.jitter, EvidenceForm::dual};
  if (pull) {
    const MatrixT<T> dK2 = (2 * evidence.dL_dK).template cast<T>();
    const RowPlan plan = evidence_plan(features.rows, options);
    for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
      const MatrixT<T> dPhi = dK2.middleRows(begin, size) * Phi;
      pull(lane, begin, Phi.middleRows(begin, size), dPhi);
    });
  }
  return out;
}

#define BOCHNER_INSTANTIATE(T)                                                                            \
  template FeatureEvidence outer_form<T>(const FeatureRows<T>&, const Observations<T>&, double,           \
                                         const PullFeatures<T>&, const EvidenceOptions&, const Threads&); \
  template FeatureEvidence dual_form<T>(const FeatureRows<T>&, const Observations<T>&, double,            \
                                        const PullFeatures<T>&, const EvidenceOptions&, const Threads&);
BOCHNER_INSTANTIATE(double)
BOCHNER_INSTANTIATE(float)

}  // namespace bochner
