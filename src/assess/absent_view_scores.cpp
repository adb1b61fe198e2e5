#include "bochner/assess/absent_view_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/assess/verdict.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

/// The standard error of sum(a) / sum(b) over independent samples, by linearisation.
double ratio_se(const Vector& a, const Vector& b) {
  const double n = double(a.size()), ratio = a.sum() / b.sum();
  if (n < 2) return std::numeric_limits<double>::quiet_NaN();
  return std::sqrt(n / (n - 1) * (a - ratio * b).squaredNorm()) / b.sum();
}

constexpr Index fewest = 5;  // samples that a standard error says something about

/// Standard errors that are no chance any more: three of many samples, more of few, whose standard errors are uncertain themselves. Within
/// a tenth of the quantiles of Student's t.
double beyond_chance(Index samples) {
  const double dof = double(samples) - 1;
  return 3 * (1 + 2.6 / dof + 6 / (dof * dof));
}

}  // namespace

AbsentViewScores absent_view_scores(const std::string& view, const Matrix& truth, const Predictive& predicted,
                                    const Vector& means, const Scaling& scaling) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), z90 = 1.6448536269514722;
  AbsentViewScores out{view, 0, 0, nan, nan, nan, nan, nan, nan, nan};
  const BoolMatrix known = !truth.array().isNaN();
  std::vector<Index> rows;
  for (Index n = 0; n < truth.rows(); ++n)
    if (known.row(n).any()) rows.push_back(n);
  out.samples = Index(rows.size());
  out.entries = known.count();
  if (rows.empty()) return out;

  const Matrix guess = means.transpose().replicate(truth.rows(), 1);
  const auto squares = [&](const Matrix& mean) {
    const Matrix error = scaling.apply(truth) - scaling.apply(mean);
    return Vector(known.select(error.cwiseAbs2(), 0.0).rowwise().sum()(rows));
  };
  const Vector model = squares(predicted.mean), column_mean = squares(guess);
  out.r2 = column_mean.sum() > 0 ? 1 - model.sum() / column_mean.sum() : nan;
  out.r2_se = column_mean.sum() > 0 ? ratio_se(model, column_mean) : nan;
  out.rmse = bochner::rmse(truth, predicted.mean);
  out.rmse_mean = bochner::rmse(truth, guess);
  out.log_density = log_predictive_density(truth, predicted.mean, predicted.y_variance);
  const Matrix inside =
      ((truth - predicted.mean).array().abs() <= z90 * predicted.y_variance.array().sqrt()).cast<double>();
  const Vector covered = known.select(inside, 0.0).rowwise().sum()(rows),
               count = known.cast<double>().rowwise().sum()(rows);
  out.coverage90 = covered.sum() / count.sum();
  out.coverage_se = ratio_se(covered, count);
  return out;
}

NamedScores named_scores(const AbsentViewScores& s) {
  return {{"samples", double(s.samples)},
          {"entries", double(s.entries)},
          {"r2", s.r2},
          {"r2_se", s.r2_se},
          {"rmse", s.rmse},
          {"rmse_mean", s.rmse_mean},
          {"log_density", s.log_density},
          {"coverage90", s.coverage90},
          {"coverage90_se", s.coverage_se}};
}

std::vector<Warning> absent_view_warnings(const std::vector<AbsentViewScores>& scores) {
  constexpr double little = 0.02, uncertain = 0.15;
  std::vector<Warning> out;
  for (const AbsentViewScores& s : scores) {
    if (s.samples < fewest || std::isnan(s.r2)) continue;
    const double errors = beyond_chance(s.samples),
                 coverage_se = std::max(s.coverage_se, std::sqrt(0.9 * 0.1 / double(s.entries)));
    if (s.r2 < -std::max(little, errors * s.r2_se))
      out.push_back({.kind = Warning::Kind::absent_view,
                     .severity = Severity::error,
                     .message = fmt::format("samples that lack view {} are predicted worse there than by its "
                                            "column means (R^2 {:.2f})",
                                            quote(s.view), s.r2)});
    else if (s.r2 < little && s.r2_se > uncertain)
      out.push_back(
          {.kind = Warning::Kind::absent_view,
           .message = fmt::format("{} cannot tell how well view {} of a sample that lacks it is "
                                  "predicted from the others (R^2 {:.2f} +- {:.2f})",
                                  counted(s.samples, "held-out sample"), quote(s.view), s.r2, s.r2_se)});
    else if (s.r2 < little)
      out.push_back(
          {.kind = Warning::Kind::absent_view,
           .message = fmt::format("the other views hardly tell about view {} of a sample that "
                                  "lacks it (R^2 {:.2f} +- {:.2f}): little is added to its column means",
                                  quote(s.view), s.r2, s.r2_se)});
    if (std::abs(s.coverage90 - 0.9) > std::max(0.06, errors * coverage_se))
      out.push_back({.kind = Warning::Kind::coverage,
                     .severity = Severity::error,
                     .message = fmt::format("its 90 % intervals hold {} of the entries of view {} in samples "
                                            "that lack it",
                                            percent(s.coverage90), quote(s.view))});
  }
  return out;
}

std::string absent_view_evidence(const std::vector<AbsentViewScores>& scores) {
  constexpr std::size_t most = 4;  // views that are named; of more, the best and the worst
  std::vector<AbsentViewScores> judged;
  double covered = 0, entries = 0;
  for (const AbsentViewScores& s : scores) {
    if (s.samples < fewest || std::isnan(s.r2)) continue;
    judged.push_back(s);
    covered += s.coverage90 * double(s.entries);
    entries += double(s.entries);
  }
  if (judged.empty()) return "";
  const auto part = [](const AbsentViewScores& s) {
    return fmt::format("{:.2f} +- {:.2f} ({})", s.r2, s.r2_se, printable(s.view, 30));
  };
  std::string list;
  if (judged.size() > most) {
    const auto [low, high] = std::minmax_element(judged.begin(), judged.end(),
                                                 [](const auto& a, const auto& b) { return a.r2 < b.r2; });
    list = part(*low) + " to " + part(*high);
  } else {
    for (std::size_t i = 0; i < judged.size(); ++i)
      list += (i == 0 ? "" : i + 1 == judged.size() ? " and " : ", ") + part(judged[i]);
  }
  return fmt::format("a view that a sample lacks is predicted with R^2 {}, {} of it within 90 % intervals",
                     list, percent(covered / entries));
}

}  // namespace bochner
