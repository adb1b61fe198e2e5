#pragma once
#include <string>
#include <vector>

#include "bochner/models/gplvm/held_out_scores.hpp"
#include "bochner/models/gplvm/warnings.hpp"
#include "interrupt.hpp"
#include "verb.hpp"

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

/// 128 + the signal that stopped the run; else 4 if the verdict is "do not trust" and --strict asks for that; else 0.
int exit_code(const Interrupt& interrupt, const Verdict& verdict, const Common& common);

/// Why the learning ended, for people: "converged", "step limit", "interrupted", "not finite".
const char* ending(Status status);

/// The held-out scores as lines of a table.
std::string scores_text(const std::vector<ViewScores>& scores);

/// "0.0123", three digits.
std::string short_number(double value);
std::string percent(double share);  // "91.2 %"

}  // namespace bochner::cli
