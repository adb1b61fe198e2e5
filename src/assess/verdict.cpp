#include "bochner/assess/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bochner {

namespace {

std::string joined(const std::vector<Warning>& warnings, Severity severity, const RemedyText& remedy) {
  std::string out;
  for (const Warning& warning : warnings)
    if (warning.severity == severity) out += (out.empty() ? "" : "; ") + with_remedy(warning, remedy);
  return out;
}

}  // namespace

const char* to_string(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::good:
      return "good";
    case VerdictKind::doubtful:
      return "doubtful";
    case VerdictKind::unjudged:
      return "unjudged";
    case VerdictKind::linear:
      return "linear";
  }
  return "";
}

std::string Verdict::message(const RemedyText& text) const {
  const std::string errors = joined(warnings, Severity::error, text),
                    others = joined(warnings, Severity::warning, text);
  std::string out = opening;
  if (!evidence.empty()) out += ": " + evidence;
  if (!errors.empty()) out += (evidence.empty() ? ": " : "; ") + errors;
  out = with_remedy({.kind = Warning::Kind::not_judged, .message = std::move(out), .remedy = remedy}, text) +
        ".";
  if (!extra.empty()) out += " " + extra;
  if (others.empty()) return out;
  return out + (kind == VerdictKind::doubtful ? " Also: " : " But note: ") + others + ".";
}

bool Verdict::not_converged() const {
  return kind == VerdictKind::doubtful && std::any_of(warnings.begin(), warnings.end(), [](const Warning& w) {
           return w.severity == Severity::error && is_convergence(w.kind);
         });
}

Verdict make_verdict(std::string evidence, std::vector<Warning> warnings, Remedy hold_out,
                     const std::string& what) {
  const bool doubtful = std::any_of(warnings.begin(), warnings.end(),
                                    [](const Warning& w) { return w.severity == Severity::error; });
  if (doubtful)
    return {.kind = VerdictKind::doubtful,
            .opening = "do not trust this " + what,
            .evidence = "",
            .warnings = std::move(warnings)};
  if (evidence.empty())
    return {.kind = VerdictKind::unjudged,
            .opening = std::string(warnings.empty() ? "no problems" : "no serious problems") +
                       " detected, but nothing was held out, so predictions were not evaluated",
            .evidence = "",
            .warnings = std::move(warnings),
            .remedy = hold_out};
  return {.kind = VerdictKind::good,
          .opening = "trust this " + what,
          .evidence = std::move(evidence),
          .warnings = std::move(warnings)};
}

std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share); }

}  // namespace bochner
