#include "scores.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "bochner/core/messages.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "cli/frame/aligned.hpp"
#include "prediction_file.hpp"

namespace bochner::cli {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index block_rows = 4096;
constexpr Index most_linear = 4000;  // inputs; their covariance is kept

bool counts(const HarmonicFit& fit) { return std::holds_alternative<Poisson>(fit.gp.likelihood); }

double gaussian_nll(double error, double variance) {
  return 0.5 * (std::log(2 * std::numbers::pi * variance) + error * error / variance);
}
double poisson_nll(double y, double rate) {
  return rate - (y > 0 ? y * std::log(rate) : 0) + boost::math::lgamma(y + 1);
}

/// Sums over rows, about a fixed point.
struct Sums {
  double n = 0;
  Vector z;   // D
  Matrix zz;  // D x D

  void add(const Matrix& Z) {
    if (Z.rows() == 0) return;
    if (zz.size() == 0) z = Vector::Zero(Z.cols()), zz = Matrix::Zero(Z.cols(), Z.cols());
    n += static_cast<double>(Z.rows());
    z += Z.colwise().sum().transpose();
    zz.noalias() += Z.transpose() * Z;
  }
};

std::string times(double a, double b) { return fmt::format("{:.2f} times", std::sqrt(a / b)); }

}  // namespace

void MeanSe::add(double value) {
  const double d = value - mean_;
  sum_ += value;
  mean_ += d / ++count_;
  squares_ += d * (value - mean_);
}
double MeanSe::mean() const { return count_ > 0 ? sum_ / count_ : nan; }
double MeanSe::se() const { return count_ > 1 ? std::sqrt(squares_ / (count_ - 1) / count_) : nan; }

double OutcomeScores::rmse() const { return std::sqrt(squared.mean()); }
double OutcomeScores::rmse_se() const { return rmse() > 0 ? squared.se() / (2 * rmse()) : squared.se(); }

void OutcomeScores::put(Json& json, const std::string& suffix) const {
  const auto put = [&](const std::string& name, double value, double se) {
    json[name + suffix] = value;
    json[name + suffix + "_se"] = se;
  };
  if (squared.count() > 0) put("rmse", rmse(), rmse_se());
  if (right.count() > 0) put("accuracy", right.mean(), right.se());
  if (nll.count() > 0) put("nll", nll.mean(), nll.se());
  if (covered.count() > 0) put("coverage90", covered.mean(), covered.se());
}

void add_scores(const HarmonicFit& fit, MatrixIn X, MatrixIn truth, const HarmonicPrediction& p,
                std::vector<OutcomeScores>& scores, const Threads& threads) {
  const std::vector<Index> here = complete_inputs(X);
  const Matrix logs = log_density(fit, X(here, Eigen::all), truth(here, Eigen::all), threads);
  const Matrix probabilities = fit.classes.empty() ? Matrix() : class_probabilities(fit, p);
  const double z = normal_quantile_of_interval(0.9);
  for (std::size_t i = 0; i < here.size(); ++i)
    for (Index o = 0; o < truth.cols(); ++o) {
      const Index n = here[i];
      const double y = truth(n, o);
      if (std::isnan(y)) continue;
      OutcomeScores& s = scores[static_cast<std::size_t>(o)];
      s.nll.add(-logs(static_cast<Index>(i), o));
      if (!fit.classes.empty()) {
        Index likeliest = 0;
        probabilities.row(n).maxCoeff(&likeliest);
        s.right.add(static_cast<double>(likeliest) == y);
        continue;
      }
      const double error = y - p.y.mean(n, o);
      s.squared.add(error * error);
      if (has_intervals(fit)) s.covered.add(std::abs(error) <= z * std::sqrt(p.y.variance(n, o)));
    }
}

// ---- Baselines

