#include "bochner/models/gplvm/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace bochner {

namespace {

constexpr double least_spread = 0.05, prior_sd = 0.9, same_direction = 0.98;
constexpr Index samples_per_dimension = 10;

using Kind = FitWarning::Kind;

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  out.precision(3);
  (out << ... << parts);
  return out.str();
}

std::string percent(double share) {
  std::ostringstream out;
  out.setf(std::ios::fixed);
  out.precision(1);
  out << 100 * share << " %";
  return out.str();
}

/// How much the bound rose, per measured entry, in the last `window` steps before the start cooled down; infinity where
/// there were too few to tell.
double last_rise(const GplvmFit& fit, Index window, Index observed) {
  std::vector<double> values;
  const Index cooling = std::min(fit.options.cooling, fit.options.steps / 2);
  for (const GplvmStep& step : fit.trace)
    if (step.start == fit.start && step.step <= fit.steps - cooling) values.push_back(step.draw);
  const auto half = static_cast<std::ptrdiff_t>(std::max<Index>(1, window / 2));
  if (static_cast<std::ptrdiff_t>(values.size()) < 2 * half || observed < 1)
    return std::numeric_limits<double>::infinity();
  double before = 0, after = 0;
  for (auto it = values.end() - 2 * half; it != values.end() - half; ++it) before += *it;
  for (auto it = values.end() - half; it != values.end(); ++it) after += *it;
  return (after - before) / static_cast<double>(half * observed);
}

void judge_ending(const GplvmFit& fit, Index observed, std::vector<FitWarning>& out) {
  constexpr double little = 0.01;  // nats per entry: no plot would show it
  const std::string steps = text(fit.steps, fit.steps == 1 ? " step" : " steps");
  if (fit.status == Status::stopped_by_callback)
    out.push_back({Kind::stopped, true, "it was stopped after " + steps});
  else if (fit.status == Status::not_finite)
    out.push_back({Kind::not_finite, true, "its bound left the finite numbers after " + steps});
  else if (fit.status != Status::converged)
    out.push_back({Kind::not_settled, !(last_rise(fit, fit.options.patience, observed) < little),
                   text("it had not settled after ", steps, ", more --steps may improve it")});
}

std::string dimensions(const std::vector<Index>& list) {
  std::string out = list.size() == 1 ? "dimension " : "dimensions ";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + std::to_string(list[i] + 1);
  return out;
}

void judge_latent(const GplvmFit& fit, std::vector<FitWarning>& out) {
  const LatentFaults faults = latent_faults(fit.latent);
  const auto left = fit.dims() - static_cast<Index>(faults.collapsed.size());
  if (faults.homogeneous)
    out.push_back({Kind::homogeneous, true, "its latent space collapsed: all samples lie in one place"});
  else if (!faults.collapsed.empty())
    out.push_back(
        {Kind::collapsed, false,
         text("it has no use for ", dimensions(faults.collapsed), ", so --dims ", left, " would do")});
  for (const auto& [a, b] : faults.duplicated)
    out.push_back({Kind::duplicated, false, text("its dimensions ", a + 1, " and ", b + 1, " say the same")});
  if (fit.latent.mean.rows() < samples_per_dimension * fit.dims())
    out.push_back({Kind::few_samples, false,
                   text("it has ", fit.latent.mean.rows(), " samples, fewer than ten for each of its ",
                        fit.dims(), fit.dims() == 1 ? " dimension" : " dimensions")});
}

void judge_view(const ViewScores& s, std::vector<FitWarning>& out) {
  if (s.entries == 0) return;
  const double E = static_cast<double>(s.entries);
  const double chance = 3 / std::sqrt(2 * E);  // three standard errors of a root mean square, relative
  const FillErrors& rmse = s.scaled_rmse;
  const std::string where = text(" in view '", s.view, "'");
  if (!(rmse.model < rmse.column_mean))
    out.push_back({Kind::no_better, true,
                   text("it predicts held-out entries no better than the column mean", where, " (error ",
                        s.rmse.model, " against ", s.rmse.column_mean, ")")});
  else if (rmse.model > rmse.low_rank * (1 + std::max(0.05, chance)))
    out.push_back({Kind::linear_better, true,
                   text("it predicts held-out entries worse than PCA", where, " (error ", s.rmse.model,
                        " against ", s.rmse.low_rank, ")")});
  else if (rmse.model > rmse.neighbours * (1 + std::max(0.05, chance)))
    out.push_back({Kind::neighbours_better, false,
                   text("its nearest samples predict held-out entries better", where, " (error ",
                        s.rmse.neighbours, " against ", s.rmse.model, "), more --dims may help")});
  const double allowed = std::max(0.05, 3 * std::sqrt(0.9 * 0.1 / E));
  if (!(std::abs(s.coverage90 - 0.9) <= allowed))
    out.push_back(
        {Kind::coverage, true,
         text("its 90 % intervals hold ", percent(s.coverage90), " of the held-out entries", where)});
}

}  // namespace

LatentFaults latent_faults(const LatentPosterior& latent) {
  const Index N = latent.mean.rows(), Q = latent.mean.cols();
  const Matrix centred = latent.mean.rowwise() - latent.mean.colwise().mean();
  const Vector spread = (centred.colwise().squaredNorm() / static_cast<double>(N)).cwiseSqrt();
  LatentFaults out;
  for (Index q = 0; q < Q; ++q)
    if (!(spread(q) >= least_spread) || (latent.sd.col(q).array() > prior_sd).all())
      out.collapsed.push_back(q);
  const auto collapsed = [&](Index q) {
    return std::find(out.collapsed.begin(), out.collapsed.end(), q) != out.collapsed.end();
  };
  for (Index a = 0; a < Q; ++a)
    for (Index b = a + 1; b < Q; ++b) {
      if (collapsed(a) || collapsed(b)) continue;
      const double correlation =
          centred.col(a).dot(centred.col(b)) / (static_cast<double>(N) * spread(a) * spread(b));
      if (std::abs(correlation) > same_direction) out.duplicated.emplace_back(a, b);
    }
  out.homogeneous = static_cast<Index>(out.collapsed.size()) == Q;
  return out;
}

std::vector<FitWarning> score_warnings(const std::vector<ViewScores>& scores) {
  std::vector<FitWarning> out;
  for (const ViewScores& view : scores) judge_view(view, out);
  return out;
}

std::vector<FitWarning> fit_warnings(const GplvmFit& fit, const std::vector<ViewScores>& scores,
                                     Index observed) {
  std::vector<FitWarning> out;
  judge_ending(fit, observed, out);
  judge_latent(fit, out);
  for (FitWarning& warning : score_warnings(scores)) out.push_back(std::move(warning));
  if (fit.jitter > 0)
    out.push_back({Kind::jitter, false,
                   text("a factorisation needed ", fit.jitter,
                        " on its diagonal, so directions are nearly redundant")});
  return out;
}

}  // namespace bochner
