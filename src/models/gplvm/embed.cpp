#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "row_groups.hpp"
#include "sample_bound.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner {
namespace {

// Latents whose bound is looked at to choose the starts: with many columns the posterior of a sample is narrow, and a better
// candidate is worth more than another start. Fewer for wide tables, whose predictions at the candidates are kept.
constexpr Index most_candidates = 1000, least_candidates = 200;
constexpr double most_predictions = 2e7;

constexpr Index samples_at_once = 64;  // of which products are made together
constexpr int most_rounds = 40;        // evaluations of the bound from one start
constexpr int most_shortenings = 5;    // of a step that does not improve it
constexpr double enough = 1e-4;        // nats that one more step would gain
constexpr double longest_step = 1;     // of the mean, against the standard deviation of the prior
constexpr double far_share =
    0.3;  // of the spread of the latents: how far a second start is from the first ...
constexpr double most_deficit = 50;  // ... and how many nats it may be behind

/// A view at the candidates.
struct CandidateView {
  Matrix K;        // candidates x m
  Matrix squares;  // candidates x p, phi o phi
  Matrix F2;       // candidates x M, (E f)^2
  Vector prior;    // candidates, k(x, x)

  CandidateView(const EmbedView& fixed, const Matrix& at, const Compute& compute)
      : K(gram(fixed.view.kernel, at, fixed.view.Z, compute)),
        squares(multiply<double>(K, fixed.view.G, compute).cwiseAbs2()),
        F2(multiply<double>(K, fixed.alpha, compute).cwiseAbs2()),
        prior(diagonal(fixed.view.kernel, at)) {}
};

/// The bound at the candidates, latents without uncertainty and up to a constant of the sample: samples x candidates.
Matrix candidate_bounds(const std::vector<Sample>& samples, const std::vector<CandidateView>& views,
                        const Matrix& at) {
  const Index rows = padded_rows(Index(samples.size()));
  Matrix out = (-0.5 * at.rowwise().squaredNorm()).transpose().replicate(rows, 1);
  for (std::size_t v = 0; v < views.size(); ++v) {
    const CandidateView& view = views[v];
    Matrix A = Matrix::Zero(rows, view.K.cols()), measured = Matrix::Zero(rows, view.F2.cols()),
           D = Matrix::Zero(rows, view.squares.cols());
    Vector prior = Vector::Zero(rows);
    for (std::size_t n = 0; n < samples.size(); ++n) {
      if (!samples[n][v]) continue;
      const auto i = Index(n);
      A.row(i) = samples[n][v]->a.transpose();
      measured.row(i) = samples[n][v]->measured.transpose();
      D.row(i) = samples[n][v]->d.transpose();
      prior(i) = samples[n][v]->prior;
    }
    out.noalias() += A * view.K.transpose();
    out.noalias() -= 0.5 * measured * view.F2.transpose();
    out.noalias() += 0.5 * D * view.squares.transpose();
    out.noalias() -= 0.5 * prior * view.prior.transpose();
  }
  return out;
}

/// The best candidate, and the best of those far from it unless it is much worse.
std::vector<Index> choose_starts(const Eigen::Ref<const Eigen::RowVectorXd>& bound, const Matrix& at,
                                 double far) {
  Index first = 0, second = -1;
  bound.maxCoeff(&first);
  for (Index c = 0; c < at.rows(); ++c)
    if ((second < 0 || bound(c) > bound(second)) && (at.row(c) - at.row(first)).norm() > far) second = c;
  if (second < 0 || bound(second) < bound(first) - most_deficit) return {first};
  return {first, second};
}

/// Newton's method in the mean, and in the sd the fixed point sd^2 = 1 / (1 - L''), where L'' sd^2 is the slope of the
/// expected log likelihood in log sd. Both are ascent directions; a step that does not improve the bound is shortened.
class Climb {
 public:
  Climb(const Sample& sample, Vector start) {
    trial.sample = &sample;
    trial.theta = std::move(start);
  }

  BoundPoint trial;  // to be evaluated
  bool done = false;
  double value = -std::numeric_limits<double>::infinity();
  Vector theta;  // the best so far

  /// Takes the evaluated trial into account, and makes the next one.
  void advance() {
    if (++rounds_ >= most_rounds) done = true;
    if (trial.value > value) {
      value = trial.value;
      theta = trial.theta;
      make_step();
      shortenings_ = 0;
      if (gain_ < enough) {  // of second order in a step so short
        theta += step_;
        value += 0.5 * gain_;
        done = true;
      }
    } else {
      if (theta.size() == 0) theta = trial.theta;  // not even finite at the start
      step_ *= 0.25;
      if (step_.size() == 0 || ++shortenings_ > most_shortenings) done = true;
    }
    if (!done) trial.theta = theta + step_;
  }

