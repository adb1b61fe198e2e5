// Trainable features and pre-images.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bochner/features/feature_stream.hpp"
#include "bochner/features/network_features.hpp"
#include "examples.hpp"

namespace bochner::network_test {
namespace {

using namespace testing;

/// A strongly bent sheet in six columns: two numbers say all, no plane holds it.
Matrix sheet(Index n, std::uint64_t seed) {
  const Vector draws = Rng(seed).uniform(2 * n);
  Matrix Y(n, 6);
  for (Index i = 0; i < n; ++i) {
    const double u = 3 * draws(2 * i) - 1.5, v = 3 * draws(2 * i + 1) - 1.5;
    Y.row(i) << u, v, u * u, v * v, std::sin(2 * u + v), u * v;
  }
  return Y;
}

KpcaOptions networks(Index epochs) {
  return {.dims = 2,
          .view = {.features = {.kind = FeatureSpec::Kind::network, .count = 12}},
          .training = {.epochs = epochs, .batch = 50, .hidden = 24}};
}

TEST(NetworkFeatures, IsTanhLayersAndALinearOne) {
  NetworkFeatures<double> map;
  map.W = {Matrix{{0.5, -1, 0.2}, {0.3, 0.4, -0.6}}, Matrix{{1, 2}, {-1, 0.5}, {0.1, 3}}};
  map.b = {Vector{{0.1, -0.2, 0}}, Vector{{7, -7}}};
  const Matrix Phi = feature_matrix(map, Matrix{{0.9, -1.4}}, Threads(1));
  const double h1 = std::tanh(0.5 * 0.9 + 0.3 * -1.4 + 0.1), h2 = std::tanh(-0.9 + 0.4 * -1.4 - 0.2),
               h3 = std::tanh(0.2 * 0.9 - 0.6 * -1.4);
  EXPECT_NEAR(Phi(0, 0), h1 - h2 + 0.1 * h3 + 7, 1e-14);
  EXPECT_NEAR(Phi(0, 1), 2 * h1 + 0.5 * h2 + 3 * h3 - 7, 1e-14);
  EXPECT_EQ(map.parameter_count(), 6 + 3 + 6 + 2);
  EXPECT_EQ(map.parameters().tail(2), (Vector{{7, -7}}));
  EXPECT_EQ(feature_matrix(map.with_parameters(map.parameters()), Matrix{{0.9, -1.4}}, Threads(1)), Phi);
}

TEST(NetworkFeatures, OneLayerIsAffine) {
  const auto map = NetworkFeatures<double>::random({3, 4}, Rng(1));
  const Matrix X = Rng(2).normal(5, 3);
  const Matrix exact = (X * map.W[0]).rowwise() + map.b[0].transpose();
  EXPECT_LT(largest(feature_matrix(map, X, Threads(1)) - exact), 1e-14);
}

TEST(NetworkFeatures, StartsWithWeightsOfTheRightSize) {
  const auto map = NetworkFeatures<double>::random({40, 300, 50}, Rng(1));
  ASSERT_EQ(map.W.size(), 2u);
  EXPECT_EQ(map.input_dims(), 40);
  EXPECT_EQ(map.count(), 50);
  // variance 1 / 40 and 1 / 300: the estimate from m weights has relative error sqrt(2 / m)
  EXPECT_NEAR(40 * map.W[0].squaredNorm() / 12'000, 1, 4 * std::sqrt(2.0 / 12'000));
  EXPECT_NEAR(300 * map.W[1].squaredNorm() / 15'000, 1, 4 * std::sqrt(2.0 / 15'000));
  EXPECT_EQ(map.b[0].norm() + map.b[1].norm(), 0);
}

struct Fitted {
  Matrix train = sheet(400, 1), fresh = sheet(200, 2);
  KpcaFit network = fit_kpca(tables({train}), networks(400), 1, Threads(2));
  KpcaFit pca = fit_kpca(tables({train}), {.dims = 2, .view = {.kernel = "linear"}}, 1, Threads(1));
};
const Fitted& fitted() {
  static const Fitted made;
  return made;
}

