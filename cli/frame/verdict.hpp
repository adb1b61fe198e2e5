#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/held_out_scores.hpp"
#include "bochner/models/gplvm/warnings.hpp"

namespace bochner::cli {

/// Whether a fit may be trusted, in a word and in a sentence.
struct Verdict {
  std::string
      word;  // "good", "doubtful", or "unjudged" where nothing speaks against the fit but nothing was held out
  std::string sentence;
};

/// `praise` is a further sentence for a fit that is good.
Verdict judge(const std::vector<ViewScores>& scores, const std::vector<FitWarning>& warnings,
              const std::string& praise = "");

/// Why the learning ended, for people: "converged", "step limit", "interrupted", "not finite".
const char* status_text(Status status);

/// The held-out scores as lines of a table.
std::string scores_text(const std::vector<ViewScores>& scores);

/// The scores, and the verdict in lines of at most 100 characters.
std::string verdict_text(const std::vector<ViewScores>& scores, const Verdict& verdict);
std::string verdict_text(const Verdict& verdict);

/// "0.0123", three digits.
std::string short_number(double value);
std::string percent(double share);  // "91.2 %"

}  // namespace bochner::cli
