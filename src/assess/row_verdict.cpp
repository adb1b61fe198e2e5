#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/assess/row_scores.hpp"
#include "bochner/core/counted.hpp"

namespace bochner {

namespace {

using Kind = Warning::Kind;

bool better(const MeanSe& difference) { return difference.mean() < -2 * difference.se(); }

double ratio(const MeanSe& a, const MeanSe& b) { return std::sqrt(a.mean() / b.mean()); }

std::string times(const MeanSe& a, const MeanSe& b) { return fmt::format("{:.2f} times", ratio(a, b)); }

/// The verdict of a fit that is not clearly better than a constant, as `found` says: by chance, or not at all.
Verdict not_better(const std::string& found, bool chance, bool few, double rows,
                   std::vector<Warning> warnings) {
  const std::string count = counted(static_cast<long long>(rows), "held-out row");
  warnings.push_back({.kind = Kind::no_better,
                      .severity = Severity::error,
                      .message = found + (chance ? ", which may be chance with " + count
                                                 : ", so the inputs told it nothing"),
                      .remedy = chance ? Remedy::more_held_out_rows : Remedy::none});
  Verdict out = make_verdict("", std::move(warnings), Remedy::hold_out_rows);
  if (chance && few) out.opening = "too few held-out rows to tell";
  return out;
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

std::string more_rows(const MeanSe& loss) {
  return fmt::format("More held-out rows than {} would tell.", static_cast<long long>(loss.count()));
}

/// The standard error of a share of wrong classes; none wrong does not mean that none will be [agresti1998].
double se_of_errors(const MeanSe& loss) {
  const double n = loss.count() + 4, p = (loss.count() * loss.mean() + 2) / n;
  return loss.se() > 0 ? loss.se() : std::sqrt(p * (1 - p) / n);
}

Verdict label_verdict(const RowScores& s, std::vector<Warning> warnings) {
  constexpr double few = 100;  // rows
  std::string found =
      fmt::format("it classifies {} +- {} of held-out rows correctly, the most frequent class {}",
                  percent(1 - s.loss.mean()), percent(se_of_errors(s.loss)), percent(1 - s.loss_mean.mean()));
  const bool compares = s.loss_linear.count() > 0;
  if (compares) found += fmt::format(", logistic regression {}", percent(1 - s.loss_linear.mean()));
  const bool more_right = better(s.against_mean), surer = better(s.against_mean_nll);
  if (!more_right && !surer) {
    const bool chance = s.loss.mean() < s.loss_mean.mean() || s.against_mean_nll.mean() < 0;
    return not_better(found, chance, s.loss.count() < few, s.loss.count(), std::move(warnings));
  }
  if (!more_right)
    found += fmt::format("; its probabilities are better by {:.2g} nats a row than the shares of the classes",
                         -s.against_mean_nll.mean());
  if (compares && !better(s.against_linear) && !better(s.against_linear_nll)) {
    constexpr double little = 0.01, few_nats = 0.02;
    const bool close = s.against_linear.mean() > -little && s.against_linear_nll.mean() > -few_nats;
    return {.kind = VerdictKind::linear,
            .opening = close ? "logistic regression does as well" : "perhaps better than logistic regression",
            .evidence = found + ", nor are its probabilities clearly better",
            .extra = close ? "Use that, or try other inputs." : more_rows(s.loss),
            .warnings = std::move(warnings)};
  }
  return make_verdict(std::move(found), std::move(warnings), Remedy::hold_out_rows);
}

Verdict number_verdict(const RowScores& s, std::vector<Warning> warnings) {
  constexpr double clear = 0.9;  // times the error of another: more than chance where rows are many
  std::string found =
      fmt::format("its error on held-out rows is {} that of the mean", times(s.loss, s.loss_mean));
  if (!better(s.against_mean))
    return not_better(found + " of the outcome", s.loss.mean() < s.loss_mean.mean(),
                      ratio(s.loss, s.loss_mean) < clear, s.loss.count(), std::move(warnings));
  const Coverage coverage = coverage_of(s.model);
  const std::string intervals =
      coverage.entries > 0 ? fmt::format("Its 90 % intervals hold {} of them.", percent(coverage.share()))
                           : "";
  if (s.loss_linear.count() > 0)
    found += fmt::format(" and {} that of linear regression", times(s.loss, s.loss_linear));
  if (s.loss_linear.count() > 0 && !better(s.against_linear)) {
    const bool close = ratio(s.loss, s.loss_linear) >= clear;
    const std::string advice = close ? "Use that, or try other inputs." : more_rows(s.loss);
    return {.kind = VerdictKind::linear,
            .opening = close ? "linear regression does as well" : "perhaps better than linear regression",
            .evidence = std::move(found),
            .extra = advice + (intervals.empty() ? "" : " " + intervals),
            .warnings = std::move(warnings)};
  }
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
