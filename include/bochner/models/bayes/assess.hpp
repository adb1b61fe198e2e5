#pragma once
#include <string>
#include <vector>

#include "bochner/assess/view_verdict.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/models/bayes/bayes.hpp"

namespace bochner {

/// How well the chains of a fit agree.
struct MixingSummary {
  Index quantities = 0;  // monitored ..
  Index apart = 0,
        beyond_best = 0;  // .. and of these with an R-hat above 1.05, and above the 1.01 of [vehtari2021]
  double worst_rhat = 0;
  std::string worst;                 // its name
  double worst_ess = 0;              // smallest bulk or tail effective number of draws
  std::string slowest;               // what has it
  double function_rhat = 0;          // largest of predicted values
  std::string worst_function;        // its name
  std::vector<double> function_ess;  // bulk, of predicted values, ascending
  double median_ess() const { return function_ess.empty() ? 0 : function_ess[function_ess.size() / 2]; }
  double lowest_ess() const { return function_ess.empty() ? 0 : function_ess.front(); }

  // Mean log density of the chain that has the largest, and of that with the smallest; apart by more than the draws of a
  // chain vary, they sit in different modes.
  Index highest_chain = 0, lowest_chain = 0;
  double highest_level = 0, lowest_level = 0;
  bool modes_differ = false;
};
MixingSummary mixing(const BayesFit& fit);

/// Of a fit that has taken all its draws: converged if every monitored R-hat is at most 1.05 and every prediction is worth 100
/// independent draws; iteration_limit otherwise, or if there are too few draws to tell.
Status judged_status(const BayesFit& fit);

/// The status in a word: "converged", "finished" for all draws taken without that, "stopped by callback".
const char* status_text(const BayesFit& fit);

/// Scores of a fit to hide(data, held_out), one per view. Counts are predicted by their mean. The error of
/// labels is the share of wrong ones, beside that of the commonest label.
/// Intervals of counts hold more than they are asked to, because counts jump; `coverage90` is the share of entries whose
/// randomised place is in the middle 90 %.
std::vector<ViewScores> held_out_scores(const BayesData& data, const std::vector<BoolMatrix>& held_out,
                                        const BayesFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute);

/// All that speaks against a fit. `scores` may be empty: nothing was held out.
std::vector<Warning> bayes_warnings(const BayesFit& fit, const std::vector<ViewScores>& scores);

/// Judges a fit to hide(data, held_out), with masks as held_out_masks(data, share, fit.seed) makes them; without masks
/// nothing was held out. `more` are warnings that the caller has, of forecasts for instance.
ViewAssessment assess(const BayesFit& fit, const BayesData& data, const std::vector<BoolMatrix>& held_out,
                      const Compute& compute, std::vector<Warning> more = {});

/// Judges a fit by samples that it has not seen: their latents are drawn given hide(data, held_out) (`by_id` as for embed),
/// and the hidden entries are predicted there. Views of `data` are matched by name.
ViewAssessment assess_new(const BayesFit& fit, const BayesData& data, const std::vector<BoolMatrix>& held_out,
                          const Compute& compute, bool by_id = true);

/// The number of the likeliest class of each column, n x columns, from probabilities n x functions.
Matrix likeliest_labels(const BayesViewFit& view, MatrixIn probabilities);

}  // namespace bochner
