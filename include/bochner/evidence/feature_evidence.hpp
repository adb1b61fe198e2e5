#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/observations.hpp"

namespace bochner {

/// The rows of Phi (N x F), made block by block when they are asked for. `fill` must be safe to call from several
/// threads and give the same rows each time.
template <class T>
struct FeatureRows {
  Index rows = 0;  // N
  Index cols = 0;  // F
  std::function<void(Index begin, MatrixOutT<T> Phi)> fill;
};

/// Receives dL/dPhi block by block, with the Phi it belongs to. Blocks of one lane come in order from one thread
/// (RowPlan); what is summed must be summed per lane. A block may come more than once: contributions add up.
template <class T>
using PullFeatures = std::function<void(Index lane, Index begin, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi)>;

/// Which of the equal expressions of the evidence is computed.
enum class EvidenceForm {
  automatic,  // the cheapest by operation count
  features,   // F x F, rows streamed
  outer,      // F x F through S = Y Y', for fewer than about 2 M rows
  dual        // N x N Gram matrix of the features, for N <= F
};

struct EvidenceOptions {
  EvidenceForm form = EvidenceForm::automatic;
  Index block = 256;                               // rows made at a time
  std::size_t cache_bytes = std::size_t{1} << 27;  // keep Phi between the two sweeps when it fits into this
  bool shared = false;  // the ranks of compute.comm share the rows: the pull sees those of its rank alone
};

struct FeatureEvidence {
  double value = 0;
  double dsigma2 = 0;
  double jitter = 0;
  EvidenceForm form = EvidenceForm::features;  // the one used
};

/// log p(Y | Phi, sigma2) with weights beta_m ~ N(0, I_F) integrated out. With C = Phi'Phi + sigma2 I, A = Phi'Y,
/// B = C^-1 A:
///
///     log p(Y|Phi) = -1/2 [ N M log 2pi + M ((N-F) log sigma2 + log|C|) + (|Y|^2 - tr(A'B)) / sigma2 ]
///     d/dPhi       = Y B' / sigma2 - Phi (M C^-1 + B B' / sigma2)
///
/// A sum over row blocks, an F x F solve, and a second sweep for the gradient: memory O(block F + F^2 + F M), plus Phi
/// itself when it fits the cache. Missing entries are left out exactly, one factorisation per missing pattern.
/// With T = float the products run in float; sums over blocks and everything F x F stay in double.
/// An empty `pull` asks for the value and d/dsigma2 alone.
template <class T>
FeatureEvidence feature_evidence(const FeatureRows<T>& features, const Observations<T>& observations,
                                 double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                                 const Compute& compute);

/// The lanes that feature_evidence deals its blocks to: size accumulators of a PullFeatures by its `lanes`.
RowPlan evidence_plan(Index rows, const EvidenceOptions& options);

/// The same, shared by the ranks of compute.comm if the options say so.
RowPlan evidence_plan(Index rows, const EvidenceOptions& options, const Compute& compute);

/// The form that `automatic` stands for: the least operations for a value and gradient.
EvidenceForm cheapest_form(Index N, Index M, Index F);

}  // namespace bochner
