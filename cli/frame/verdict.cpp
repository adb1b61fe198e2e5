#include "verdict.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/messages.hpp"
#include "remedy.hpp"
#include "text.hpp"

namespace bochner::cli {

namespace {

constexpr std::size_t most_views = 12;  // more would bury the verdict; the run folder has them all

}  // namespace

std::string short_number(double value) { return std::isnan(value) ? "-" : fmt::format("{:#.3g}", value); }

std::string verdict_text(const Verdict& verdict) { return verdict.message(remedy_text); }

void put_verdict(Json& json, const Verdict& verdict) {
  json["verdict"] = to_string(verdict.kind);
  json["message"] = json["sentence"] = verdict_text(verdict);
}

Json warnings_json(const Verdict& verdict) {
  Json out = Json::array();
  for (const Warning& warning : verdict.warnings) out.push_back(with_remedy(warning, remedy_text));
  return out;
}

const char* status_text(Status status) {
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
      {"held-out entries", "number", "error", "PCA", "5 nearest", "column mean", "in 90 % intervals"}};
  for (const ViewScores& s : scores) {
    if (rows.size() > most_views) break;
    // Each column in units of its scale, as the verdict has it: in the units of the table one column could drown the others.
    const FillErrors& e = s.scaled_rmse;
    const auto share = [&](double error) { return fmt::format("{:.2f}", error / e.column_mean); };
    const bool none = std::isnan(e.column_mean) || e.column_mean == 0;
    rows.push_back({"  " + printable(s.view, 30), fmt::format("{}", s.entries)});
    for (const double error : {e.model, e.low_rank, e.neighbours, e.column_mean})
      rows.back().push_back(none || std::isnan(error) ? "-" : share(error));
    rows.back().push_back(percent(s.coverage90));
  }
  std::string out = align(rows, false);
  if (scores.size() > most_views)
    out += fmt::format("  and {} more views in heldout.csv\n", scores.size() - most_views);
  return out;
}

std::string verdict_lines(const Verdict& verdict) {
  return wrap("verdict: " + verdict_text(verdict), 100, 9);
}

std::string absent_text(const std::vector<AbsentViewScores>& scores) {
  if (scores.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"held-out views", "samples", "R^2", "+-", "error", "column mean", "in 90 % intervals"}};
  for (const AbsentViewScores& s : scores) {
    if (rows.size() > most_views) break;
    rows.push_back({"  " + printable(s.view, 30), fmt::format("{}", s.samples), short_number(s.r2),
                    short_number(s.r2_se), short_number(s.rmse), short_number(s.rmse_mean),
                    percent(s.coverage90)});
  }
  std::string out = align(rows, false);
  if (scores.size() > most_views)
    out += fmt::format("  and {} more views in heldout_views.csv\n", scores.size() - most_views);
  return out;
}

std::string verdict_lines(const std::vector<ViewScores>& scores, const Verdict& verdict,
                          const std::vector<AbsentViewScores>& absent) {
  return (scores.empty() ? "" : scores_text(scores)) + absent_text(absent) +
         (scores.empty() && absent.empty() ? "" : "\n") + verdict_lines(verdict);
}

}  // namespace bochner::cli
