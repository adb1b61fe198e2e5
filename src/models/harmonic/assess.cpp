#include "bochner/models/harmonic/assess.hpp"

#include <algorithm>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/models/harmonic/distribution.hpp"

namespace bochner {

namespace {

/// Rows of A in the places `here` of N, NaN elsewhere.
Matrix spread(const Matrix& A, const std::vector<Index>& here, Index N) {
  if (A.cols() == 0) return A;
  Matrix out = Matrix::Constant(N, A.cols(), std::numeric_limits<double>::quiet_NaN());
  out(here, Eigen::all) = A;
  return out;
}

RowPredictions row_predictions(const HarmonicFit& fit, MatrixIn X, MatrixIn truth,
                               const HarmonicPrediction& p, const Compute& compute) {
  RowPredictions out{.complete = complete_inputs(X),
                     .mean = p.y.mean,
                     .variance = p.y.variance,
                     .probabilities = fit.classes.empty() ? Matrix() : class_probabilities(fit, p),
                     .log_density = {},
                     .covered = {}};
  const Matrix known = truth(out.complete, Eigen::all);
  out.log_density = log_density(fit, p.draws, known, compute);
  if (fit.classes.empty()) out.covered = covered_share(fit, p.draws, known, 0.9, compute);
  return out;
}

std::vector<Warning> ending_warnings(const HarmonicFit& fit) {
  if (fit.status == Status::not_finite)
    return {{.kind = Warning::Kind::not_finite,
             .severity = Severity::error,
             .message = "its objective became non-finite",
             .remedy = Remedy::smaller_step_size}};
  if (fit.status == Status::stopped_by_callback)
    return {{.kind = Warning::Kind::stopped,
             .severity = Severity::error,
             .message = "it was stopped after " + counted(fit.steps, "step")}};
  return {};
}

}  // namespace

std::vector<Index> complete_inputs(MatrixIn X) {
  std::vector<Index> out;
  for (Index n = 0; n < X.rows(); ++n)
    if (X.row(n).array().isFinite().all()) out.push_back(n);
  return out;
}

HarmonicPrediction predict_complete(const HarmonicFit& fit, MatrixIn X, const Compute& compute) {
  const std::vector<Index> here = complete_inputs(X);
  if (static_cast<Index>(here.size()) == X.rows()) return predict(fit, X, compute);
  HarmonicPrediction p = predict(fit, X(here, Eigen::all), compute);
  for (Matrix* A : {&p.f.mean, &p.f.variance, &p.y.mean, &p.y.variance, &p.probabilities})
    *A = spread(*A, here, X.rows());
  return p;
}

Matrix class_probabilities(const HarmonicFit& fit, const HarmonicPrediction& p) {
  if (p.probabilities.cols() == static_cast<Index>(fit.classes.size())) return p.probabilities;
  Matrix both(p.probabilities.rows(), 2);
  both.col(0) = 1 - p.probabilities.col(0).array();
  both.col(1) = p.probabilities.col(0);
  return both;
}

OutcomeKind outcome_kind(const HarmonicFit& fit) {
  if (!fit.classes.empty()) return OutcomeKind::label;
  if (is_count(fit.gp.likelihood)) return OutcomeKind::count;
  return std::holds_alternative<StudentT>(fit.gp.likelihood) ? OutcomeKind::heavy_tail
                                                             : OutcomeKind::gaussian;
}

void add_scores(const HarmonicFit& fit, MatrixIn X, MatrixIn truth, const HarmonicPrediction& p,
                std::vector<OutcomeScores>& scores, const Compute& compute) {
  add_scores(row_predictions(fit, X, truth, p, compute), truth, outcome_kind(fit), scores);
}

HarmonicBaselines harmonic_baselines(const RowSource& learned_from, const HarmonicFit& fit) {
  const InputsOf inputs = [&](MatrixIn X) { return fit.inputs.apply(X); };
  const Index D = fit.inputs.scale.size();
  if (fit.classes.empty())
    return {.outcomes = outcome_baselines(learned_from, inputs, D, fit.outputs.centre), .shares = {}};
  const auto K = static_cast<Index>(fit.classes.size());
  return {.outcomes = class_baselines(learned_from, inputs, D, K), .shares = class_shares(learned_from, K)};
}

void add_rows(RowScores& scores, const HarmonicFit& fit, const HarmonicBaselines& baselines, MatrixIn X,
              MatrixIn truth, const HarmonicPrediction& p, const Compute& compute) {
  const RowPredictions rows = row_predictions(fit, X, truth, p, compute);
  const Matrix linear =
      baselines.outcomes.has_linear() ? baselines.outcomes.linear(fit.inputs.apply(X)) : Matrix();
  if (!fit.classes.empty()) return scores.add_labels(rows, truth, baselines.shares, linear);
  scores.add_numbers(rows, truth, outcome_kind(fit), baselines.outcomes, linear);
}

Verdict harmonic_verdict(const HarmonicFit& fit, const RowScores& scores) {
  return row_verdict(scores, outcome_kind(fit), ending_warnings(fit));
}

HarmonicAssessment assess(const HarmonicFit& fit, const HarmonicBaselines& baselines, MatrixIn X, MatrixIn Y,
                          const Compute& compute) {
  check_size("assess", "rows of Y", Y.rows(), "rows of X", X.rows());
  constexpr Index block = 4096;  // rows
  HarmonicAssessment out;
  for (Index begin = 0; begin < X.rows(); begin += block) {
    const Index n = std::min(block, X.rows() - begin);
    const Matrix x = X.middleRows(begin, n), y = Y.middleRows(begin, n);
    add_rows(out.scores, fit, baselines, x, y, predict_complete(fit, x, compute), compute);
  }
  out.verdict = harmonic_verdict(fit, out.scores);
  return out;
}

}  // namespace bochner