Baselines::Baselines(const RowSource& rows, const HarmonicFit& fit) : fit_(fit) {
  const Index P = rows.outcomes, D = fit.inputs.scale.size();
  if (!fit.classes.empty()) {
    shares_ = Vector::Ones(static_cast<Index>(fit.classes.size()));
  }
  const bool linear = fit.classes.empty() && D <= most_linear;
  Sums all;
  std::vector<Sums> absent(static_cast<std::size_t>(P));  // rows where an outcome is not measured
  Vector n = Vector::Zero(P), y1 = n, y2 = n;
  Matrix zy = Matrix::Zero(linear ? D : 0, P);
  Vector about;  // the first rows, so that large offsets do not cancel
  for (Index begin = 0; begin < rows.rows; begin += block_rows) {
    Matrix X(std::min(block_rows, rows.rows - begin), rows.inputs), Y(X.rows(), P);
    rows.read(begin, X, Y);
    if (!fit.classes.empty()) {
      for (Index i = 0; i < Y.rows(); ++i)
        if (!std::isnan(Y(i, 0))) shares_(static_cast<Index>(Y(i, 0))) += 1;
      continue;
    }
    Y.rowwise() -= fit.outputs.centre.transpose();
    Matrix Z;
    if (linear) {
      Z = fit.inputs.apply(X);
      if (begin == 0) about = Z.colwise().mean();
      Z.rowwise() -= about.transpose();
      all.add(Z);
    }
    for (Index o = 0; o < P; ++o) {
      std::vector<Index> holes;
      for (Index i = 0; i < Y.rows(); ++i)
        if (std::isnan(Y(i, o))) holes.push_back(i), Y(i, o) = 0;
      n(o) += static_cast<double>(Y.rows() - static_cast<Index>(holes.size()));
      y1(o) += Y.col(o).sum();
      y2(o) += Y.col(o).squaredNorm();
      if (linear) absent[static_cast<std::size_t>(o)].add(Z(holes, Eigen::all));
    }
    if (linear) zy.noalias() += Z.transpose() * Y;
  }
  if (!fit.classes.empty()) {
    shares_ /= shares_.sum();
    return;
  }
  mean_ = y1.cwiseQuotient(n);
  variance_ = y2.cwiseQuotient(n) - mean_.cwiseAbs2();
  // A constant is counted in its own units.
  for (Index o = 0; o < P; ++o)
    if (!(variance_(o) > 1e-24 * y2(o) / n(o))) variance_(o) = 1;
  if (linear) {
    weights_.resize(D, P);
    intercept_.resize(P);
    residual_.resize(P);
    for (Index o = 0; o < P; ++o) {
      const Sums& no = absent[static_cast<std::size_t>(o)];
      Matrix C = all.zz;
      Vector z = all.z;
      if (no.n > 0) C -= no.zz, z -= no.z;
      z /= n(o);
      C = C / n(o) - z * z.transpose();
      const Vector c = zy.col(o) / n(o) - z * mean_(o);
      const Vector d = (C.diagonal().array() > 1e-20).select(C.diagonal().array().max(0).sqrt(), 1).matrix();
      // In units of the standard deviations, with a ridge that columns which repeat each other need.
      constexpr double ridge = 1e-3;
      Matrix R = d.cwiseInverse().asDiagonal() * C * d.cwiseInverse().asDiagonal();
      R.diagonal().array() += ridge;
      const Vector w = R.llt().solve(c.cwiseQuotient(d)).cwiseQuotient(d);
      weights_.col(o) = w;
      intercept_(o) = mean_(o) - w.dot(z + about) + fit.outputs.centre(o);
      residual_(o) = std::max(variance_(o) - 2 * w.dot(c) + w.dot(C * w), 1e-12 * variance_(o));
    }
  }
  mean_ += fit.outputs.centre;
}

Matrix Baselines::linear(MatrixIn X) const {
  return (fit_.inputs.apply(X) * weights_).rowwise() + intercept_.transpose();
}

// ---- Held-out rows

