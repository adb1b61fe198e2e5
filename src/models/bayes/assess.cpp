#include "bochner/models/bayes/assess.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bochner/core/counted.hpp"
#include "bochner/models/latent/latent_faults.hpp"

namespace bochner {

namespace {

// 1.01 [vehtari2021] asks for more draws than most have, and is said where it is not reached.
constexpr double good_rhat = 1.05, best_rhat = 1.01;
constexpr double least_ess = 100;  // a mean is then known to a tenth of its posterior sd
// Predictions beyond these are not worth reading.
constexpr double bad_rhat = 1.2, bad_ess = 20;

/// Shares of wrong labels: the model's, and those of the most frequent label of each column.
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

using Kind = Warning::Kind;

/// What chains that sit in different modes say, or nothing.
std::string levels_text(const MixingSummary& m) {
  if (!m.modes_differ) return "";
  return fmt::format(
      "; chain {} keeps a log density of {:.1f} and chain {} of {:.1f}: they sit in different modes, and "
      "results "
      "average over both",
      m.highest_chain + 1, m.highest_level, m.lowest_chain + 1, m.lowest_level);
}

void judge_chains(const MixingSummary& m, std::vector<Warning>& out) {
  if (m.quantities == 0)
    out.push_back({.kind = Kind::not_mixed,
                   .severity = Severity::error,
                   .message = "it has too few draws to tell whether its chains agree",
                   .remedy = Remedy::more_draws});
  else if (m.function_rhat > bad_rhat || m.lowest_ess() < bad_ess)
    out.push_back({.kind = Kind::not_mixed,
                   .severity = Severity::error,
                   .message = fmt::format(
                       "its chains do not agree about predictions: the R-hat of {} is {:.3g}, and the "
                       "prediction known worst is worth {:.3g} independent draws{}",
                       m.worst_function, m.function_rhat, m.lowest_ess(), levels_text(m)),
                   .remedy = Remedy::more_warmup_and_draws});
  else if (m.apart > 0 || m.lowest_ess() < least_ess)
    out.push_back({.kind = Kind::not_mixed,
                   .message = fmt::format(
                       "{} of {} quantities have an R-hat above {} (the largest is {:.3g}, of {}; of "
                       "predictions {:.3g}), and the prediction known worst is worth {:.3g} independent "
                       "draws{}",
                       m.apart, m.quantities, good_rhat, m.worst_rhat, m.worst, m.function_rhat,
                       m.lowest_ess(), levels_text(m)),
                   .remedy = Remedy::more_draws});
}

/// Chains that results are without: an average over modes is in neither of them.
void judge_left_out(const BayesFit& fit, std::vector<Warning>& out) {
  if (fit.left_out.empty()) return;
  std::vector<std::string> names;
  for (const BayesLeftOut& own : fit.left_out)
    names.push_back(fmt::format("chain {} (its mean log posterior is {:.1f} below)", own.chain + 1, own.gap));
  out.push_back(
      {.kind = Kind::not_mixed,
       .message = fmt::format("{} of its {} sat in a lower mode than the others and {} left out: {}",
                              fit.left_out.size(), counted(fit.options.chains, "chain"),
                              fit.left_out.size() == 1 ? "is" : "are", fmt::join(names, ", ")),
       .remedy = Remedy::more_warmup_and_draws});
}

/// A sentence where every R-hat is good.
std::string agreement(const BayesFit& fit) {
  const MixingSummary m = mixing(fit);
  if (m.quantities == 0 || m.apart > 0) return "";
  const std::string strict = m.beyond_best == 0
                                 ? ""
                                 : fmt::format(
                                       " {} of {} quantities have an R-hat above {}: more draws would make "
                                       "tails of posteriors surer.",
                                       m.beyond_best, m.quantities, best_rhat);
  if (fit.chains() == 1)
    return fmt::format("Its chain agrees with itself (largest R-hat {:.3f}).{}", m.worst_rhat, strict);
  return fmt::format("Its {} agree (largest R-hat {:.3f}).{}", counted(fit.chains(), "chain"), m.worst_rhat,
                     strict);
}

/// What draws of the latents say about the entries of one view that were held out. `seen` is the rest of the view.
HeldOutPrediction predict_held_out(const BayesViewFit& view, const std::vector<Matrix>& X,
                                   const Matrix& truth, const BayesKnown& known, const Rng& rng,
                                   const Compute& compute) {
  const BayesPrediction prediction = predict(view, X, known, {}, rng, compute);
  const Matrix& mean = prediction.mean;
  const Matrix density = log_density(view, X, truth, known, compute);
  const Matrix place = randomised_pit(view, X, truth, known, rng.split("place"), compute);
  const bool labels = view.likelihood == BayesLikelihood::categorical;
  HeldOutPrediction out{.mean = labels ? likeliest_labels(view, mean) : mean};
  if (labels)
    out.errors = label_errors(truth, out.mean, known.Y);
  else {
    out.sd = prediction.y_variance.array().sqrt();
    out.pit = place;
  }
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
}

/// Scores at draws of the latents of the rows of the data.
std::vector<ViewScores> scores_at(const std::vector<Matrix>& X, const BayesData& data,
                                  const std::vector<BoolMatrix>& held_out, const BayesFit& fit,
                                  const HeldOutOptions& options, const Rng& rng, const Compute& compute) {
  HeldOutModel model{.dims = fit.dims(), .scalings = {}, .predict = {}};
  const Dataset seen = hide(data.data, held_out);
  for (const View& view : seen.views())
    model.scalings.push_back(fit_scaling(view.Y, ScalingKind::standardise));
  model.predict = [&](Index v, const Matrix& truth) {
    const auto at = static_cast<std::size_t>(v);
    BayesKnown known = known_rows(data, at);
    known.Y = seen.view(v).Y;
    return predict_held_out(fit.view(seen.view(v).name), X, truth, known, rng, compute);
  };
  return held_out_scores(data.data, held_out, model, options, rng, compute);
}

}  // namespace

MixingSummary mixing(const BayesFit& fit) {
  MixingSummary out;
  for (const BayesMonitor& m : fit.monitors) {
    if (std::isnan(m.rhat)) continue;
    ++out.quantities;
    out.apart += m.rhat > good_rhat;
    out.beyond_best += m.rhat > best_rhat;
    if (m.rhat > out.worst_rhat) {
      out.worst_rhat = m.rhat;
      out.worst = m.name;
    }
    const double ess = std::min(m.ess_bulk, m.ess_tail);
    if (out.slowest.empty() || ess < out.worst_ess) {
      out.worst_ess = ess;
      out.slowest = m.name;
    }
    if (!m.name.starts_with("f ")) continue;
    out.function_ess.push_back(m.ess_bulk);
    if (m.rhat > out.function_rhat) {
      out.function_rhat = m.rhat;
      out.worst_function = m.name;
    }
  }
  std::sort(out.function_ess.begin(), out.function_ess.end());
  if (fit.log_density.rows() < 2 || fit.log_density.cols() < 4) return out;
  const Vector level = fit.log_density.rowwise().mean();
  out.highest_level = level.maxCoeff(&out.highest_chain);
  out.lowest_level = level.minCoeff(&out.lowest_chain);
  const double within = (fit.log_density.colwise() - level).squaredNorm() / double(fit.log_density.size());
  out.modes_differ = out.highest_level - out.lowest_level > 2 * std::sqrt(within);
  return out;
}

Status judged_status(const BayesFit& fit) {
  const MixingSummary m = mixing(fit);
  const bool agree = m.quantities > 0 && m.apart == 0 && m.lowest_ess() >= least_ess;
  return agree ? Status::converged : Status::iteration_limit;
}

const char* status_text(const BayesFit& fit) {
  return fit.status == Status::iteration_limit ? "finished" : to_string(fit.status);
}

std::vector<Warning> bayes_warnings(const BayesFit& fit, const std::vector<ViewScores>& scores) {
  std::vector<Warning> out;
  if (fit.status == Status::stopped_by_callback)
    out.push_back({.kind = Kind::stopped,
                   .severity = Severity::error,
                   .message = "it was stopped before all draws were taken"});
  judge_left_out(fit, out);
  judge_chains(mixing(fit), out);
  if (latent_faults(fit.latent).homogeneous) out.push_back(homogeneous_warning());
  for (Warning& warning : score_warnings(scores)) out.push_back(std::move(warning));
  return out;
}

std::vector<ViewScores> held_out_scores(const BayesData& data, const std::vector<BoolMatrix>& held_out,
                                        const BayesFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute) {
  return scores_at(fit.X, data, held_out, fit, options, rng, compute);
}

ViewAssessment assess(const BayesFit& fit, const BayesData& data, const std::vector<BoolMatrix>& held_out,
                      const Compute& compute, std::vector<Warning> more) {
  ViewAssessment out;
  if (count_held_out(held_out) > 0)
    out.scores = held_out_scores(data, held_out, fit, {}, baselines_rng(fit.seed), compute);
  std::vector<Warning> warnings = bayes_warnings(fit, out.scores);
  for (Warning& warning : more) warnings.push_back(std::move(warning));
  out.verdict = view_verdict(out.scores, std::move(warnings), agreement(fit));
  return out;
}

ViewAssessment assess_new(const BayesFit& fit, const BayesData& data, const std::vector<BoolMatrix>& held_out,
                          const Compute& compute, bool by_id) {
  ViewAssessment out;
  if (count_held_out(held_out) > 0) {
    BayesData seen = data;
    seen.data = hide(data.data, held_out);
    const std::vector<Matrix> X = embed(fit, seen, Rng(fit.seed).split("embed"), compute, by_id);
    out.scores = scores_at(X, data, held_out, fit, {}, baselines_rng(fit.seed), compute);
  }
  out.verdict = view_verdict(out.scores, bayes_warnings(fit, out.scores), agreement(fit));
  return out;
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
