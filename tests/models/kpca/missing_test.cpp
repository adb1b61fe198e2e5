// Samples that lack views: Eq. 6 and 7 of [achten2023] solved as one dense system, and Eq. 15 written out.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>

#include "examples.hpp"

namespace bochner::missing_test {
namespace {

using namespace testing;

constexpr Index n_train = 50, n_new = 8, s = 4;

/// A linear view, a quadratic one, and one without features of its own or with random ones.
KpcaOptions three_kinds() {
  return {.dims = s,
          .own = {{KpcaViewOptions{.kernel = "linear", .preimage = Preimage::identity}},
                  {KpcaViewOptions{.kernel = "poly2", .weight = 0.3}},
                  {KpcaViewOptions{.kernel = "rbf", .lengthscale = 1.5, .weight = 2}}},
          .unseen = 1e-9,  // the equations as they stand
          .tolerance = 1e-12};
}

/// Everything from the tables and H alone, in the dual: centred Gram matrices of training rows (n x n) and of new
/// rows against them (N x n).
struct Twin {
  std::vector<Matrix> K, k;

  Twin(const std::vector<Matrix>& train, const std::vector<Matrix>& fresh) {
    const std::vector<AnyKernel> kernels{make_kernel("linear", 4, Rng(1)), make_kernel("poly2", 3, Rng(1)),
                                         make_kernel("rbf", 2, Rng(1), {.ell = 1.5})};
    const std::vector<double> weights{1, 0.3, 2};
    for (std::size_t v = 0; v < 3; ++v) {
      const Scaling scaling = fit_scaling(train[v], ScalingKind::standardise);
      const Matrix X = scaling.apply(train[v]), Z = scaling.apply(fresh[v]);
      const Matrix raw = weights[v] * gram(kernels[v], X, Threads(1));
      Matrix cross = weights[v] * gram(kernels[v], Z, X, Threads(1));
      // <phi(z) - mean, phi(x_j) - mean>
      const Vector z_mean = cross.rowwise().mean();
      cross.rowwise() -= raw.colwise().mean();
      cross.colwise() -= z_mean;
      cross.array() += raw.mean();
      K.push_back(centred(raw));
      k.push_back(cross);
    }
  }

