#include "verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "aligned.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

namespace {

/// Over all held-out entries of all views, columns counting alike.
struct Together {
  double model = 0, column_mean = 0, low_rank = 0, covered = 0, entries = 0;
};

Together together(const std::vector<ViewScores>& scores) {
  Together out;
  for (const ViewScores& s : scores) {
    if (s.entries == 0) continue;
    const double E = static_cast<double>(s.entries);
    out.entries += E;
    out.model += E * s.scaled_rmse.model * s.scaled_rmse.model;
    out.column_mean += E * s.scaled_rmse.column_mean * s.scaled_rmse.column_mean;
    // Labels have no principal components; the commonest label stands in for both.
    const double low_rank =
        std::isnan(s.scaled_rmse.low_rank) ? s.scaled_rmse.column_mean : s.scaled_rmse.low_rank;
    out.low_rank += E * low_rank * low_rank;
    out.covered += E * s.coverage90;
  }
  return out;
}

std::string joined(const std::vector<FitWarning>& warnings, bool grave) {
  std::string out;
  for (const FitWarning& warning : warnings)
    if (warning.grave == grave) out += (out.empty() ? "" : "; ") + warning.sentence;
  return out;
}

}  // namespace

std::string short_number(double value) { return std::isnan(value) ? "-" : fmt::format("{:#.3g}", value); }
std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.1f} %", 100 * share); }

Verdict judge(const std::vector<ViewScores>& scores, const std::vector<FitWarning>& warnings,
              const std::string& praise) {
  const std::string doubts = joined(warnings, true), cautions = joined(warnings, false);
  const std::string note = cautions.empty() ? "" : " But note: " + cautions + ".";
  if (!doubts.empty())
    return {"doubtful", fmt::format("do not trust this fit: {}.{}", doubts,
                                    cautions.empty() ? "" : " Also: " + cautions + ".")};
  const Together all = together(scores);
  if (!(all.entries > 0))
    return {"unjudged",
            "nothing speaks against this fit, but nothing was held out to judge its predictions by." + note};
  return {
      "good",
      fmt::format(
          "trust this fit. Its error on held-out entries is {:.2f} times that of the column mean and {:.2f} "
          "times that of PCA, and its 90 % intervals hold {} of them.{}{}",
          std::sqrt(all.model / all.column_mean), std::sqrt(all.model / all.low_rank),
          percent(all.covered / all.entries), praise.empty() ? "" : " " + praise, note)};
}

int exit_code(const Interrupt& interrupt, const Verdict& verdict, const Common& common) {
  constexpr int not_to_be_trusted = 4;
  if (interrupt.asked()) return interrupt.exit_code();
  return common.strict && verdict.word == "doubtful" ? not_to_be_trusted : 0;
}

const char* ending(Status status) {
  switch (status) {
    case Status::iteration_limit:
      return "step limit";
    case Status::stopped_by_callback:
      return "interrupted";
    default:
      return to_string(status);
  }
}

std::string scores_text(const std::vector<ViewScores>& scores) {
  std::vector<std::vector<std::string>> rows{
      {"held-out entries", "number", "error", "column mean", "PCA", "5 nearest", "in 90 % intervals"}};
  constexpr std::size_t most = 12;  // more would bury the verdict; heldout.csv has them all
  for (const ViewScores& s : scores) {
    if (rows.size() > most) break;
    rows.push_back({"  " + printable(s.view, 30), fmt::format("{}", s.entries), short_number(s.rmse.model),
                    short_number(s.rmse.column_mean), short_number(s.rmse.low_rank),
                    short_number(s.rmse.neighbours), percent(s.coverage90)});
  }
  std::string out = aligned(rows, false);
  if (scores.size() > most) out += fmt::format("  and {} more views in heldout.csv\n", scores.size() - most);
  return out;
}

}  // namespace bochner::cli