 private:
  void make_step() {
    const Index Q = trial.hessian.rows();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> e(-Eigen::MatrixXd(trial.hessian));
    const Eigen::VectorXd curvature = e.eigenvalues().cwiseAbs().cwiseMax(1.0);  // the prior has 1
    step_.resize(2 * Q);
    step_.head(Q) =
        e.eigenvectors() * (e.eigenvectors().transpose() * trial.grad.head(Q)).cwiseQuotient(curvature);
    const double length = step_.head(Q).norm();
    if (length > longest_step) step_.head(Q) *= longest_step / length;
    for (Index q = 0; q < Q; ++q) {
      const double log_sd = theta(Q + q), variance = std::exp(2 * log_sd);
      const double precision = (1 - trial.grad(Q + q)) / variance;  // 1 - L''
      step_(Q + q) = std::clamp(-0.5 * std::log(std::max(precision, 0.1)) - log_sd, -1.0, 1.0);
    }
    gain_ = step_.dot(trial.grad);
  }

  Vector step_;
  double gain_ = 0;
  int rounds_ = 0, shortenings_ = 0;
};

}  // namespace

LatentPosterior embed(const GplvmFit& fit, const Dataset& data, const Compute& compute) {
  const Index N = data.rows(), Q = fit.dims();
  // Training latents at even distances in the order of the samples stand for all of them.
  double columns = 0;
  for (const View& view : data.views()) columns += double(view.cols());
  const Index few = std::clamp(Index(most_predictions / columns), least_candidates, most_candidates),
              count = std::min(few, fit.latent.mean.rows());
  Matrix at(count, Q);
  for (Index c = 0; c < count; ++c) at.row(c) = fit.latent.mean.row(c * fit.latent.mean.rows() / count);
  const double far =
      far_share * std::sqrt((at.rowwise() - at.colwise().mean()).squaredNorm() / double(count));
  const Vector usual_log_sd = fit.latent.sd.array().log().matrix().colwise().mean().transpose();

  std::vector<EmbedView> fixed;
  std::vector<CandidateView> from;
  std::vector<Matrix> tables;
  for (const View& view : data.views()) {
    const GplvmView& known = fit.view(view.name);
    tables.push_back(known.scaling.apply(select_columns(view, known.columns).Y));
    fixed.emplace_back(known, compute);
    from.emplace_back(fixed.back(), at, compute);
  }

  LatentPosterior out{Matrix::Zero(N, Q), Matrix::Ones(N, Q)};
  const Matrix xi = sigma_points(Q);
  for_each_block(compute, N, samples_at_once, [&](Index begin, Index size) {
    std::vector<Matrix> rows;
    for (const Matrix& table : tables) rows.push_back(table.middleRows(begin, size));
    const std::vector<Sample> samples = look_at(fixed, rows);
    const Matrix bounds = candidate_bounds(samples, from, at);
    std::vector<Climb> climbs;
    std::vector<Index> of;  // the sample of each
    for (Index n = 0; n < size; ++n) {
      const Sample& sample = samples[static_cast<std::size_t>(n)];
      if (std::none_of(sample.begin(), sample.end(), [](const auto& view) { return view.has_value(); }))
        continue;  // the prior
      for (const Index c : choose_starts(bounds.row(n), at, far)) {
        Vector theta(2 * Q);
        theta << at.row(c).transpose(), usual_log_sd;
        climbs.emplace_back(sample, std::move(theta));
        of.push_back(n);
      }
    }
    for (;;) {
      std::vector<BoundPoint*> points;
      for (Climb& climb : climbs)
        if (!climb.done) points.push_back(&climb.trial);
      if (points.empty()) break;
      evaluate_bounds(points, xi);
      for (Climb& climb : climbs)
        if (!climb.done) climb.advance();
    }
    std::vector<double> best(static_cast<std::size_t>(size), -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < climbs.size(); ++i) {
      double& value = best[static_cast<std::size_t>(of[i])];
      if (!(climbs[i].value > value)) continue;
      value = climbs[i].value;
      out.mean.row(begin + of[i]) = climbs[i].theta.head(Q).transpose();
      out.sd.row(begin + of[i]) = climbs[i].theta.tail(Q).array().exp().matrix().transpose();
    }
  });
  return out;
}

}  // namespace bochner
