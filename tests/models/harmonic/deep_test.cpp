#include "src/models/harmonic/deep.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "deep_examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::deep_test {
namespace {

using namespace testing;

const Threads threads(2);

AnyKernel rbf(Index d, double ell = 1.4, double sigma2 = 1.3) {
  return Rbf{.ell = Vector::LinSpaced(d, ell, 1.2 * ell), .sigma2 = sigma2};
}

struct Case {
  std::string name;
  HarmonicGp gp;
  Matrix X, Y;
};

/// Patches and their positions under one kernel.
AnyKernel patch_kernel(Index d) {
  const auto columns = [](Index from, Index count) {
    std::vector<Index> out;
    for (Index i = 0; i < count; ++i) out.push_back(from + i);
    return out;
  };
  return Product{.factors = {Select{.inner = {rbf(d)}, .columns = columns(0, d), .dims = d + 2},
                             Select{.inner = {Matern{.ell = Vector::Constant(2, 3.0), .sigma2 = 1}},
                                    .columns = columns(d, 2),
                                    .dims = d + 2}}};
}

std::vector<Index> first(Index d) {
  std::vector<Index> out;
  for (Index i = 0; i < d; ++i) out.push_back(i);
  return out;
}

std::vector<Index> even_or_odd(Index d, Index which) {
  std::vector<Index> out;
  for (Index i = which; i < d; i += 2) out.push_back(i);
  return out;
}

std::vector<Case> cases() {
  const AnyLikelihood noise = GaussianNoise{.variance = Vector{{0.2, 0.5}}};
  Matrix Y = Rng(3).normal(6, 2);
  Y(2, 0) = std::nan("");
  Matrix classes(6, 1);
  for (Index n = 0; n < 6; ++n) classes(n, 0) = double(n % 3);
  std::vector<Case> out;

  HarmonicGp two = some_last(rbf(2), {negate(2, {0})}, 2, 4, noise, 1);
  two.hidden = {some_layer(rbf(3), {negate(3, {0, 2})}, 3, 2, 5, 2)};
  out.push_back({"two layers", two, Rng(4).normal(6, 3), Y});

  HarmonicGp three = two;
  three.hidden.insert(three.hidden.begin(), some_layer(rbf(4), {}, 4, 3, 3, 5));
  out.push_back({"three layers", three, Rng(5).normal(6, 4), Y});

  HarmonicGp images = some_last(patch_kernel(4), {negate(6, first(4))}, 6, 4, Softmax{.classes = 3}, 6);
  images.patch_sum = PatchSum{{{4, 3, 1}, 2, 1, false}, Vector::LinSpaced(6, 0.5, 1.5)};
  out.push_back({"patches", images, Rng(7).normal(6, 12), classes});

  HarmonicGp deep = images;
  HiddenLayer conv = some_layer(rbf(9 * 2), {negate(18, first(18))}, 18, 1, 4, 8);
  conv.patches = Patches{{8, 6, 2}, 3, 1, true};
  conv.pool = true;
  deep.hidden = {conv};
  out.push_back({"convolution, pooling, patches", deep, Rng(9).normal(6, 96), classes});

  HarmonicGp four =
      some_last(patch_kernel(4), {negate(6, {0, 3}), negate(6, {1, 2})}, 6, 3, Softmax{.classes = 3}, 10);
  four.patch_sum = PatchSum{{{4, 3, 1}, 2, 1, false}, Vector::LinSpaced(6, 0.5, 1.5)};
  HiddenLayer colours =
      some_layer(rbf(9), {negate(9, even_or_odd(9, 0)), negate(9, even_or_odd(9, 1))}, 9, 1, 3, 11);
  colours.patches = Patches{{4, 3, 1}, 3, 1, true};
  four.hidden = {colours};
  out.push_back({"four groups in each layer", four, Rng(12).normal(6, 12), classes});
  return out;
}

const HiddenNoise noise{.rng = Rng(17)};

TEST(DeepBound, WithoutHiddenLayersIsTheBoundOfOneLayer) {
  const Case c = cases()[2];
  HarmonicGradient deep, plain;
  EXPECT_EQ(deep_bound(c.gp, c.X, c.Y, 2.0, noise, threads, &deep).value(),
            harmonic_bound(c.gp, c.X, c.Y, 2.0, plain, threads).value());
  EXPECT_EQ(deep.kernel, plain.kernel);
  EXPECT_EQ(deep.Z[1], plain.Z[1]);
}

TEST(DeepBound, GradientsOfEveryBlock) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    HarmonicGradient g;
    const double scale = 3.5;
    EXPECT_EQ(deep_bound(c.gp, c.X, c.Y, scale, noise, threads, &g).value(),
              deep_bound(c.gp, c.X, c.Y, scale, noise, threads).value());
    const auto expect = [&](const auto& change, const Matrix& at, const Matrix& analytic, const char* what) {
      expect_gradient(
          [&](const Vector& v) {
            HarmonicGp gp = c.gp;
            change(gp, unflat(v, at.rows(), at.cols()));
            return deep_bound(gp, c.X, c.Y, scale, noise, threads).value();
          },
          flat(at), flat(analytic), 1e-6, what);
    };
    const auto lower = [](Matrix A) {
      A.triangularView<Eigen::StrictlyUpper>().setZero();
      return A;
    };
    expect([](HarmonicGp& gp, const Matrix& v) { gp.kernel = with_parameters(gp.kernel, v.col(0)); },
           parameters(c.gp.kernel), g.kernel, "kernel");
    expect([](HarmonicGp& gp, const Matrix& v) { gp.Z[1] = v; }, c.gp.Z[1], g.Z[1], "Z");
    expect([](HarmonicGp& gp, const Matrix& v) { gp.mean[0] = v; }, c.gp.mean[0], g.mean[0], "mean");
    expect([&](HarmonicGp& gp, const Matrix& v) { gp.factor[1][0] = lower(v); }, c.gp.factor[1][0],
           g.factor[1][0], "factor");
    if (c.gp.patch_sum)
      expect([](HarmonicGp& gp, const Matrix& v) { gp.patch_sum->weight = v.col(0); }, c.gp.patch_sum->weight,
             g.patch_weight, "weights of patches");
    for (std::size_t l = 0; l < c.gp.hidden.size(); ++l) {
      SCOPED_TRACE("layer " + std::to_string(l));
      const HiddenLayer& at = c.gp.hidden[l];
      const HiddenGradient& d = g.hidden[l];
      expect([&](HarmonicGp& gp,
                 const Matrix& v) { gp.hidden[l].kernel = with_parameters(at.kernel, v.col(0)); },
             parameters(at.kernel), d.kernel, "kernel");
      for (std::size_t h = 0; h < at.Z.size(); ++h) {
        expect([&](HarmonicGp& gp, const Matrix& v) { gp.hidden[l].Z[h] = v; }, at.Z[h], d.Z[h], "Z");
        expect([&](HarmonicGp& gp, const Matrix& v) { gp.hidden[l].mean[h] = v; }, at.mean[h], d.mean[h],
               "mean");
        expect([&](HarmonicGp& gp, const Matrix& v) { gp.hidden[l].factor[h] = lower(v); }, at.factor[h],
               d.factor[h], "factor");
        expect([&](HarmonicGp& gp, const Matrix& v) { gp.hidden[l].output_factor[h] = lower(v); },
               at.output_factor[h], d.output_factor[h], "output factor");
      }
    }
    expect_gradient(
        [&](const Vector& v) {
          return deep_bound(c.gp, unflat(v, c.X.rows(), c.X.cols()), c.Y, scale, noise, threads).value();
        },
        flat(c.X), flat(g.X), 1e-6, "X");
  }
}

