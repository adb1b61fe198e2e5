#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/errors.hpp"
#include "examples.hpp"

namespace bochner::embed_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Index N = 120, new_samples = 40;

struct Fitted {
  Simulated truth = testing::two_tables(21, N + new_samples, 15);
  Dataset train = truth.data.take_rows(rows(0));
  Dataset test = truth.data.take_rows(rows(1));
  GplvmFit fit = fit_gplvm(train, {.view = {.kernel = "rbf"}, .steps = 400, .restarts = 1}, 1, Threads(2));

  /// Every fourth sample is new.
  static IndexVector rows(int part) {
    std::vector<Index> out;
    for (Index n = 0; n < N + new_samples; ++n)
      if ((n % 4 == 3) == (part == 1)) out.push_back(n);
    return Eigen::Map<IndexVector>(out.data(), Index(out.size()));
  }
};

const Fitted& fitted() {
  static const Fitted made;
  return made;
}

Vector spread(const Matrix& X) {
  return ((X.rowwise() - X.colwise().mean()).colwise().squaredNorm() / double(X.rows()))
      .cwiseSqrt()
      .transpose();
}

/// Mean distance in a dimension, in standard deviations of the latent there.
double mean_shift(const Matrix& a, const Matrix& b) {
  return ((a - b).cwiseAbs() * spread(fitted().fit.latent.mean).cwiseInverse().asDiagonal()).mean();
}

Dataset one_view(const Dataset& data, const std::string& name) { return join({data.view(name)}); }

TEST(GplvmEmbed, TrainingRowsComeBack) {
  const LatentPosterior q = embed(fitted().fit, fitted().train, Threads(2));
  EXPECT_LT(mean_shift(q.mean, fitted().fit.latent.mean), 0.1);
  const Matrix ratio = q.sd.cwiseQuotient(fitted().fit.latent.sd);
  EXPECT_GT(ratio.mean(), 0.7);
  EXPECT_LT(ratio.mean(), 1.4);
}

TEST(GplvmEmbed, TrainingRowsComeBackWithTheDefaultKernel) {
  const Simulated truth = testing::s_curve_table(22, 100, 30);
  const GplvmFit fit = fit_gplvm(truth.data, {.steps = 300, .restarts = 1}, 1, Threads(1));
  const LatentPosterior q = embed(fit, truth.data, Threads(1));
  const Matrix shift =
      (q.mean - fit.latent.mean).cwiseAbs() * spread(fit.latent.mean).cwiseInverse().asDiagonal();
  EXPECT_LT(shift.mean(), 0.1);
}

TEST(GplvmEmbed, NewSamplesLandWhereTheyBelong) {
  const Fitted& f = fitted();
  const LatentPosterior q = embed(f.fit, f.test, Threads(2));
  // the map from fitted to true latents, learned on the training rows alone
  const AffineR2 map = affine_r2(f.fit.latent.mean, f.truth.X(Fitted::rows(0), Eigen::all));
  ASSERT_GT(map.mean, 0.9);
  const Matrix truth = f.truth.X(Fitted::rows(1), Eigen::all);
  const Matrix error = ((q.mean * map.A).rowwise() + map.b.transpose()) - truth;
  EXPECT_LT(error.squaredNorm(), 0.1 * (truth.rowwise() - truth.colwise().mean()).squaredNorm());
  for (std::size_t v = 0; v < 2; ++v) {
    const Predictive p = predict(f.fit.views[v], q, Threads(1));
    const Matrix& Y = f.test.view(Index(v)).Y;
    EXPECT_LT(rmse(Y, p.mean), 1.3 * std::sqrt(f.truth.truth[v].noise_variance)) << v;
    EXPECT_NEAR(gaussian_coverage(Y, p.mean, p.y_variance, 0.9), 0.9, 0.06) << v;
  }
}

TEST(GplvmEmbed, OneViewWillDo) {
  const Fitted& f = fitted();
  const Matrix both = embed(f.fit, f.test, Threads(2)).mean;
  for (const char* name : {"a", "b"}) {
    const LatentPosterior q = embed(f.fit, one_view(f.test, name), Threads(2));
    EXPECT_LT(mean_shift(q.mean, both), 0.25) << name;
    // and it knows less
    EXPECT_GT(q.sd.mean(), embed(f.fit, f.test, Threads(2)).sd.mean()) << name;
  }
  // the other view from it, against its mean
  const Predictive p = predict(f.fit.view("b"), embed(f.fit, one_view(f.test, "a"), Threads(2)), Threads(1));
  const Matrix& Y = f.test.view("b").Y;
  const Matrix mean = f.fit.view("b").scaling.centre.transpose().replicate(Y.rows(), 1);
  EXPECT_LT(rmse(Y, p.mean), 0.6 * rmse(Y, mean));
}

