#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/assess/verdict.hpp"
#include "bochner/models/kpca/kpca.hpp"

namespace bochner {

/// How well a view is predicted from the others, on samples that were held out.
struct CrossView {
  std::string view;
  double r2 = 0;                   // over all columns, against their training means
  std::optional<double> accuracy;  // of a view of classes: share of samples whose class is found
  Index samples = 0;
  bool better = false;  // than the training means, by two standard errors over the samples
};

/// Fits once without a share of the samples and predicts each view of these from the others; nothing for a single view,
/// or for too few samples.
std::vector<CrossView> cross_view_scores(const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                                         double holdout, const Compute& compute);

/// Whether views tell anything about each other.
/// `samples`: of the data, or 0; where it learned from a few of them, it says so.
Verdict kpca_verdict(const KpcaFit& fit, const std::vector<CrossView>& scores, Index samples = 0);

struct KpcaAssessment {
  std::vector<CrossView> scores;
  Verdict verdict;
};

/// Judges a fit to these data with these options and this seed.
KpcaAssessment assess(const KpcaFit& fit, const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                      double holdout, const Compute& compute);

/// Judges a fit by samples that it has not seen: each view of those that have every entry of every view is predicted from the
/// others.
KpcaAssessment assess_new(const KpcaFit& fit, const Dataset& data, const Compute& compute);

}  // namespace bochner
