#pragma once
#include <string>
#include <vector>

#include "bochner/assess/warning.hpp"

namespace bochner {

enum class VerdictKind {
  good,      // trust this fit
  doubtful,  // do not trust this fit
  unjudged,  // no problems detected, but nothing was held out to judge by
  linear     // linear or logistic regression, or a simpler forecast, does as well
};

/// "good", "doubtful", "unjudged" or "linear"
const char* to_string(VerdictKind kind);

/// Whether a fit may be trusted, and why.
struct Verdict {
  VerdictKind kind = VerdictKind::unjudged;
  std::string opening;   // "trust this fit", "do not trust this forecast"
  std::string evidence;  // what the scores say, one or more clauses; follows the opening after a colon
  std::string extra{};   // a further sentence, "Its 2 chains agree."
  std::vector<Warning> warnings{};
  Remedy remedy = Remedy::none;  // what would let an unjudged fit be judged

  /// The verdict as text: opening, errors or evidence, then what else is worth knowing, each with its remedy.
  std::string message(const RemedyText& text = general_remedy) const;

  /// Whether it is doubtful because an optimiser or a sampler has not converged.
  bool not_converged() const;
};

/// Doubtful if a warning is an error. Otherwise good if there is evidence, and unjudged if there is none, with `hold_out`
/// as the remedy.
Verdict make_verdict(std::string evidence, std::vector<Warning> warnings, Remedy hold_out,
                     const std::string& what = "fit");

/// "91.2 %"; "-" for NaN.
std::string percent(double share);

}  // namespace bochner