TEST(GplvmEmbed, SomeEntriesWillDo) {
  const Fitted& f = fitted();
  std::vector<Matrix> some{f.test.view(0).Y, f.test.view(1).Y};
  Rng rng(5);
  for (Matrix& Y : some)
    for (Index i = 0; i < Y.size(); ++i)
      if (rng.uniform() < 0.6) Y.data()[i] = nan;
  const LatentPosterior all = embed(f.fit, f.test, Threads(2)),
                        q = embed(f.fit, f.test.with_values(some), Threads(2));
  EXPECT_LT(mean_shift(q.mean, all.mean), 0.25);
  EXPECT_GT(q.sd.mean(), all.sd.mean());
}

TEST(GplvmEmbed, SamplesDoNotSeeEachOther) {
  const Fitted& f = fitted();
  std::vector<Matrix> values{f.test.view(0).Y, f.test.view(1).Y};
  values[0].row(3).setConstant(nan);
  values[1].row(5).setConstant(nan);
  values[0](7, 2) = values[1](7, 0) = nan;
  const Dataset test = f.test.with_values(values);
  const LatentPosterior all = embed(f.fit, test, Threads(2));
  const IndexVector order = Rng(6).permutation(new_samples);
  const LatentPosterior shuffled = embed(f.fit, test.take_rows(order), Threads(1));
  for (Index n = 0; n < new_samples; ++n) {
    EXPECT_EQ(shuffled.mean.row(n), all.mean.row(order(n)));
    EXPECT_EQ(shuffled.sd.row(n), all.sd.row(order(n)));
  }
  for (const Index n : {0, 3, 5, 7, 39}) {
    const LatentPosterior alone = embed(f.fit, test.take_rows(IndexVector::Constant(1, n)), Threads(1));
    EXPECT_EQ(alone.mean, all.mean.row(n));
    EXPECT_EQ(alone.sd, all.sd.row(n));
  }
}

TEST(GplvmEmbed, NothingMeasuredIsThePrior) {
  const Fitted& f = fitted();
  std::vector<Matrix> values{f.test.view(0).Y, f.test.view(1).Y};
  for (Matrix& Y : values) Y.row(4).setConstant(nan);
  const LatentPosterior q = embed(f.fit, f.test.with_values(values), Threads(1));
  EXPECT_EQ(q.mean.row(4), Eigen::RowVectorXd::Zero(2));
  EXPECT_EQ(q.sd.row(4), Eigen::RowVectorXd::Ones(2));
  EXPECT_NE(q.mean.row(5), Eigen::RowVectorXd::Zero(2));
}

TEST(GplvmEmbed, MatchesViewsAndColumnsByName) {
  const Fitted& f = fitted();
  const LatentPosterior q = embed(f.fit, f.test, Threads(1));
  View a = f.test.view("a"), b = f.test.view("b");
  std::reverse(a.columns.begin(), a.columns.end());
  a.Y = a.Y.rowwise().reverse().eval();
  b.columns.push_back("another");
  b.Y.conservativeResize(Eigen::NoChange, b.Y.cols() + 1);
  b.Y.rightCols(1).setConstant(1e6);
  const LatentPosterior other = embed(f.fit, join({b, a}), Threads(1));
  EXPECT_LT((other.mean - q.mean).cwiseAbs().maxCoeff(), 1e-3);

  View unknown = f.test.view("a");
  unknown.name = "c";
  EXPECT_THROW(embed(f.fit, join({unknown}), Threads(1)), InputError);
  EXPECT_THROW(embed(f.fit, join({f.test.view("a"), unknown}), Threads(1)), InputError);
  View fewer = f.test.view("a");
  fewer.columns[2] = "not measured";
  EXPECT_THROW(embed(f.fit, join({fewer}), Threads(1)), InputError);
  EXPECT_THROW(f.fit.view("c"), InputError);
  EXPECT_EQ(f.fit.view("b").name, "b");
}

TEST(GplvmEmbed, NonsenseStaysFinite) {
  const Fitted& f = fitted();
  const Dataset wild = f.test.with_values({1e6 * f.test.view(0).Y, -1e8 * f.test.view(1).Y});
  const LatentPosterior q = embed(f.fit, wild, Threads(1));
  EXPECT_TRUE(q.mean.allFinite());
  EXPECT_TRUE(q.sd.allFinite());
  EXPECT_GT(q.sd.minCoeff(), 0);
}

}  // namespace
}  // namespace bochner::embed_test
