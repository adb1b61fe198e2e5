#include "bochner/assess/row_scores.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"

namespace bochner::row_scores_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
Matrix same(MatrixIn X) { return X; }

/// y1 = 2 x1 - x2 + 100 + noise, y2 = -x2; some entries missing.
struct Rows {
  Matrix X = Rng(1).normal(5000, 2), Y = Matrix(5000, 2);
  Rows() {
    Y.col(0) = 2 * X.col(0) - X.col(1) + 0.5 * Rng(2).normal(5000, 1);
    Y.col(0).array() += 100;
    Y.col(1) = -X.col(1);
    for (Index n = 0; n < 5000; n += 7) Y(n, 0) = nan;
  }
};

TEST(RowBaselines, RidgeIsThatOfTheNormalEquations) {
  const Rows r;
  const OutcomeBaselines b = outcome_baselines(memory_rows(r.X, r.Y), same, 2, Vector{{90, 0}});
  std::vector<Index> here;
  for (Index n = 0; n < 5000; ++n)
    if (!std::isnan(r.Y(n, 0))) here.push_back(n);
  // By hand, in one piece, with the rows that have the outcome.
  Matrix Z = r.X(here, Eigen::all);
  const Vector y = r.Y(here, 0), z_mean = Z.colwise().mean();
  Z.rowwise() -= z_mean.transpose();
  const Vector sd = (Z.colwise().squaredNorm() / double(here.size())).cwiseSqrt();
  Matrix S = Z * sd.cwiseInverse().asDiagonal();
  Matrix R = S.transpose() * S / double(here.size());
  R.diagonal().array() += 1e-3;
  const Vector yc = y.array() - y.mean();
  const Vector w = R.llt().solve(S.transpose() * yc / double(here.size())).cwiseQuotient(sd);
  EXPECT_NEAR(b.mean(0), y.mean(), 1e-9);
  EXPECT_NEAR(b.variance(0), yc.squaredNorm() / double(here.size()), 1e-8);
  EXPECT_LT((b.weights.col(0) - w).cwiseAbs().maxCoeff(), 1e-9);
  const Matrix line = b.linear(r.X);
  EXPECT_NEAR(line(3, 0), y.mean() + w.dot(r.X.row(3).transpose() - z_mean), 1e-8);
  const Vector left = yc - Z * w;
  EXPECT_NEAR(b.residual_variance(0), left.squaredNorm() / double(here.size()), 1e-8);
  EXPECT_NEAR(b.weights(1, 1), -1, 2e-3);
  // More inputs than a covariance is kept for: the mean alone.
  EXPECT_FALSE(outcome_baselines(memory_rows(r.X, r.Y), same, 5000, Vector::Zero(2)).has_linear());
}

TEST(RowBaselines, ClassesCountOnceMore) {
  const Matrix Y = Vector{{0, 1, 1, nan, 1, 0}};
  const Vector shares = class_shares(memory_rows(Matrix::Zero(6, 1), Y), 3);
  EXPECT_NEAR((shares - Vector{{3 / 8.0, 4 / 8.0, 1 / 8.0}}).norm(), 0, 1e-15);
}

RowPredictions numbers(const Matrix& mean, double variance) {
  RowPredictions p{.complete = {},
                   .mean = mean,
                   .variance = Matrix::Constant(mean.rows(), mean.cols(), variance),
                   .probabilities = {},
                   .log_density = Matrix::Constant(mean.rows(), mean.cols(), -1.5)};
  for (Index n = 0; n < mean.rows(); ++n) p.complete.push_back(n);
  return p;
}

/// Predictions of the second half, which differ from the truth by `noise` times a normal number.
RowScores scored(double slope, double noise, double variance, const Rows& r = {}) {
  const Matrix X = r.X.bottomRows(400), Y = r.Y.bottomRows(400);
  const OutcomeBaselines b =
      outcome_baselines(memory_rows(r.X.topRows(400), r.Y.topRows(400)), same, 2, Vector::Zero(2));
  Matrix mean(400, 2);
  mean.col(0) = slope * (2 * X.col(0) - X.col(1));
  mean.col(0).array() += 100;
  mean.col(1) = -slope * X.col(1);
  mean += noise * Rng(9).normal(400, 2);
  RowScores s;
  s.add_numbers(numbers(mean, variance), Y, OutcomeKind::gaussian, b, b.linear(X));
  return s;
}

TEST(RowScores, OfNumbersByHand) {
  const Rows r;
  const RowScores s = scored(1, 0, 0.25, r);
  EXPECT_EQ(s.rows, 400);
  double squares = 0, count = 0, inside = 0;
  for (Index n = 4600; n < 5000; ++n) {
    if (std::isnan(r.Y(n, 0))) continue;
    const double e = r.Y(n, 0) - 100 - 2 * r.X(n, 0) + r.X(n, 1);
    squares += e * e;
    inside += std::abs(e) <= 1.6448536269514722 * 0.5;
    ++count;
  }
  EXPECT_EQ(s.model[0].squared.count(), count);
  EXPECT_NEAR(s.model[0].rmse(), std::sqrt(squares / count), 1e-12);
  EXPECT_NEAR(s.model[0].covered.mean(), inside / count, 1e-12);
  EXPECT_NEAR(s.model[0].nll.mean(), 1.5, 1e-12);
  EXPECT_EQ(s.model[1].squared.count(), 400);
  EXPECT_LT(s.loss.mean(), 0.1 * s.loss_mean.mean());
}

