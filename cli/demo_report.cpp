#include "demo_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aligned.hpp"

namespace bochner::cli {

namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string number(double value) { return fmt::format("{:#.3g}", value); }
/// Over outputs that are measured equally often.
double together(const Vector& rmse) {
  return std::sqrt(rmse.squaredNorm() / static_cast<double>(rmse.size()));
}
std::vector<double> list(const Vector& v) { return {v.data(), v.data() + v.size()}; }

std::vector<std::string> row(const std::string& name, const Vector& v, std::string (*text)(double),
                             const char* remark) {
  std::vector<std::string> out{name};
  for (Index p = 0; p < v.size(); ++p) out.push_back(text(v(p)));
  out.emplace_back(remark);
  return out;
}

}  // namespace

Verdict judge(const DemoScores& s) {
  const double ratio = together(s.rmse) / together(s.rmse_ideal), coverage = s.coverage.mean();
  const double entries = static_cast<double>(s.new_samples * s.coverage.size());
  const double allowed = std::max(0.05, 3 * std::sqrt(0.9 * 0.1 / entries));
  std::string doubts;
  const auto doubt = [&](const std::string& why) { doubts += (doubts.empty() ? "" : "; ") + why; };
  if (s.status == Status::stopped_by_callback) doubt(fmt::format("it was stopped at step {}", s.steps));
  if (s.status == Status::iteration_limit) doubt(fmt::format("it had not settled after {} steps", s.steps));
  if (!(ratio <= 1.25)) doubt(fmt::format("its error is {:.2f} times the best possible", ratio));
  if (!(std::abs(coverage - 0.9) <= allowed))
    doubt(fmt::format("its 90 % intervals hold {}", percent(coverage)));
  if (!(std::abs(s.noise_sd / s.truth.noise_sd - 1) <= 0.2))
    doubt(
        fmt::format("it takes the noise for {} instead of {}", number(s.noise_sd), number(s.truth.noise_sd)));
  if (!doubts.empty()) return {false, "do not trust this fit: " + doubts + "."};
  return {
      true,
      fmt::format(
          "trust this fit. It misses the truth by {}; told the true kernel and noise it would miss by {}, "
          "the column mean misses by {}. Its 90 % intervals hold {} of the new measurements. "
          "It takes the noise for {}; it is {}.",
          number(together(s.rmse)), number(together(s.rmse_ideal)), number(together(s.rmse_column_mean)),
          percent(coverage), number(s.noise_sd), number(s.truth.noise_sd))};
}

std::string report_text(const DemoScores& s) {
  const std::vector<std::vector<std::string>> scores{
      {"new samples", "y1", "y2", ""},
      row("  error of the fit", s.rmse, number, "RMSE against the truth"),
      row("  error, told the truth", s.rmse_ideal, number,
          "true kernel, noise and mean: no method does better on average"),
      row("  error of the column mean", s.rmse_column_mean, number, ""),
      row("  90 % intervals hold", s.coverage, percent, "of the new measurements")};
  const std::vector<std::vector<std::string>> found{
      {"parameter", "true", "found", ""},
      {"  noise sd", number(s.truth.noise_sd), number(s.noise_sd), ""},
      {"  length-scale of x1", number(s.truth.kernel.ell(0)), number(s.kernel.ell(0)), ""},
      {"  length-scale of x2", number(s.truth.kernel.ell(1)), number(s.kernel.ell(1)), ""},
      {"  function sd", number(std::sqrt(s.truth.kernel.sigma2)), number(std::sqrt(s.kernel.sigma2)), ""}};
  return aligned(scores) + "\n" + aligned(found) + "\n" + wrapped("verdict: " + judge(s).sentence, 100, 9);
}

Json report_json(const DemoScores& s) {
  const Verdict verdict = judge(s);
  return {{"verdict", verdict.good ? "good" : "doubtful"},
          {"sentence", verdict.sentence},
          {"outputs", {"y1", "y2"}},
          {"rmse", list(s.rmse)},
          {"rmse_ideal", list(s.rmse_ideal)},
          {"rmse_column_mean", list(s.rmse_column_mean)},
          {"coverage_90", list(s.coverage)},
          {"log_predictive_density", s.log_density},
          {"noise_sd", {{"true", s.truth.noise_sd}, {"found", s.noise_sd}}},
          {"log_evidence", {{"start", s.first_evidence}, {"end", s.evidence}}},
          {"status", to_string(s.status)},
          {"steps", s.steps}};
}

}  // namespace bochner::cli