double rebuilt(const KpcaFit& fit, const Matrix& Y) {
  return r2(Y, predict_view(fit, 0, embed(fit, tables({Y}), Threads(1)), {}, Threads(1)));
}

TEST(KpcaNetwork, RebuildsABentSheetBetterThanAPlaneDoes) {
  const Fitted& f = fitted();
  const double plane = rebuilt(f.pca, f.fresh);
  EXPECT_LT(plane, 0.75);  // there is something to gain
  EXPECT_GT(rebuilt(f.network, f.train), 0.9);
  EXPECT_LT(1 - rebuilt(f.network, f.fresh), 0.4 * (1 - plane));
}

TEST(KpcaNetwork, EndsAsAnExactKernelPcaOfTheTrainedFeatures) {
  const KpcaFit& fit = fitted().network;
  const KpcaView& view = fit.views[0];
  EXPECT_EQ(view.preimage, Preimage::network);
  ASSERT_TRUE(view.map && view.inverse);
  EXPECT_EQ(view.map->count(), 12);
  EXPECT_EQ(view.inverse->count(), 6);
  Matrix Phi = feature_matrix(*view.map, view.scaling.apply(fitted().train), Threads(1));
  EXPECT_LT(largest(Phi.colwise().mean() - view.feature_mean.transpose()), 1e-10);
  Phi.rowwise() -= Phi.colwise().mean().eval();
  EXPECT_LT(largest(Phi * Phi.transpose() * fit.H - fit.H * fit.lambda.asDiagonal()), 1e-8 * fit.lambda(0));
  EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(2, 2)), 1e-10);
  EXPECT_LT(largest(view.U - Phi.transpose() * fit.H), 1e-8 * std::sqrt(fit.lambda(0)));
  EXPECT_GT(fit.explained().sum(), 0.7);  // trained so that two components hold most of the features
}

TEST(KpcaNetwork, TheWeightOfItsViewDoesNotSpoilThePreImage) {
  const Fitted& f = fitted();
  KpcaOptions options = networks(200);
  for (const double weight : {0.01, 25.0}) {
    options.view.weight = weight;
    const KpcaFit fit = fit_kpca(tables({f.train}), options, 1, Threads(2));
    EXPECT_GT(rebuilt(fit, f.fresh), rebuilt(f.pca, f.fresh) + 0.1) << weight;
  }
}

TEST(KpcaNetwork, TrainingHelps) {
  const Fitted& f = fitted();
  const KpcaFit barely = fit_kpca(tables({f.train}), networks(1), 1, Threads(1));
  EXPECT_LT(rebuilt(barely, f.fresh), rebuilt(f.network, f.fresh) - 0.1);
}

TEST(KpcaNetwork, HasTheSameBytesForAnyNumberOfThreads) {
  const Matrix Y = sheet(300, 3);
  KpcaOptions options = networks(5);
  options.training.batch = 290;  // several blocks of rows in a step
  const KpcaFit one = fit_kpca(tables({Y}), options, 1, Threads(1));
  for (const int count : {2, 7}) {
    const KpcaFit other = fit_kpca(tables({Y}), options, 1, Threads(count));
    EXPECT_EQ(one.H, other.H) << count;
    EXPECT_EQ(one.lambda, other.lambda) << count;
    EXPECT_EQ(one.views[0].U, other.views[0].U) << count;
    EXPECT_EQ(predict_view(one, 0, one.H, {}, Threads(1)), predict_view(other, 0, one.H, {}, Threads(count)))
        << count;
  }
}

TEST(KpcaNetwork, SeedsMatterAndRepeat) {
  const Matrix Y = sheet(80, 3);
  const KpcaFit a = fit_kpca(tables({Y}), networks(2), 1, Threads(1)),
                b = fit_kpca(tables({Y}), networks(2), 1, Threads(1)),
                c = fit_kpca(tables({Y}), networks(2), 2, Threads(1));
  EXPECT_EQ(a.H, b.H);
  EXPECT_NE(a.H, c.H);
}