TEST(RowVerdict, OfNumbers) {
  const auto verdict = [](const RowScores& s) { return row_verdict(s, OutcomeKind::gaussian, {}); };
  // Without noise in the second outcome the line is exact there up to the ridge, and cannot be beaten on the first.
  EXPECT_EQ(verdict(scored(1, 0.05, 0.25)).kind, VerdictKind::linear);
  const Verdict none = verdict(scored(0, 0, 1));
  EXPECT_EQ(none.kind, VerdictKind::doubtful);
  EXPECT_NE(none.message().find("the inputs told it nothing"), std::string::npos) << none.message();
  EXPECT_EQ(none.warnings.at(0).remedy, Remedy::none);
  // Much better than the mean, or than a line, but in too few rows.
  const auto some = [](double mean_error, double line_error) {
    RowScores s;
    s.loss_mean = s.loss = s.loss_linear = s.against_mean = s.against_linear = {};
    for (int i = 0; i < 8; ++i) {
      const double heavy = i == 0 ? 6 : 0.2, own = 0.1 * heavy;
      s.loss.add(own);
      s.loss_mean.add(mean_error * heavy);
      s.against_mean.add(own - mean_error * heavy);
      s.loss_linear.add(line_error * heavy);
      s.against_linear.add(own - line_error * heavy);
    }
    s.model.resize(1);
    return s;
  };
  const Verdict few = verdict(some(0.4, 0.2));
  EXPECT_EQ(few.kind, VerdictKind::doubtful);
  EXPECT_TRUE(
      few.message().starts_with("too few held-out rows to tell: its error on held-out rows is 0.50 times"))
      << few.message();
  EXPECT_EQ(verdict({}).kind, VerdictKind::unjudged);
  EXPECT_EQ(verdict({}).remedy, Remedy::hold_out_rows);
  const Warning stopped{
      .kind = Warning::Kind::stopped, .severity = Severity::error, .message = "it was stopped"};
  EXPECT_EQ(row_verdict(scored(1, 0, 0.25), OutcomeKind::gaussian, {stopped}).message(),
            "do not trust this fit: it was stopped.");
}

/// Rows whose outcome is a parabola, which no line can follow.
RowScores parabola(double variance, Index rows = 300) {
  const Matrix X = Rng(3).normal(rows, 1);
  const Matrix truth = X.array().square().matrix(), noisy = truth + 0.1 * Rng(4).normal(rows, 1);
  const OutcomeBaselines b = outcome_baselines(memory_rows(X, noisy), same, 1, Vector::Zero(1));
  RowScores s;
  s.add_numbers(numbers(truth, variance), noisy, OutcomeKind::gaussian, b, b.linear(X));
  return s;
}

TEST(RowVerdict, GoodIsBetterThanALineWithHonestIntervals) {
  const Verdict good = row_verdict(parabola(0.01), OutcomeKind::gaussian, {});
  EXPECT_EQ(good.kind, VerdictKind::good);
  for (const char* part :
       {"trust this fit: its error on held-out rows is 0.", "that of linear regression. Its 90 % "})
    EXPECT_NE(good.message().find(part), std::string::npos) << good.message();
  const Verdict narrow = row_verdict(parabola(0.001), OutcomeKind::gaussian, {});
  EXPECT_EQ(narrow.kind, VerdictKind::doubtful);
  EXPECT_TRUE(narrow.message().starts_with("trust its means, not its intervals: ")) << narrow.message();
  EXPECT_FALSE(narrow.not_converged());
}