void HeldOut::add(const HarmonicFit& fit, const Baselines& baselines, MatrixIn X, MatrixIn truth,
                  const HarmonicPrediction& p, const Threads& threads) {
  const Index P = truth.cols();
  for (auto* scores : {&model, &mean, &linear}) scores->resize(static_cast<std::size_t>(P));
  rows += truth.rows();
  add_scores(fit, X, truth, p, model, threads);
  if (!fit.classes.empty()) {
    Index frequent = 0;
    baselines.shares().maxCoeff(&frequent);
    const Matrix probabilities = class_probabilities(fit, p);
    for (Index n = 0; n < truth.rows(); ++n) {
      if (std::isnan(truth(n, 0))) continue;
      const auto k = static_cast<Index>(truth(n, 0));
      mean[0].right.add(k == frequent);
      mean[0].nll.add(-std::log(baselines.shares()(k)));
      Index likeliest = 0;
      probabilities.row(n).maxCoeff(&likeliest);
      loss.add(likeliest != k);
      loss_mean.add(frequent != k);
      against_mean.add(double(likeliest != k) - double(frequent != k));
    }
    return;
  }
  const double z = normal_quantile_of_interval(0.9);
  const Matrix line = baselines.linear() ? baselines.linear(X) : Matrix();
  for (Index n = 0; n < truth.rows(); ++n) {
    double own = 0, by_mean = 0, by_line = 0, measured = 0;
    for (Index o = 0; o < P; ++o) {
      const double y = truth(n, o);
      if (std::isnan(y)) continue;
      const auto score = [&](OutcomeScores& s, double guess, double variance) {
        const double e = y - guess;
        s.squared.add(e * e);
        if (!counts(fit)) s.nll.add(gaussian_nll(e, variance));
        if (has_intervals(fit)) s.covered.add(std::abs(e) <= z * std::sqrt(variance));
        return e * e / baselines.variance()(o);
      };
      measured += 1;
      own += (y - p.y.mean(n, o)) * (y - p.y.mean(n, o)) / baselines.variance()(o);
      OutcomeScores& by = mean[static_cast<std::size_t>(o)];
      by_mean += score(by, baselines.mean()(o), baselines.variance()(o));
      if (counts(fit)) by.nll.add(poisson_nll(y, baselines.mean()(o)));
      if (baselines.linear())
        by_line += score(linear[static_cast<std::size_t>(o)], line(n, o), baselines.residual_variance()(o));
    }
    if (measured == 0) continue;
    loss.add(own / measured);
    loss_mean.add(by_mean / measured);
    against_mean.add((own - by_mean) / measured);
    if (!baselines.linear()) continue;
    loss_linear.add(by_line / measured);
    against_linear.add((own - by_line) / measured);
  }
}

Json HeldOut::json(const HarmonicFit& fit) const {
  Json out = Json::object();
  for (std::size_t o = 0; o < model.size(); ++o) {
    Json& scores = out[fit.outcomes[o]];
    scores["entries"] = static_cast<Index>(model[o].nll.count());
    model[o].put(scores);
    mean[o].put(scores, fit.classes.empty() ? "_mean" : "_frequent");
    linear[o].put(scores, "_linear");
  }
  return out;
}

namespace {

/// Why a fit that is not clearly better than a constant is not to be trusted.
std::string why_not(const MeanSe& loss, const MeanSe& constant) {
  if (loss.mean() >= constant.mean()) return ", so the inputs told it nothing";
  return fmt::format(", which may be chance with {}; hold out more with --test",
                     counted(static_cast<long long>(loss.count()), "held-out row"));
}

}  // namespace

