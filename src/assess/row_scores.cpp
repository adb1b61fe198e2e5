#include "bochner/assess/row_scores.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "bochner/assess/normal_interval.hpp"

namespace bochner {

namespace {

double gaussian_nll(double error, double variance) {
  return 0.5 * (std::log(2 * std::numbers::pi * variance) + error * error / variance);
}
double poisson_nll(double y, double rate) {
  return rate - (y > 0 ? y * std::log(rate) : 0) + boost::math::lgamma(y + 1);
}

}  // namespace

double OutcomeScores::rmse() const { return std::sqrt(squared.mean()); }
double OutcomeScores::rmse_se() const { return rmse() > 0 ? squared.se() / (2 * rmse()) : squared.se(); }

void add_scores(const RowPredictions& p, MatrixIn truth, OutcomeKind kind,
                std::vector<OutcomeScores>& scores) {
  const double z = normal_quantile_of_interval(0.9);
  for (std::size_t i = 0; i < p.complete.size(); ++i)
    for (Index o = 0; o < truth.cols(); ++o) {
      const Index n = p.complete[i];
      const double y = truth(n, o);
      if (std::isnan(y)) continue;
      OutcomeScores& s = scores[static_cast<std::size_t>(o)];
      s.nll.add(-p.log_density(static_cast<Index>(i), o));
      if (kind == OutcomeKind::label) {
        Index likeliest = 0;
        p.probabilities.row(n).maxCoeff(&likeliest);
        s.right.add(static_cast<double>(likeliest) == y);
        continue;
      }
      const double error = y - p.mean(n, o);
      s.squared.add(error * error);
      if (p.covered.size() > 0)
        s.covered.add(p.covered(static_cast<Index>(i), o));
      else if (kind == OutcomeKind::gaussian)
        s.covered.add(std::abs(error) <= z * std::sqrt(p.variance(n, o)));
    }
}

void RowScores::add_labels(const RowPredictions& p, MatrixIn truth, const Vector& class_shares,
                           const Matrix& scores) {
  for (auto* of_all : {&model, &mean, &linear}) of_all->resize(1);
  rows += truth.rows();
  add_scores(p, truth, OutcomeKind::label, model);
  Index frequent = 0;
  class_shares.maxCoeff(&frequent);
  for (std::size_t i = 0; i < p.complete.size(); ++i) {
    const Index n = p.complete[i];
    if (std::isnan(truth(n, 0))) continue;
    const auto k = static_cast<Index>(truth(n, 0));
    mean[0].right.add(k == frequent);
    mean[0].nll.add(-std::log(class_shares(k)));
    Index likeliest = 0;
    p.probabilities.row(n).maxCoeff(&likeliest);
    loss.add(likeliest != k);
    loss_mean.add(frequent != k);
    against_mean.add(double(likeliest != k) - double(frequent != k));
    against_mean_nll.add(-p.log_density(static_cast<Index>(i), 0) + std::log(class_shares(k)));
    if (scores.size() == 0) continue;
    Index by_scores = 0;
    const double top = scores.row(n).maxCoeff(&by_scores);
    const double nll = std::log((scores.row(n).array() - top).exp().sum()) + top - scores(n, k);
    linear[0].right.add(by_scores == k);
    linear[0].nll.add(nll);
    loss_linear.add(by_scores != k);
    against_linear.add(double(likeliest != k) - double(by_scores != k));
    against_linear_nll.add(-p.log_density(static_cast<Index>(i), 0) - nll);
  }
}

void RowScores::add_numbers(const RowPredictions& p, MatrixIn truth, OutcomeKind kind,
                            const OutcomeBaselines& baselines, const Matrix& line) {
  const Index P = truth.cols();
  for (auto* scores : {&model, &mean, &linear}) scores->resize(static_cast<std::size_t>(P));
  rows += truth.rows();
  add_scores(p, truth, kind, model);
  const double z = normal_quantile_of_interval(0.9);
  const bool counts = kind == OutcomeKind::count, has_line = line.size() > 0;
  for (Index n = 0; n < truth.rows(); ++n) {
    double own = 0, by_mean = 0, by_line = 0, measured = 0;
    for (Index o = 0; o < P; ++o) {
      const double y = truth(n, o);
      if (std::isnan(y)) continue;
      const auto score = [&](OutcomeScores& s, double guess, double variance) {
        const double e = y - guess;
        s.squared.add(e * e);
        if (!counts) s.nll.add(gaussian_nll(e, variance));
        if (kind == OutcomeKind::gaussian) s.covered.add(std::abs(e) <= z * std::sqrt(variance));
        return e * e / baselines.variance(o);
      };
      measured += 1;
      own += (y - p.mean(n, o)) * (y - p.mean(n, o)) / baselines.variance(o);
      OutcomeScores& by = mean[static_cast<std::size_t>(o)];
      by_mean += score(by, baselines.mean(o), baselines.variance(o));
      if (counts) by.nll.add(poisson_nll(y, baselines.mean(o)));
      if (has_line)
        by_line += score(linear[static_cast<std::size_t>(o)], line(n, o), baselines.residual_variance(o));
    }
    if (measured == 0) continue;
    loss.add(own / measured);
    loss_mean.add(by_mean / measured);
    against_mean.add((own - by_mean) / measured);
    if (!has_line) continue;
    loss_linear.add(by_line / measured);
    against_linear.add((own - by_line) / measured);
  }
}

NamedScores named_scores(const OutcomeScores& s, const std::string& suffix) {
  NamedScores out;
  const auto put = [&](const std::string& name, double value, double se) {
    out.emplace_back(name + suffix, value);
    out.emplace_back(name + suffix + "_se", se);
  };
  if (s.squared.count() > 0) put("rmse", s.rmse(), s.rmse_se());
  if (s.right.count() > 0) put("accuracy", s.right.mean(), s.right.se());
  if (s.nll.count() > 0) put("nll", s.nll.mean(), s.nll.se());
  if (s.covered.count() > 0) put("coverage90", s.covered.mean(), s.covered.se());
  return out;
}

NamedScores named_scores(const RowScores& s, Index outcome, OutcomeKind kind) {
  const auto o = static_cast<std::size_t>(outcome);
  NamedScores out{{"entries", s.model[o].nll.count()}};
  for (const NamedScores& more :
       {named_scores(s.model[o]), named_scores(s.mean[o], kind == OutcomeKind::label ? "_frequent" : "_mean"),
        named_scores(s.linear[o], "_linear")})
    out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace bochner