  /// h of new row i: unknowns are h and, per missing view, k_m (n numbers), with
  ///   Lambda h - sum over missing of H'k_m = sum over present of H'k_p      (Eq. 6)
  ///   k_m - K_m H h = 0                                                     (Eq. 7)
  Vector h(const KpcaFit& fit, Index i, const std::vector<bool>& present) const {
    const Index n = K[0].rows(), dims = fit.dims();
    std::vector<std::size_t> missing;
    Vector right = Vector::Zero(dims);
    for (std::size_t v = 0; v < 3; ++v) {
      if (!present[v]) missing.push_back(v);
      if (present[v]) right += fit.H.transpose() * k[v].row(i).transpose();
    }
    const Index size = dims + n * Index(missing.size());
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(size, size);
    system.topLeftCorner(dims, dims) = fit.lambda.asDiagonal();
    for (std::size_t j = 0; j < missing.size(); ++j) {
      const Index at = dims + n * Index(j);
      system.block(0, at, dims, n) = -fit.H.transpose();
      system.block(at, 0, n, dims) = -K[missing[j]] * fit.H;
    }
    Vector b = Vector::Zero(size);
    b.head(dims) = right;
    return Eigen::PartialPivLU<Eigen::MatrixXd>(system).solve(b).head(dims);
  }
};

std::vector<bool> pattern(int bits) { return {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0}; }

/// The rows with NaN in the views that are not present.
std::vector<Matrix> without(std::vector<Matrix> Y, const std::vector<bool>& present) {
  for (std::size_t v = 0; v < Y.size(); ++v)
    if (!present[v]) Y[v].setConstant(not_measured);
  return Y;
}

struct Fitted {
  std::vector<Matrix> all = three_tables(1, n_train + n_new);
  std::vector<Matrix> train = rows_of(all, 0, n_train), fresh = rows_of(all, n_train, n_new);
  KpcaFit fit = fit_kpca(tables(train), three_kinds(), 1, Threads(1));
  Twin twin{train, fresh};
};
const Fitted& fitted() {
  static const Fitted made;
  return made;
}

class KpcaPatterns : public ::testing::TestWithParam<int> {};

TEST_P(KpcaPatterns, SolveTheStationarityConditions) {
  const Fitted& f = fitted();
  const std::vector<bool> present = pattern(GetParam());
  const Matrix h = embed(f.fit, tables(without(f.fresh, present)), Threads(1));
  for (Index i = 0; i < n_new; ++i) {
    const Vector exact = f.twin.h(f.fit, i, present);
    EXPECT_LT((h.row(i).transpose() - exact).norm(), 1e-8 * std::max(1.0, exact.norm())) << i;
  }
}

TEST_P(KpcaPatterns, DoNotDependOnTheRestOfTheBatch) {
  // each row of the batch with a pattern of its own
  const Fitted& f = fitted();
  std::vector<Matrix> mixed = f.fresh;
  for (Index i = 0; i < n_new; ++i)
    for (std::size_t v = 0; v < 3; ++v)
      if (!pattern(int(1 + i % 7))[v]) mixed[v].row(i).setConstant(not_measured);
  const Matrix together = embed(f.fit, tables(mixed), Threads(2));
  const Index i = GetParam() - 1;  // the row with this pattern
  const Matrix alone = embed(f.fit, tables(rows_of(mixed, i, 1)), Threads(1));
  EXPECT_LT(largest(alone - together.row(i)), 1e-12 * std::max(1.0, largest(alone)));
  const Matrix same = embed(f.fit, tables(without(f.fresh, pattern(GetParam()))), Threads(1));
  EXPECT_LT(largest(same.row(i) - together.row(i)), 1e-12 * std::max(1.0, largest(alone)));
}

TEST_P(KpcaPatterns, MayLeaveTheTableOut) {
  const Fitted& f = fitted();
  const std::vector<bool> present = pattern(GetParam());
  std::vector<View> views;
  for (std::size_t v = 3; v-- > 0;)  // and the others come in another order
    if (present[v]) views.push_back(make_view(std::string(1, char('a' + v)), f.fresh[v]));
  const Matrix h = embed(f.fit, tables(without(f.fresh, present)), Threads(1));
  EXPECT_LT(largest(embed(f.fit, join(views), Threads(1)) - h), 1e-12 * std::max(1.0, largest(h)));
}

INSTANTIATE_TEST_SUITE_P(Patterns, KpcaPatterns, ::testing::Range(1, 8));

TEST(KpcaMissing, OneMissingViewIsEquation15) {
  // linear views: features are the standardised columns themselves
  const std::vector<Matrix> all = three_tables(2, n_train + n_new), train = rows_of(all, 0, n_train),
                            fresh = rows_of(all, n_train, n_new);
  for (const KpcaSolver solver : {KpcaSolver::primal, KpcaSolver::dual}) {
    const KpcaFit fit = fit_kpca(tables(train),
                                 {.dims = s,
                                  .view = {.kernel = "linear", .preimage = Preimage::identity},
                                  .solver = solver,
                                  .unseen = 1e-9},
                                 1, Threads(1));
    std::vector<Matrix> U, Phi;
    std::vector<Scaling> scaling;
    for (std::size_t v = 0; v < 3; ++v) {
      scaling.push_back(fit_scaling(train[v], ScalingKind::standardise));
      U.push_back(scaling[v].apply(train[v]).transpose() * fit.H);  // Eq. 5
      Phi.push_back(scaling[v].apply(fresh[v]));
    }
    for (std::size_t v = 0; v < 3; ++v) {
      Matrix e = Matrix::Zero(n_new, s);
      for (std::size_t w = 0; w < 3; ++w)
        if (w != v) e += Phi[w] * U[w];
      const Matrix inner = Matrix(fit.lambda.asDiagonal()) - U[v].transpose() * U[v];
      const Matrix phi = e * inner.inverse() * U[v].transpose();
      const Matrix exact = scaling[v].undo(phi);
      EXPECT_LT(largest(predict_from_others(fit, Index(v), tables(fresh), Threads(1)) - exact), 1e-8) << v;
      std::vector<bool> present(3, true);
      present[v] = false;
      const Dataset lacking = tables(without(fresh, present));
      EXPECT_LT(largest(predict_from_others(fit, Index(v), lacking, Threads(1)) - exact), 1e-8) << v;
      const Matrix h = embed(fit, lacking, Threads(1));
      EXPECT_LT(largest(predict_view(fit, Index(v), h, present, Threads(1)) - exact), 1e-8) << v;
    }
  }
}

TEST(KpcaMissing, WithoutRescalingThePredictionIsWrong) {
  // [achten2023, Fig. 7]: Eq. 15 with U~ in place of U = U~ Lambda^(1/2)
  const std::vector<Matrix> all = three_tables(3, 250, 0.02), train = rows_of(all, 0, 200),
                            fresh = rows_of(all, 200, 50);
  const KpcaFit fit = fit_kpca(
      tables(train), {.dims = 2, .view = {.kernel = "linear"}, .solver = KpcaSolver::primal}, 1, Threads(1));
  const Matrix rescaled = fit.lambda.cwiseSqrt().cwiseInverse().asDiagonal();
  for (std::size_t v = 0; v < 3; ++v) {
    const double right = r2(fresh[v], predict_from_others(fit, Index(v), tables(fresh), Threads(1)));
    EXPECT_GT(right, 0.9) << v;
    Matrix e = Matrix::Zero(50, 2);
    for (std::size_t w = 0; w < 3; ++w)
      if (w != v) e += fit.views[w].scaling.apply(fresh[w]) * (fit.views[w].U * rescaled);
    const Matrix U = fit.views[v].U * rescaled;
    const Matrix inner = Matrix(fit.lambda.asDiagonal()) - U.transpose() * U;
    const double wrong = r2(fresh[v], fit.views[v].scaling.undo(e * inner.inverse() * U.transpose()));
    EXPECT_LT(wrong, 0.1) << v;  // all but the mean is lost
  }
  // what the fit holds shows it: G adds up to Lambda
  Matrix G = Matrix::Zero(2, 2);
  for (const KpcaView& view : fit.views) G += view.U.transpose() * view.U;
  EXPECT_LT(largest(G - Matrix(fit.lambda.asDiagonal())), 1e-9 * fit.lambda(0));
  // a fit with U~ inside puts even complete samples in the wrong place
  KpcaFit spoilt = fit;
  for (KpcaView& view : spoilt.views) {
    view.U = (view.U * rescaled).eval();
    view.G = view.U.transpose() * view.U;
  }
  const Matrix h = embed(spoilt, tables(train), Threads(1));
  EXPECT_GT((h - fit.H).norm(), 0.5 * fit.H.norm());
}

TEST(KpcaMissing, AHoleCountsAsAMissingView) {
  const Fitted& f = fitted();
  std::vector<Matrix> holes = f.fresh;
  holes[0](2, 3) = not_measured;
  holes[1](2, 0) = not_measured;
  holes[2](5, 1) = not_measured;
  const Matrix h = embed(f.fit, tables(holes), Threads(1));
  for (Index i = 0; i < n_new; ++i) {
    const std::vector<bool> present{i != 2, i != 2, i != 5};
    const Vector exact = f.twin.h(f.fit, i, present);
    EXPECT_LT((h.row(i).transpose() - exact).norm(), 1e-8 * std::max(1.0, exact.norm())) << i;
  }
}

TEST(KpcaMissing, RowsWithoutAnyViewAreNaN) {
  const Fitted& f = fitted();
  std::vector<Matrix> holes = f.fresh;
  for (std::size_t v = 0; v < 3; ++v) holes[v](3, 0) = not_measured;
  holes[0](4, 0) = holes[1](4, 0) = not_measured;  // only view 2 is left
  const Matrix h = embed(f.fit, tables(holes), Threads(1));
  EXPECT_TRUE(all_nan(h.row(3)));
  EXPECT_EQ(h.array().isNaN().count(), s);
  EXPECT_TRUE(all_nan(scores(f.fit, h).row(3)));
  // no other view is left to predict view 2 from
  const Matrix y = predict_from_others(f.fit, 2, tables(holes), Threads(1));
  for (Index i = 0; i < n_new; ++i) EXPECT_EQ(all_nan(y.row(i)), i == 3 || i == 4) << i;
  EXPECT_EQ(y.array().isNaN().count(), 2 * 2);
  // NaN in, NaN out, and in that row alone
  for (Index v = 0; v < 3; ++v) {
    const Matrix at = predict_view(f.fit, v, h, {}, Threads(1));
    EXPECT_EQ(at.array().isNaN().count(), at.cols()) << v;
    EXPECT_TRUE(all_nan(at.row(3))) << v;
  }
}

TEST(KpcaMissing, TheViewItselfDoesNotMatterWhenPredictedFromOthers) {
  const Fitted& f = fitted();
  for (Index v = 0; v < 3; ++v) {
    std::vector<Matrix> other = f.fresh;
    other[std::size_t(v)] = Rng(9).normal(n_new, other[std::size_t(v)].cols());
    std::vector<bool> present(3, true);
    present[std::size_t(v)] = false;
    const Matrix y = predict_from_others(f.fit, v, tables(f.fresh), Threads(1));
    EXPECT_EQ(y, predict_from_others(f.fit, v, tables(other), Threads(1))) << v;
    EXPECT_EQ(y, predict_from_others(f.fit, v, tables(without(f.fresh, present)), Threads(1))) << v;
  }
}

TEST(KpcaMissing, PredictsWhatTheViewsShare) {
  const std::vector<Matrix> all = three_tables(4, 260, 0.02), train = rows_of(all, 0, 200),
                            fresh = rows_of(all, 200, 60);
  for (const std::string kernel : {"linear", "rbf"}) {
    const KpcaFit fit = fit_kpca(
        tables(train), {.dims = kernel == "rbf" ? 20 : 2, .view = {.kernel = kernel}}, 1, Threads(2));
    for (Index v = 0; v < 3; ++v)
      EXPECT_GT(r2(fresh[std::size_t(v)], predict_from_others(fit, v, tables(fresh), Threads(1))), 0.9)
          << kernel << " " << v;
  }
}

TEST(KpcaMissing, DirectionsThatNobodySeesStayAtZero) {
  // two columns without correlation in two views: each component belongs to one view alone
  const Index n = 8;
  Matrix a(n, 1), b(n, 1);
  for (Index i = 0; i < n; ++i) {
    a(i, 0) = i < 4 ? 2 : -2;
    b(i, 0) = i % 2 ? 1 : -1;
  }
  const KpcaFit fit = fit_kpca(
      tables({a, b}), {.dims = 2, .view = {.kernel = "linear", .scaling = ScalingKind::none}}, 1, Threads(1));
  EXPECT_LT(largest(fit.lambda - Vector{{32, 8}}), 1e-10);
  const Matrix from_a = embed(fit, join({make_view("a", a)}), Threads(1)),
               from_b = embed(fit, join({make_view("b", b)}), Threads(1));
  EXPECT_LT(largest(from_a.col(0) - fit.H.col(0)), 1e-10);
  EXPECT_LT(largest(from_a.col(1)), 1e-10);
  EXPECT_LT(largest(from_b.col(1) - fit.H.col(1)), 1e-10);
  EXPECT_LT(largest(from_b.col(0)), 1e-10);
}

TEST(KpcaMissing, HaveTheSameBytesForAnyNumberOfThreads) {
  const Fitted& f = fitted();
  const std::vector<Matrix> many = three_tables(6, 700);
  std::vector<Matrix> holes = many;
  for (Index i = 0; i < 700; ++i)
    for (std::size_t v = 0; v < 3; ++v)
      if (!pattern(int(i % 8))[v]) holes[v](i, 0) = not_measured;
  const Matrix h = embed(f.fit, tables(holes), Threads(1));
  const Matrix y = predict_from_others(f.fit, 1, tables(holes), Threads(1));
  const auto same = [](const Matrix& A, const Matrix& B) {
    return ((A.array() == B.array()) || (A.array().isNaN() && B.array().isNaN())).all();
  };
  for (const int count : {2, 7}) {
    EXPECT_TRUE(same(h, embed(f.fit, tables(holes), Threads(count)))) << count;
    EXPECT_TRUE(same(y, predict_from_others(f.fit, 1, tables(holes), Threads(count)))) << count;
  }
}

TEST(KpcaMissing, LearnsFromCompleteSamplesAndPlacesTheOthers) {
  const Fitted& f = fitted();
  std::vector<Matrix> joined = f.all;
  for (std::size_t v = 0; v < 3; ++v)
    for (Index i = 0; i < n_new; ++i)
      if (v == std::size_t(i % 3)) joined[v](n_train + i, 1) = not_measured;
  const KpcaFit fit = fit_kpca(tables(joined), three_kinds(), 1, Threads(1));
  EXPECT_EQ(fit.ids.size(), std::size_t(n_train));
  EXPECT_LT(largest(fit.H - f.fit.H), 1e-10);
  ASSERT_EQ(fit.notes.size(), 1u);
  EXPECT_NE(fit.notes[0].find("50 of 58"), std::string::npos) << fit.notes[0];
}

/// Two noisy linear views of two hidden numbers, five components: what a view has of the last ones is noise.
TEST(KpcaMissing, HardlySeenDirectionsDoNotThrowSamplesOut) {
  const Matrix x = Rng(21).normal(120, 2);
  const Matrix a = x * Rng(22).normal(2, 4) + 0.3 * Rng(23).normal(120, 4);
  const Matrix b = x * Rng(24).normal(2, 4) + 0.3 * Rng(25).normal(120, 4);
  const KpcaFit fit = fit_kpca(tables({a.topRows(100), b.topRows(100)}),
                               {.dims = 5, .view = {.kernel = "linear"}}, 1, Threads(1));
  const Matrix guess = predict_from_others(fit, 1, tables({a.bottomRows(20), b.bottomRows(20)}), Threads(1));
  const Matrix truth = b.bottomRows(20);
  const Matrix centred = truth.rowwise() - b.topRows(100).colwise().mean();
  EXPECT_GT(1 - (guess - truth).squaredNorm() / centred.squaredNorm(), 0.6);
}

}  // namespace
}  // namespace bochner::missing_test
