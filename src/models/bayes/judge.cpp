#include "bochner/models/bayes/judge.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace bochner {

namespace {

constexpr double good_rhat = 1.05;  // of function values; 1.01 asks for more draws than most have
constexpr double least_ess = 100;   // a mean is then known to a tenth of its posterior sd

/// Shares of wrong labels: the model's, and those of the commonest label of each column.
FillErrors label_errors(const Matrix& truth, const Matrix& guess, const Matrix& seen) {
  double entries = 0, wrong = 0, of_common = 0;
  for (Index m = 0; m < truth.cols(); ++m) {
    std::map<double, Index> count;
    for (Index n = 0; n < seen.rows(); ++n)
      if (!std::isnan(seen(n, m))) ++count[seen(n, m)];
    double common = 0;
    Index most = 0;
    for (const auto& [label, times] : count)
      if (times > most) most = times, common = label;
    for (Index n = 0; n < truth.rows(); ++n) {
      if (std::isnan(truth(n, m))) continue;
      ++entries;
      wrong += truth(n, m) != guess(n, m);
      of_common += truth(n, m) != common;
    }
  }
  const double nan = std::nan("");
  return {wrong / entries, of_common / entries, nan, nan};
}

bool starts_with(const std::string& text, const char* beginning) { return text.rfind(beginning, 0) == 0; }

}  // namespace

MixingSummary mixing(const BayesFit& fit) {
  MixingSummary out;
  for (const BayesMonitor& m : fit.monitors) {
    if (std::isnan(m.rhat)) continue;
    ++out.quantities;
    out.apart += m.rhat > good_rhat;
    if (m.rhat > out.worst_rhat) {
      out.worst_rhat = m.rhat;
      out.worst = m.name;
    }
    if (!starts_with(m.name, "f ")) continue;
    out.function_ess.push_back(m.ess_bulk);
    out.function_rhat = std::max(out.function_rhat, m.rhat);
  }
  std::sort(out.function_ess.begin(), out.function_ess.end());
  return out;
}

Status judged_status(const BayesFit& fit) {
  const MixingSummary m = mixing(fit);
  const bool agree = m.quantities > 0 && m.apart == 0 && m.median_ess() >= least_ess;
  return agree ? Status::converged : Status::iteration_limit;
}

const char* status_text(const BayesFit& fit) {
  return fit.status == Status::iteration_limit ? "finished" : to_string(fit.status);
}

std::vector<FitWarning> bayes_warnings(const BayesFit& fit, const std::vector<ViewScores>& scores) {
  using Kind = FitWarning::Kind;
  std::vector<FitWarning> out;
  if (fit.status == Status::stopped_by_callback)
    out.push_back({Kind::stopped, true, "it was stopped before all draws were taken"});
  const MixingSummary m = mixing(fit);
  std::ostringstream text;
  text.precision(3);
  if (m.quantities == 0) {
    out.push_back({Kind::not_mixed, true, "it has too few draws to tell whether its chains agree"});
  } else if (m.function_rhat > 1.2 || m.median_ess() < 20) {
    text << "its chains do not agree (R-hat of " << m.worst << " is " << m.worst_rhat
         << ", predictions are worth " << m.median_ess()
         << " independent draws), more --warmup and --draws are needed";
    out.push_back({Kind::not_mixed, true, text.str()});
  } else if (m.apart > 0 || m.median_ess() < least_ess) {
    text << m.apart << " of " << m.quantities << " quantities have an R-hat above " << good_rhat
         << " (the worst, " << m.worst << ", " << m.worst_rhat << "), and predictions are worth "
         << m.median_ess() << " independent draws; more --draws would sharpen them";
    out.push_back({Kind::not_mixed, false, text.str()});
  }
  const LatentFaults faults = latent_faults(fit.latent);
  if (faults.homogeneous)
    out.push_back({Kind::homogeneous, true, "its latent space collapsed: all samples lie in one place"});
  for (FitWarning& warning : score_warnings(scores)) out.push_back(std::move(warning));
  return out;
}

std::vector<ViewScores> held_out_scores(const BayesData& data, const std::vector<BoolMatrix>& held_out,
                                        const BayesFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute) {
  HeldOutModel model{.dims = fit.dims(), .scalings = {}, .predict = {}};
  const Dataset seen = hide(data.data, held_out);
  for (std::size_t v = 0; v < fit.views.size(); ++v)
    model.scalings.push_back(fit_scaling(seen.view(static_cast<Index>(v)).Y, ScalingKind::standardise));
  model.predict = [&](Index v, const Matrix& truth) {
    const BayesViewFit& view = fit.views[static_cast<std::size_t>(v)];
    const auto at = static_cast<std::size_t>(v);
    const BayesKnown known{seen.view(v).Y, at < data.trials.size() ? data.trials[at] : Matrix()};
    const Matrix mean = predict(view, fit.X, known, {}, rng, compute).mean;
    const Matrix density = log_density(view, fit.X, truth, known, compute);
    const Matrix place = randomised_pit(view, fit.X, truth, known, rng.split("place"), compute);
    const bool labels = view.likelihood == BayesLikelihood::categorical;
    HeldOutPrediction out{.mean = labels ? likeliest_labels(view, mean) : mean};
    if (labels) out.errors = label_errors(truth, out.mean, known.Y);
    double entries = 0;
    for (Index n = 0; n < truth.rows(); ++n)
      for (Index m = 0; m < truth.cols(); ++m) {
        if (std::isnan(truth(n, m))) continue;
        ++entries;
        out.log_density += density(n, m);
        out.coverage90 += place(n, m) >= 0.05 && place(n, m) <= 0.95;
      }
    out.log_density /= entries;
    out.coverage90 /= entries;
    return out;
  };
  return held_out_scores(data.data, held_out, model, options, rng, compute);
}

Matrix likeliest_labels(const BayesViewFit& view, MatrixIn probabilities) {
  Matrix out(probabilities.rows(), static_cast<Index>(view.classes.size()));
  for (Index n = 0; n < out.rows(); ++n) {
    Index begin = 0;
    for (Index m = 0; m < out.cols(); ++m) {
      const Index C = view.classes[static_cast<std::size_t>(m)];
      Index best = 0;
      probabilities.row(n).segment(begin, C).maxCoeff(&best);
      out(n, m) = double(best);
      begin += C;
    }
  }
  return out;
}

}  // namespace bochner
