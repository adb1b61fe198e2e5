#include "truth.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/frame/text.hpp"

namespace bochner::cli {

namespace {

constexpr double least_r2 = 0.95;

}  // namespace

Matrix in_order_of(const std::vector<std::string>& ids, const Table& truth) {
  std::unordered_map<std::string, Index> row_of;
  for (std::size_t n = 0; n < truth.ids.size(); ++n) row_of.emplace(truth.ids[n], static_cast<Index>(n));
  Matrix out(static_cast<Index>(ids.size()), truth.cols());
  for (std::size_t n = 0; n < ids.size(); ++n)
    out.row(static_cast<Index>(n)) = truth.values.row(row_of.at(ids[n]));
  return out;
}

TruthScores score_against_truth(const FitJob& job, const GplvmFit& fit, const RunFolder& run,
                                const Threads& threads) {
  TruthScores out;
  out.r2 = affine_r2(fit.latent.mean, in_order_of(fit.ids, read_table(run.path("latent_truth.csv")))).mean;
  double squares = 0, squares_of_mean = 0, covered = 0;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    const View& view = job.data.view(static_cast<Index>(v));
    Matrix truth = in_order_of(fit.ids, read_table(run.path(view.name + "_truth.csv")));
    truth = view.Y.array().isNaN().select(
        truth, std::numeric_limits<double>::quiet_NaN());  // the missing entries alone
    const Index missing = count_observed(truth);
    if (missing == 0) continue;
    const Predictive p = predict(fit, view.name, job.data, fit.latent, threads);
    const double error = rmse(truth, p.mean), error_of_mean = rmse(truth, fill_column_means(view.Y));
    const double H = static_cast<double>(missing);
    squares += H * error * error;
    squares_of_mean += H * error_of_mean * error_of_mean;
    covered += H * gaussian_coverage(truth, p.mean, p.y_variance, 0.9);
    out.missing += missing;
  }
  const double H = static_cast<double>(out.missing);  // without missing values the shares below are NaN
  out.imputation_rmse = std::sqrt(squares / H);
  out.rmse_column_mean = std::sqrt(squares_of_mean / H);
  out.coverage90 = covered / H;
  return out;
}

void judge_by_truth(const TruthScores& truth, FitResult& result) {
  std::vector<Warning> warnings = result.verdict.warnings;
  if (!(truth.r2 >= least_r2))
    warnings.push_back({.kind = Warning::Kind::not_settled,
                        .severity = Severity::error,
                        .message = fmt::format("it finds the true latent with R^2 {:.3f} only", truth.r2)});
  if (truth.missing > 0) {
    const double allowed = std::max(0.05, 3 * std::sqrt(0.9 * 0.1 / static_cast<double>(truth.missing)));
    if (!(std::abs(truth.coverage90 - 0.9) <= allowed))
      warnings.push_back({.kind = Warning::Kind::coverage,
                          .severity = Severity::error,
                          .message = fmt::format("its 90 % intervals hold {} of what was never measured",
                                                 percent(truth.coverage90))});
  }
  result.verdict =
      view_verdict(result.scores, std::move(warnings),
                   fmt::format("It finds the true latent with R^2 {:.3f}.", truth.r2), result.absent);
}

std::string truth_text(const TruthScores& truth) {
  std::vector<std::vector<std::string>> rows{
      {"against the truth", "", ""},
      {"  R^2 of the latent", fmt::format("{:.3f}", truth.r2), "after the best affine map"}};
  if (truth.missing > 0) {
    rows.push_back(
        {"  error of imputation", short_number(truth.imputation_rmse),
         fmt::format("{} never observed; column mean {}", counted(truth.missing, "entry", "entries"),
                     short_number(truth.rmse_column_mean))});
    rows.push_back({"  in 90 % intervals", percent(truth.coverage90), "of these entries"});
  }
  return align(rows);
}

Json truth_json(const TruthScores& truth) {
  return {{"r2", truth.r2}, {"imputation_rmse", truth.imputation_rmse}, {"coverage90", truth.coverage90}};
}

}  // namespace bochner::cli
