#include "bochner/evidence/feature_evidence.hpp"

#include <algorithm>
#include <stdexcept>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "feature_forms.hpp"

namespace bochner {

RowPlan evidence_plan(Index rows, const EvidenceOptions& options) {
  return RowPlan::make(rows, options.block);
}

RowPlan evidence_plan(Index rows, const EvidenceOptions& options, const Compute& compute) {
  const RowPlan plan = evidence_plan(rows, options);
  return options.shared ? plan.shared_by(compute.comm) : plan;
}

EvidenceForm cheapest_form(Index N, Index M, Index F) {
  const double n = double(N), m = double(M), f = double(F), k = double(std::min(N, M));
  // multiply-adds of value and gradient; factorisations and their inverses count 1 n^3 each
  const double features = 1.5 * n * f * f + 2 * n * f * m + 1.5 * f * f * m + f * f * f;
  const double outer = n * n * f + 3 * n * f * f + f * f * f;
  const double dual = 1.5 * n * n * f + n * n * n + 1.5 * n * n * k;
  EvidenceForm best = EvidenceForm::features;
  double least = features;
  if (N < 2 * M && outer < least) best = EvidenceForm::outer, least = outer;
  if (dual < least) best = EvidenceForm::dual;
  return best;
}

template <class T>
FeatureEvidence feature_evidence(const FeatureRows<T>& features, const Observations<T>& observations,
                                 double sigma2, const PullFeatures<T>& pull, const EvidenceOptions& options,
                                 const Compute& compute) {
  check_positive("feature_evidence", "sigma2", sigma2);
  check_at_least("feature_evidence", "columns of Phi", features.cols, 1);
  check_size("feature_evidence", "rows of Phi", features.rows, "rows of Y", observations.rows());
  EvidenceForm form = options.form;
  if (form == EvidenceForm::automatic && observations.complete())
    form = cheapest_form(features.rows, observations.cols(), features.cols);
  if (form == EvidenceForm::automatic)  // one factorisation per pattern dominates: F^3 against N^3
    form = features.rows <= features.cols ? EvidenceForm::dual : EvidenceForm::features;
  if (form == EvidenceForm::outer && !observations.has_S())
    throw std::invalid_argument(
        "feature_evidence: the form 'outer' needs a complete table with fewer rows than twice its columns");
  if (form == EvidenceForm::dual) return dual_form(features, observations, sigma2, pull, options, compute);
  if (!observations.complete()) return missing_form(features, observations, sigma2, pull, options, compute);
  if (form == EvidenceForm::outer) return outer_form(features, observations, sigma2, pull, options, compute);
  return features_form(features, observations, sigma2, pull, options, compute);
}

template FeatureEvidence feature_evidence<double>(const FeatureRows<double>&, const Observations<double>&,
                                                  double, const PullFeatures<double>&, const EvidenceOptions&,
                                                  const Compute&);
template FeatureEvidence feature_evidence<float>(const FeatureRows<float>&, const Observations<float>&,
                                                 double, const PullFeatures<float>&, const EvidenceOptions&,
                                                 const Compute&);

}  // namespace bochner