Verdict judge(const HarmonicFit& fit, const HeldOut& s) {
  if (fit.status == Status::not_finite)
    return {
        "doubtful",
        "do not trust this fit: its bound left the finite numbers; look for extreme values, or try a smaller "
        "--step-size."};
  if (fit.status == Status::stopped_by_callback)
    return {"doubtful",
            fmt::format("do not trust this fit: it was stopped after {}.", counted(fit.steps, "step"))};
  if (!(s.loss.count() > 1))
    return {"unjudged",
            "nothing speaks against this fit, but nothing was held out to judge its predictions by."};
  if (s.loss_mean.mean() == 0)
    return {"doubtful",
            fmt::format("do not trust this fit: the {} of held-out rows does not vary, so they tell nothing.",
                        fit.classes.empty() ? "outcome" : "class")};
  const auto better = [](const MeanSe& difference) { return difference.mean() < -2 * difference.se(); };
  if (!fit.classes.empty()) {
    const std::string found = fmt::format(
        "of held-out rows it finds the class of {} +- {}, the most frequent class is right for {}",
        percent(1 - s.loss.mean()), percent(s.loss.se()), percent(1 - s.loss_mean.mean()));
    if (better(s.against_mean)) return {"good", "trust this fit: " + found + "."};
    return {"doubtful", "do not trust this fit: " + found + why_not(s.loss, s.loss_mean) + "."};
  }
  if (!better(s.against_mean))
    return {"doubtful",
            fmt::format("do not trust this fit: its error on held-out rows is {} that of the mean of "
                        "the outcome{}.",
                        times(s.loss.mean(), s.loss_mean.mean()), why_not(s.loss, s.loss_mean))};
  std::string intervals;
  double covered = 0, entries = 0;
  for (const OutcomeScores& o : s.model)
    if (o.covered.count() > 0) covered += o.covered.count() * o.covered.mean(), entries += o.covered.count();
  bool honest = true;
  if (entries > 0) {
    const double share = covered / entries, se = std::sqrt(0.09 / entries);
    honest = std::abs(share - 0.9) <= std::max(0.05, 3 * se);
    intervals = fmt::format(" 90 % intervals hold {} of them.", percent(share));
  }
  const std::string error = fmt::format("its error on held-out rows is {} that of the mean",
                                        times(s.loss.mean(), s.loss_mean.mean()));
  if (s.loss_linear.count() > 0 && !better(s.against_linear))
    return {"linear",
            fmt::format("linear regression does as well: {}, and {} that of linear regression. Use that, "
                        "or try other inputs.{}",
                        error, times(s.loss.mean(), s.loss_linear.mean()), intervals)};
  const std::string and_linear =
      s.loss_linear.count() > 0
          ? fmt::format(" and {} that of linear regression", times(s.loss.mean(), s.loss_linear.mean()))
          : "";
  if (!honest)
    return {"doubtful",
            fmt::format("trust its means, not its intervals: {}{}, but{}", error, and_linear, intervals)};
  return {"good", fmt::format("trust this fit: {}{}.{}", error, and_linear, intervals)};
}

std::string scores_text(const HarmonicFit& fit, const HeldOut& s) {
  if (s.model.empty()) return "";
  constexpr std::size_t most = 12;  // more would bury the verdict; metrics.json has them all
  const auto with_se = [](double value, double se) {
    return fmt::format("{} +- {}", short_number(value), short_number(se));
  };
  std::vector<std::vector<std::string>> rows;
  if (!fit.classes.empty()) {
    const OutcomeScores &m = s.model[0], &f = s.mean[0];
    rows = {
        {"held-out rows", "accuracy", "nll"},
        {"  this", with_se(m.right.mean(), m.right.se()), with_se(m.nll.mean(), m.nll.se())},
        {"  most frequent class", with_se(f.right.mean(), f.right.se()), with_se(f.nll.mean(), f.nll.se())}};
    return aligned(rows, false);
  }
  rows.push_back(
      {"held-out entries", "number", "rmse", "of the mean", "of a line", "nll", "in 90 % intervals"});
  for (std::size_t o = 0; o < std::min(most, s.model.size()); ++o) {
    const OutcomeScores& m = s.model[o];
    rows.push_back({"  " + printable(fit.outcomes[o], 30), fmt::format("{}", m.nll.count()),
                    with_se(m.rmse(), m.rmse_se()), short_number(s.mean[o].rmse()),
                    short_number(s.linear[o].rmse()), with_se(m.nll.mean(), m.nll.se()),
                    percent(m.covered.mean())});
  }
  std::string out = aligned(rows, false);
  if (s.model.size() > most)
    out += fmt::format("  and {} more outcomes in metrics.json\n", s.model.size() - most);
  return out;
}

}  // namespace bochner::cli
