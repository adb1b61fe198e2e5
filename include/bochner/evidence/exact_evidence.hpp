#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/feature_evidence.hpp"
#include "bochner/evidence/filled_table.hpp"
#include "bochner/evidence/kernel_evidence.hpp"
#include "bochner/linalg/missing_patterns.hpp"

namespace bochner {

// The Gaussian evidence of a table with missing entries, exactly, from one factorisation of all rows and small ones of what is
// missing. With C = K + sigma2 I, P = C^-1, and a column y that is measured in rows o and missing in rows h:
//
//   log|C_oo|        = log|C| + log|P_hh|                                (Schur complement)
//   y_o' C_oo^-1 y_o = min over y_h of y' P y,                           at y_h = E[y_h | y_o]
//   C_oo^-1, padded  = P - P_:h P_hh^-1 P_h:
//
// so that the sum over columns needs no more products of N x N matrices than a complete table does:
//
//   d/dK = 1/2 [ P (Y~ Y~' + S) P - M P ],   S = sum_m E_h P_hh^-1 E_h'
//
// with Y~ the table with its missing entries filled in, E_h the columns h of the identity. A column that lacks more than half
// of the rows is factorised in its measured rows instead, as in kernel_evidence.

/// Multiply-adds of the small factorisations, about.
double exact_evidence_operations(const std::vector<MissingPattern>& patterns, Index rows);

/// Whether they cost little beside one step with the Gram matrix of the rows and its kernel.
bool exact_evidence_pays(const std::vector<MissingPattern>& patterns, Index rows, Index cols);

/// log p(Y | K, sigma2) of the measured entries. `patterns` are those of the table. With `refill` the missing entries move to
/// their conditional means first, and the value is exact; without, it is a lower bound that loses
/// (y_h - E[y_h | y_o])' P_hh (y_h - E[y_h | y_o]) / 2, and its derivatives are those of the bound.
KernelEvidence exact_kernel_evidence(MatrixIn K, FilledTable<double>& table,
                                     const std::vector<MissingPattern>& patterns, double sigma2,
                                     bool gradient, bool refill, const Compute& compute);

// The same with K = Phi Phi'. With C = Phi'Phi + sigma2 I, R_h = sigma2 P_hh = I - Phi_h C^-1 Phi_h', A = Phi'Y~, B = C^-1 A:
//
//   log p  = -1/2 [ n_obs log(2 pi sigma2) + M (log|C| - F log sigma2) + sum_m log|R_h| + (|Y~|^2 - tr A'B) / sigma2 ]
//   d/dPhi = (Y~ - Phi B) B' / sigma2 - Phi (M C^-1 + C^-1 Phi'U C^-1) + U C^-1,   U = sum_m E_h R_h^-1 Phi_h
//
// and y_h = guess_h - R_h^-1 (guess - Phi b)_h fills in the missing entries: factors of missing rows for each pattern, where
// feature_evidence has an F x F factor for each.

/// Whether that costs at most about as much again as the bound of bounded_evidence.hpp.
bool exact_feature_evidence_pays(const std::vector<MissingPattern>& patterns, Index rows, Index cols,
                                 Index features);

/// As exact_kernel_evidence. Keeps Phi.
FeatureEvidence exact_feature_evidence(const FeatureRows<double>& features, FilledTable<double>& table,
                                       const std::vector<MissingPattern>& patterns, double sigma2,
                                       const PullFeatures<double>& pull, bool refill,
                                       const EvidenceOptions& options, const Compute& compute);

}  // namespace bochner
