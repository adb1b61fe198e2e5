#pragma once
#include <string>
#include <vector>

#include "bochner/assess/absent_view_scores.hpp"
#include "bochner/assess/held_out_scores.hpp"
#include "bochner/assess/verdict.hpp"

namespace bochner {

/// What is known of a model of views: scores of held-out entries, and whether it may be trusted.
struct ViewAssessment {
  std::vector<ViewScores> scores;          // one per view; empty if nothing was held out
  std::vector<AbsentViewScores> absent{};  // one per view of several; empty if no whole view was hidden
  Verdict verdict;
};

/// What held-out scores say against a model.
std::vector<Warning> score_warnings(const std::vector<ViewScores>& scores);

/// The verdict on a model of views. `extra` is a further sentence for a fit that is good.
Verdict view_verdict(const std::vector<ViewScores>& scores, std::vector<Warning> warnings,
                     const std::string& extra = "", const std::vector<AbsentViewScores>& absent = {});

}  // namespace bochner
