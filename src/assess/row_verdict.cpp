#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/assess/row_scores.hpp"
#include "bochner/core/counted.hpp"

namespace bochner {

namespace {

using Kind = Warning::Kind;

bool better(const MeanSe& difference) { return difference.mean() < -2 * difference.se(); }

std::string times(const MeanSe& a, const MeanSe& b) {
  return fmt::format("{:.2f} times", std::sqrt(a.mean() / b.mean()));
}

/// A fit that is not clearly better than a constant, as `found` says.
Warning no_better(const std::string& found, const MeanSe& loss, const MeanSe& constant) {
  const bool chance = loss.mean() < constant.mean();
  return {.kind = Kind::no_better,
          .severity = Severity::error,
          .message = found + (chance ? ", which may be chance with " +
                                           counted(static_cast<long long>(loss.count()), "held-out row")
                                     : ", so the inputs told it nothing"),
          .remedy = chance ? Remedy::more_held_out_rows : Remedy::none};
}

/// Over all outcomes, how many of the held-out entries are in their 90 % intervals.
struct Coverage {
  double covered = 0, entries = 0;
  double share() const { return covered / entries; }
  bool honest() const {
    return !(entries > 0) || std::abs(share() - 0.9) <= std::max(0.05, 3 * std::sqrt(0.09 / entries));
  }
};

Coverage coverage_of(const std::vector<OutcomeScores>& scores) {
  Coverage out;
  for (const OutcomeScores& s : scores)
    if (s.covered.count() > 0) {
      out.covered += s.covered.count() * s.covered.mean();
      out.entries += s.covered.count();
    }
  return out;
}

Verdict label_verdict(const RowScores& s, std::vector<Warning> warnings) {
  std::string found =
      fmt::format("it classifies {} +- {} of held-out rows correctly, the most frequent class {}",
                  percent(1 - s.loss.mean()), percent(s.loss.se()), percent(1 - s.loss_mean.mean()));
  const bool compares = s.loss_linear.count() > 0;
  if (compares) found += fmt::format(", logistic regression {}", percent(1 - s.loss_linear.mean()));
  if (!better(s.against_mean)) {
    warnings.push_back(no_better(found, s.loss, s.loss_mean));
    return make_verdict(std::move(found), std::move(warnings), Remedy::hold_out_rows);
  }
  if (compares && !better(s.against_linear) && !better(s.against_linear_nll))
    return {.kind = VerdictKind::linear,
            .opening = "logistic regression does as well",
            .evidence = found + ", nor are its probabilities clearly better",
            .extra = "Use that, or try other inputs.",
            .warnings = std::move(warnings)};
  return make_verdict(std::move(found), std::move(warnings), Remedy::hold_out_rows);
}

Verdict number_verdict(const RowScores& s, std::vector<Warning> warnings) {
  std::string found =
      fmt::format("its error on held-out rows is {} that of the mean", times(s.loss, s.loss_mean));
  if (!better(s.against_mean)) {
    warnings.push_back(no_better(found + " of the outcome", s.loss, s.loss_mean));
    return make_verdict(std::move(found), std::move(warnings), Remedy::hold_out_rows);
  }
  const Coverage coverage = coverage_of(s.model);
  const std::string intervals =
      coverage.entries > 0 ? fmt::format("Its 90 % intervals hold {} of them.", percent(coverage.share()))
                           : "";
  if (s.loss_linear.count() > 0)
    found += fmt::format(" and {} that of linear regression", times(s.loss, s.loss_linear));
  if (s.loss_linear.count() > 0 && !better(s.against_linear))
    return {.kind = VerdictKind::linear,
            .opening = "linear regression does as well",
            .evidence = std::move(found),
            .extra = "Use that, or try other inputs." + (intervals.empty() ? "" : " " + intervals),
            .warnings = std::move(warnings)};
  if (!coverage.honest()) {
    warnings.push_back(
        {.kind = Kind::coverage,
         .severity = Severity::error,
         .message = fmt::format("its 90 % intervals hold {} of them", percent(coverage.share()))});
    return {.kind = VerdictKind::doubtful,
            .opening = "trust its means, not its intervals",
            .evidence = std::move(found),
            .warnings = std::move(warnings)};
  }
  Verdict out = make_verdict(std::move(found), std::move(warnings), Remedy::hold_out_rows);
  out.extra = intervals;
  return out;
}

}  // namespace

Verdict row_verdict(const RowScores& s, OutcomeKind kind, std::vector<Warning> warnings) {
  const bool broken = std::any_of(warnings.begin(), warnings.end(),
                                  [](const Warning& w) { return w.severity == Severity::error; });
  if (broken || !(s.loss.count() > 1)) return make_verdict("", std::move(warnings), Remedy::hold_out_rows);
  if (s.loss_mean.mean() == 0) {
    warnings.push_back({.kind = Kind::no_variation,
                        .severity = Severity::error,
                        .message = fmt::format("the {} of held-out rows does not vary, so they tell nothing",
                                               kind == OutcomeKind::label ? "class" : "outcome")});
    return make_verdict("", std::move(warnings), Remedy::hold_out_rows);
  }
  return kind == OutcomeKind::label ? label_verdict(s, std::move(warnings))
                                    : number_verdict(s, std::move(warnings));
}

}  // namespace bochner