TEST(DeepBound, TilesAndThreadsDoNotMatter) {
  for (const Case& c : cases()) {
    if (c.gp.hidden.empty()) continue;
    SCOPED_TRACE(c.name);
    HarmonicGradient whole, tiles, one;
    const double value = deep_bound(c.gp, c.X, c.Y, 2.0, noise, threads, &whole).value();
    EXPECT_EQ(deep_bound(c.gp, c.X, c.Y, 2.0, noise, Threads(1), &one).value(), value);
    EXPECT_EQ(one.hidden[0].Z[0], whole.hidden[0].Z[0]);
    EXPECT_NEAR(deep_bound(c.gp, c.X, c.Y, 2.0, noise, threads, &tiles, nullptr, 1).value(), value,
                1e-12 * std::abs(value));
    EXPECT_EQ(tile_rows(c.gp.hidden, 1), 1);
    for (std::size_t l = 0; l < c.gp.hidden.size(); ++l) {
      EXPECT_LT(relative_difference(flat(tiles.hidden[l].Z[0]), flat(whole.hidden[l].Z[0])), 1e-10);
      EXPECT_LT(relative_difference(flat(tiles.hidden[l].factor[0]), flat(whole.hidden[l].factor[0])), 1e-10);
    }
  }
}

TEST(DeepBound, NoVarianceAndNoMeanLeavesTheMap) {
  Case c = cases()[0];
  HiddenLayer& layer = c.gp.hidden[0];
  layer.kernel = rbf(3, 1.4, 1e-18);
  for (Matrix& m : layer.mean) m.setZero();
  for (Matrix& G : layer.output_factor) G.setIdentity(), G *= 1e-9;
  const double plain = harmonic_bound(c.gp, c.X * layer.map, c.Y, 1.0, threads).data;
  EXPECT_NEAR(deep_bound(c.gp, c.X, c.Y, 1.0, noise, threads).data, plain,
              0.02 * std::abs(plain));  // sqrt(floor) = 1e-3
}