TEST(KpcaNetwork, AnySizeOfBatch) {
  const Matrix Y = sheet(53, 4);
  for (const Index batch : {1, 7, 52, 53, 1000}) {
    KpcaOptions options = networks(3);
    options.training.batch = batch;
    if (batch == 1) {  // a batch is centred by itself, one row alone would say nothing
      EXPECT_ANY_THROW(fit_kpca(tables({Y}), options, 1, Threads(1)));
      continue;
    }
    const KpcaFit fit = fit_kpca(tables({Y}), options, 1, Threads(1));
    EXPECT_TRUE(fit.H.allFinite()) << batch;
    EXPECT_TRUE(predict_view(fit, 0, fit.H, {}, Threads(1)).allFinite()) << batch;
  }
}

TEST(KpcaNetwork, TwoViewsPredictEachOther) {
  const Matrix train = sheet(300, 5), fresh = sheet(80, 6);
  const auto two = [](const Matrix& Y) { return std::vector<Matrix>{Y.leftCols(4), Y.rightCols(2)}; };
  KpcaOptions options = networks(150);
  const KpcaFit fit = fit_kpca(tables(two(train)), options, 1, Threads(2));
  // u and v decide the second table, and the first holds both
  const Matrix answer = predict_from_others(fit, 1, tables(two(fresh)), Threads(1));
  const KpcaFit pca = fit_kpca(tables(two(train)), {.dims = 2, .view = {.kernel = "linear"}}, 1, Threads(1));
  const Matrix linear = predict_from_others(pca, 1, tables(two(fresh)), Threads(1));
  EXPECT_GT(r2(fresh.rightCols(2), answer), r2(fresh.rightCols(2), linear));
  EXPECT_GT(r2(fresh.rightCols(2), answer), 0.5);
}

TEST(KpcaNetwork, MayStandBesideAFiniteMap) {
  const Matrix Y = sheet(120, 7);
  KpcaOptions options = networks(20);
  options.own = {std::nullopt, KpcaViewOptions{.kernel = "linear"}};
  const KpcaFit fit = fit_kpca(tables({Y.leftCols(4), Y.rightCols(2)}), options, 1, Threads(1));
  EXPECT_EQ(fit.views[0].preimage, Preimage::network);
  EXPECT_EQ(fit.views[1].preimage, Preimage::ridge);
  EXPECT_LT(largest(fit.H.transpose() * fit.H - Matrix::Identity(2, 2)), 1e-10);
}

TEST(KpcaNetwork, AKernelBesideANetworkIsRefused) {
  const Matrix Y = sheet(60, 8);
  KpcaOptions options = networks(2);
  options.own = {std::nullopt, KpcaViewOptions{.kernel = "rbf"}};
  const std::string message = input_error([&] {
    fit_kpca(tables({Y.leftCols(4), Y.rightCols(2)}), options, 1, Threads(1));
  });
  EXPECT_NE(message.find("'b'"), std::string::npos) << message;
}

TEST(KpcaNetwork, ProgressIsToldAndMayStopIt) {
  const Matrix Y = sheet(60, 9);
  std::vector<double> told;
  fit_kpca(tables({Y}), networks(8), 1, Threads(1), [&](double done) {
    told.push_back(done);
    return true;
  });
  ASSERT_FALSE(told.empty());
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GT(told.front(), 0);
  EXPECT_LE(told.back(), 1);
  Index calls = 0;
  const KpcaFit stopped =
      fit_kpca(tables({Y}), networks(100'000'000), 1, Threads(1), [&](double) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(stopped.H.allFinite());  // what there is, is a fit
}

TEST(KpcaNetwork, StaysFiniteOnWildTables) {
  Matrix Y = sheet(60, 10);
  Y.col(1).setConstant(4);  // says nothing
  Y.col(2) *= 1e8;
  Y.col(3) *= 1e-8;
  Y(7, 0) = 1e4;  // an outlier
  const KpcaFit fit = fit_kpca(tables({Y}), networks(10), 1, Threads(1));
  EXPECT_TRUE(fit.H.allFinite());
  EXPECT_TRUE(predict_view(fit, 0, fit.H, {}, Threads(1)).allFinite());
}

}  // namespace
}  // namespace bochner::network_test