TEST(RowVerdict, OfClasses) {
  const Index N = 60;
  Matrix truth(N, 1), sure(N, 2);
  for (Index n = 0; n < N; ++n) {
    truth(n, 0) = double(n % 3 == 0);
    sure.row(n) << 1 - truth(n, 0), truth(n, 0);
  }
  RowPredictions p = numbers(truth, 1);
  p.probabilities = sure;
  p.log_density = Matrix::Zero(N, 1);
  RowScores s;
  s.add_labels(p, truth, Vector{{0.6, 0.4}}, {});
  const Verdict good = row_verdict(s, OutcomeKind::label, {});
  EXPECT_EQ(good.message(),
            "trust this fit: it classifies 100.0 % +- 2.2 % of held-out rows correctly, the most frequent "
            "class 66.7 %.");
  // Two rows better than the most frequent class may be chance.
  p.probabilities.col(0).setOnes();
  p.probabilities.col(1).setZero();
  for (Index n = 0; n < 6; n += 3) p.probabilities.row(n) << 0, 1;
  p.log_density.setConstant(std::log(0.4));
  RowScores few;
  few.add_labels(p, truth, Vector{{0.6, 0.4}}, {});
  const Verdict chance = row_verdict(few, OutcomeKind::label, {});
  EXPECT_EQ(chance.kind, VerdictKind::doubtful);
  EXPECT_TRUE(chance.message().starts_with("too few held-out rows to tell: it classifies 70.0 %"))
      << chance.message();
  // Of a rare class probabilities may say much though none is above a half.
  for (Index n = 0; n < N; ++n) p.log_density(n, 0) = std::log(truth(n, 0) == 1 ? 0.45 : 0.95);
  p.probabilities.col(0).setConstant(0.55);
  p.probabilities.col(1).setConstant(0.45);
  RowScores rare;
  rare.add_labels(p, truth, Vector{{0.65, 0.35}}, {});
  const Verdict surer = row_verdict(rare, OutcomeKind::label, {});
  EXPECT_EQ(surer.kind, VerdictKind::good) << surer.message();
  EXPECT_NE(surer.message().find("its probabilities are better by 0.3"), std::string::npos)
      << surer.message();
  EXPECT_EQ(chance.warnings.at(0).remedy, Remedy::more_held_out_rows);
  RowScores constant;
  constant.add_labels(p, Matrix::Zero(N, 1), Vector{{0.6, 0.4}}, {});
  EXPECT_NE(row_verdict(constant, OutcomeKind::label, {})
                .message()
                .find("the class of held-out rows does not vary"),
            std::string::npos);
}

// Classes on both sides of a line: logistic regression knows as much. Of a circle it does not.
TEST(RowVerdict, OfClassesAgainstLogisticRegression) {
  const Index N = 400;
  for (const bool circle : {false, true}) {
    const Matrix X = Rng(5).normal(N, 2);
    Matrix truth(N, 1);
    for (Index n = 0; n < N; ++n)
      truth(n, 0) = circle ? double(X.row(n).squaredNorm() > 1.4) : double(X(n, 0) + 0.5 * X(n, 1) > 0);
    const OutcomeBaselines b = class_baselines(memory_rows(X, truth), same, 2, 2);
    ASSERT_TRUE(b.has_linear());
    const Matrix scores = b.linear(X);
    RowPredictions p = numbers(truth, 1);
    p.probabilities.resize(N, 2);  // 95 % right, and as sure
    p.log_density.resize(N, 1);
    for (Index n = 0; n < N; ++n) {
      const double right = n % 20 == 0 ? 0.05 : 0.95, of_one = truth(n, 0) == 1 ? right : 1 - right;
      p.probabilities.row(n) << 1 - of_one, of_one;
      p.log_density(n, 0) = std::log(right);
    }
    RowScores s;
    s.add_labels(p, truth, Vector{{0.5, 0.5}}, scores);
    double right = 0, nll = 0;
    for (Index n = 0; n < N; ++n) {
      const auto k = Index(truth(n, 0));
      right += (scores(n, 1) > scores(n, 0)) == (k == 1);
      nll += std::log(std::exp(scores(n, 0)) + std::exp(scores(n, 1))) - scores(n, k);
    }
    EXPECT_NEAR(s.linear[0].right.mean(), right / double(N), 1e-12);
    EXPECT_NEAR(s.linear[0].nll.mean(), nll / double(N), 1e-10);
    const Verdict v = row_verdict(s, OutcomeKind::label, {});
    EXPECT_EQ(v.kind, circle ? VerdictKind::good : VerdictKind::linear) << v.message();
    EXPECT_NE(v.message().find("logistic regression"), std::string::npos) << v.message();
  }
}

// Of many rows and inputs it learns from some of them, and of too many inputs not at all.
TEST(ClassBaselines, TakeRowsThatAreEvenlySpaced) {
  const Index N = 30000;
  const Matrix X = Rng(6).normal(N, 1);
  Matrix Y(N, 1);
  for (Index n = 0; n < N; ++n)
    Y(n, 0) = n % 7 == 0 ? std::nan("") : double(X(n, 0) + 0.5 * std::sin(double(n)) > 0);
  Index seen = 0;
  const InputsOf wide = [&](MatrixIn x) {
    seen += x.rows();
    Matrix out = Matrix::Zero(x.rows(), 999);
    out.col(0) = x.col(0);
    return out;
  };
  const OutcomeBaselines b = class_baselines(memory_rows(X, Y), wide, 999, 2);
  EXPECT_EQ(seen, 10000);
  EXPECT_GT(b.weights(0, 1) - b.weights(0, 0), 1);
  EXPECT_FALSE(class_baselines(memory_rows(X, Y), wide, 1000000, 2).has_linear());
}

}  // namespace
}  // namespace bochner::row_scores_test