TEST(HiddenLayer, DivergenceIsThatOfTheDenseGaussian) {
  const HiddenLayer layer = some_layer(rbf(3), {negate(3, {0})}, 3, 2, 4, 31);
  double dense = 0;
  for (std::size_t h = 0; h < 2; ++h) {
    const Eigen::MatrixXd S = layer.factor[h] * layer.factor[h].transpose(),
                          G = layer.output_factor[h] * layer.output_factor[h].transpose();
    Eigen::MatrixXd C(8, 8);
    for (Index r = 0; r < 2; ++r)
      for (Index s = 0; s < 2; ++s) C.block(4 * r, 4 * s, 4, 4) = G(r, s) * S;
    dense += 0.5 * (C.trace() + layer.mean[h].squaredNorm() - 8 - std::log(C.determinant()));
  }
  EXPECT_NEAR(divergence(layer), dense, 1e-10 * dense);
}

TEST(HiddenLayer, DrawsHaveTheMomentsOfThePosterior) {
  const HiddenLayer layer = some_layer(rbf(3), {negate(3, {0})}, 3, 2, 4, 32);
  const Matrix x = Rng(33).normal(1, 3);
  // the textbook: u = L V, q(V) matrix normal; f given u by the conditional prior
  Eigen::VectorXd mean = (x * layer.map).transpose();
  Eigen::MatrixXd cov = Eigen::MatrixXd::Zero(2, 2);
  double left = evaluate(layer.kernel, x.row(0), x.row(0));
  for (std::size_t h = 0; h < 2; ++h) {
    const Harmonic k{
        .inner = {layer.kernel}, .motions = layer.motions, .weight = layer.weights.row(Index(h))};
    Eigen::MatrixXd K(4, 4);
    Eigen::VectorXd kx(4);
    for (Index i = 0; i < 4; ++i) {
      kx(i) = k(layer.Z[h].row(i), x.row(0));
      for (Index j = 0; j < 4; ++j) K(i, j) = k(layer.Z[h].row(i), layer.Z[h].row(j));
    }
    K.diagonal().array() += layer.jitter * K.diagonal().mean();
    const Eigen::MatrixXd L = K.llt().matrixL();
    const Eigen::VectorXd t = K.llt().solve(kx);
    mean += (L * layer.mean[h]).transpose() * t;
    const Eigen::VectorXd a = layer.factor[h].transpose() * (L.transpose() * t);
    cov += a.squaredNorm() * layer.output_factor[h] * layer.output_factor[h].transpose();
    left -= kx.dot(t);
  }
  cov.diagonal().array() += left;
  const Index n = 40000;
  const Matrix drawn =
      draw_hidden(layer, factorise(layer, threads), 0, x.replicate(n, 1), noise, threads).out;
  const Eigen::VectorXd at = drawn.colwise().mean();
  const Eigen::MatrixXd spread =
      (drawn.rowwise() - at.transpose()).transpose() * (drawn.rowwise() - at.transpose()) / double(n);
  EXPECT_LT((at - mean).norm(), 5 * std::sqrt(cov.trace() / double(n)));
  EXPECT_LT((spread - cov).norm(), 0.03 * cov.norm());
}

