#include "scores.hpp"

#include <fmt/format.h>

#include "bochner/core/messages.hpp"
#include "cli/frame/text.hpp"

namespace bochner::cli {

Json scores_json(const HarmonicFit& fit, const RowScores& s) {
  Json out = Json::object();
  for (std::size_t o = 0; o < s.model.size(); ++o) {
    Json& scores = out[fit.outcomes[o]];
    for (const auto& [name, value] : named_scores(s, static_cast<Index>(o), outcome_kind(fit)))
      if (name == "entries")
        scores[name] = static_cast<Index>(value);
      else
        scores[name] = value;
  }
  return out;
}

std::string scores_text(const HarmonicFit& fit, const RowScores& s) {
  if (s.model.empty()) return "";
  constexpr std::size_t most = 12;  // more would bury the verdict; metrics.json has them all
  const auto with_se = [](double value, double se) {
    return fmt::format("{} +- {}", short_number(value), short_number(se));
  };
  std::vector<std::vector<std::string>> rows;
  if (!fit.classes.empty()) {
    const OutcomeScores &m = s.model[0], &f = s.mean[0];
    rows = {
        {"held-out rows", "accuracy", "nll"},
        {"  this", with_se(m.right.mean(), m.right.se()), with_se(m.nll.mean(), m.nll.se())},
        {"  most frequent class", with_se(f.right.mean(), f.right.se()), with_se(f.nll.mean(), f.nll.se())}};
    if (const OutcomeScores& l = s.linear[0]; l.right.count() > 0)
      rows.push_back({"  logistic regression", with_se(l.right.mean(), l.right.se()),
                      with_se(l.nll.mean(), l.nll.se())});
    return align(rows, false);
  }
  rows.push_back(
      {"held-out entries", "number", "rmse", "of the mean", "of a line", "nll", "in 90 % intervals"});
  for (std::size_t o = 0; o < std::min(most, s.model.size()); ++o) {
    const OutcomeScores& m = s.model[o];
    rows.push_back({"  " + printable(fit.outcomes[o], 30), fmt::format("{}", m.nll.count()),
                    with_se(m.rmse(), m.rmse_se()), short_number(s.mean[o].rmse()),
                    short_number(s.linear[o].rmse()), with_se(m.nll.mean(), m.nll.se()),
                    percent(m.covered.mean())});
  }
  std::string out = align(rows, false);
  if (s.model.size() > most)
    out += fmt::format("  and {} more outcomes in metrics.json\n", s.model.size() - most);
  return out;
}

}  // namespace bochner::cli