TEST(HiddenLayer, OnePatchThatIsTheImageIsADenseLayer) {
  HiddenLayer dense = some_layer(rbf(12), {}, 12, 2, 4, 34), conv = dense;
  conv.patches = Patches{{2, 2, 3}, 2, 1, false};
  const Matrix X = Rng(35).normal(5, 12);
  EXPECT_EQ(draw_hidden(conv, factorise(conv, threads), 0, X, noise, threads).out,
            draw_hidden(dense, factorise(dense, threads), 0, X, noise, threads).out);
}

TEST(PatchSum, OnePatchIsAPlainGpOfProductKernel) {
  HarmonicGp gp = some_last(patch_kernel(4), {negate(6, first(4))}, 6, 4, Softmax{.classes = 3}, 36);
  const Matrix X = Rng(37).normal(5, 4);
  Matrix rows(5, 6);
  rows << X, Matrix::Zero(5, 2);
  const LatentMarginals plain = predict_latent(gp, rows, threads);
  gp.patch_sum = PatchSum{{{2, 2, 1}, 2, 1, false}, Vector::Ones(1)};
  const LatentMarginals image = predict_latent(gp, X, threads);
  EXPECT_LT((plain.mean - image.mean).norm() + (plain.variance - image.variance).norm(), 1e-12);
}

TEST(PatchSum, IsTheConvolutionalKernel) {
  // w = 1 and a constant kernel of positions: mean over pairs of patches
  const Patches patches{{4, 3, 1}, 2, 1, false};
  const AnyKernel inner = rbf(4);
  const AnyKernel kernel = Product{
      .factors = {Select{.inner = {inner}, .columns = first(4), .dims = 6},
                  Select{.inner = {Rbf{.ell = Vector::Constant(2, 1e9)}}, .columns = {4, 5}, .dims = 6}}};
  const std::optional<PatchSum> sum = PatchSum{patches, Vector::Ones(6)};
  const Matrix X = Rng(38).normal(3, 12);
  const Vector variances = row_variances(kernel, sum, X, threads);
  for (Index n = 0; n < 3; ++n) {
    const Matrix rows = patches.gather(X.row(n));
    double mean = 0;
    for (Index p = 0; p < 6; ++p)
      for (Index q = 0; q < 6; ++q) mean += evaluate(inner, rows.row(p), rows.row(q)) / 36;
    EXPECT_NEAR(variances(n), mean, 1e-10);
  }
}

TEST(PredictDraws, OfARowDoNotDependOnTheOthers) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto all = predict_draws(c.gp, c.X, 4, Rng(1), threads),
               alone = predict_draws(c.gp, c.X.row(3), 4, Rng(1), threads);
    ASSERT_EQ(all.size(), c.gp.hidden.empty() ? 1u : 4u);
    for (std::size_t s = 0; s < all.size(); ++s) {
      EXPECT_EQ(Matrix(all[s].mean.row(3)), alone[s].mean);
      EXPECT_EQ(Matrix(all[s].variance.row(3)), alone[s].variance);
    }
  }
}

}  // namespace
}  // namespace bochner::deep_test
