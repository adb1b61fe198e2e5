// From feature space back to the columns, in every way.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::preimage_test {
namespace {

using namespace testing;

using Kind = FeatureSpec::Kind;

/// A closed curve in three columns of different size and place.
Matrix curve(const Vector& t) {
  Matrix Y(t.size(), 3);
  Y.col(0) = 5 + 2 * t.array().cos();
  Y.col(1) = -1 + t.array().sin();
  Y.col(2) = 0.1 * (2 * t.array()).sin();
  return Y;
}

/// A bent sheet in four columns.
Matrix sheet(const Matrix& uv) {
  Matrix Y(uv.rows(), 4);
  const auto u = uv.col(0).array(), v = uv.col(1).array();
  Y.col(0) = u + 3;
  Y.col(1) = 2 * v;
  Y.col(2) = (2 * u).sin();
  Y.col(3) = u * v - 1;
  return Y;
}
Matrix on_square(Index n, std::uint64_t seed) {
  return (2 * Eigen::Map<const Matrix>(Rng(seed).uniform(2 * n).data(), n, 2)).array() - 1;
}

struct Way {
  std::string kernel;
  Kind kind;
  Preimage preimage;
};
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.kernel << ", features " << int(way.kind) << ", pre-image " << int(way.preimage);
}

class EveryPreimage : public ::testing::TestWithParam<Way> {
 protected:
  KpcaViewOptions options() const {
    const Way& way = GetParam();
    return {.kernel = way.kernel,
            .features = {.kind = way.kind, .count = way.kind == Kind::random ? 300 : 0},
            .weight = 0.4,
            .preimage = way.preimage};
  }
};

TEST_P(EveryPreimage, FindsPointsOnACurve) {
  const Vector t = Vector::LinSpaced(100, 0.0, 2 * pi * 0.99), between = t.array() + pi * 0.01;
  const Matrix Y = curve(t), fresh = curve(between);
  const KpcaFit fit = fit_kpca(tables({Y}), {.dims = 20, .view = options()}, 1, Threads(2));
  EXPECT_EQ(fit.views[0].preimage, GetParam().preimage);
  EXPECT_GT(r2(Y, predict_view(fit, 0, fit.H, {}, Threads(1))), 0.99);
  const Matrix h = embed(fit, tables({fresh}), Threads(1));
  EXPECT_GT(r2(fresh, predict_view(fit, 0, h, {}, Threads(1))), 0.99);
}

TEST_P(EveryPreimage, FindsPointsOnASheet) {
  const Matrix Y = sheet(on_square(150, 1)), fresh = sheet(on_square(50, 2));
  const KpcaFit fit = fit_kpca(tables({Y}), {.dims = 30, .view = options()}, 1, Threads(2));
  const Matrix h = embed(fit, tables({fresh}), Threads(1)), found = predict_view(fit, 0, h, {}, Threads(1));
  EXPECT_GT(r2(fresh, found), 0.97);
  EXPECT_EQ(found, predict_view(fit, 0, h, {}, Threads(7)));
  // alone or among others; a search ends within its own tolerance, where rounding decides on the last step
  const double tolerance = GetParam().preimage == Preimage::gradient ? 1e-6 : 1e-9;
  EXPECT_LT(largest(predict_view(fit, 0, h.middleRows(7, 1), {}, Threads(1)) - found.row(7)), tolerance);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, EveryPreimage,
    ::testing::Values(
        Way{"linear", Kind::automatic, Preimage::identity}, Way{"linear", Kind::finite, Preimage::ridge},
        Way{"rbf", Kind::exact, Preimage::smoother}, Way{"rbf", Kind::exact, Preimage::fixed_point},
        Way{"rbf", Kind::exact, Preimage::ridge}, Way{"rbf", Kind::exact, Preimage::gradient},
        Way{"rbf", Kind::random, Preimage::ridge}, Way{"matern52", Kind::exact, Preimage::smoother},
        Way{"matern52", Kind::exact, Preimage::gradient}, Way{"poly3", Kind::exact, Preimage::gradient},
        Way{"rbf", Kind::nystrom, Preimage::ridge}, Way{"poly2", Kind::finite, Preimage::ridge}));

TEST(KpcaPreimage, IdentityIsExact) {
  const std::vector<Matrix> all = three_tables(1, 60), Y = rows_of(all, 0, 40), fresh = rows_of(all, 40, 20);
  for (const KpcaSolver solver : {KpcaSolver::primal, KpcaSolver::dual})
    for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::standardise, ScalingKind::whole_view}) {
      const KpcaFit fit = fit_kpca(
          tables(Y),
          {.dims = 9,
           .view = {.kernel = "linear", .scaling = scaling, .weight = 0.3, .preimage = Preimage::identity},
           .solver = solver},
          1, Threads(1));
      EXPECT_EQ(fit.views[0].preimage, Preimage::identity);
      const Matrix h = embed(fit, tables(fresh), Threads(1));
      for (Index v = 0; v < 3; ++v) {
        EXPECT_LT(largest(predict_view(fit, v, fit.H, {}, Threads(1)) - Y[std::size_t(v)]), 1e-9) << v;
        EXPECT_LT(largest(predict_view(fit, v, h, {}, Threads(1)) - fresh[std::size_t(v)]), 1e-9) << v;
        // no component at all: the mean
        const Matrix origin = predict_view(fit, v, Matrix::Zero(1, 9), {}, Threads(1));
        EXPECT_LT(largest(origin - Y[std::size_t(v)].colwise().mean()), 1e-9) << v;
      }
    }
}

TEST(KpcaPreimage, AutomaticFollowsTheKernel) {
  const std::vector<Matrix> Y = three_tables(1, 40);
  const auto chosen = [&](const std::string& kernel) {
    return fit_kpca(tables({Y[0]}), {.view = {.kernel = kernel}}, 1, Threads(1)).views[0].preimage;
  };
  EXPECT_EQ(chosen("linear"), Preimage::identity);
  EXPECT_EQ(chosen("rbf"), Preimage::ridge);
  EXPECT_EQ(chosen("poly2"), Preimage::ridge);
  // beside other views, whose noise the plain inference would let through
  EXPECT_EQ(fit_kpca(tables(Y), {.view = {.kernel = "linear"}}, 1, Threads(1)).views[0].preimage,
            Preimage::ridge);
}

// ---- ridge

struct RidgeCase {
  std::vector<Matrix> Y = three_tables(2, 40, 1.5);  // much noise and many components: the penalty matters
  KpcaFit fit =
      fit_kpca(tables(Y),
               {.dims = 15,
                .own = {{KpcaViewOptions{.kernel = "rbf", .lengthscale = 2, .weight = 3}},
                        {KpcaViewOptions{.kernel = "rbf", .lengthscale = 1, .preimage = Preimage::ridge}},
                        {KpcaViewOptions{.kernel = "linear", .weight = 0.5}}}},
               1, Threads(1));
};

/// Generalised cross-validation of a ridge with design H (n x s, centred) and centred answers X.
double gcv(const Matrix& H, const Matrix& X, double penalty) {
  const Index n = H.rows(), p = H.cols();
  const Matrix inverse = (H.transpose() * H + penalty * Matrix::Identity(p, p)).inverse();
  const Matrix S = H * inverse * H.transpose();
  const double left = double(n) - 1 - S.trace();  // one more for the mean
  return (X - S * X).squaredNorm() / (left * left);
}

TEST(KpcaPreimage, RidgeIsADenseRidgeAtTheOptimumOfItsScore) {
  const RidgeCase c;
  for (const std::vector<bool>& present :
       {std::vector<bool>{true, true, true}, {true, false, true}, {true, false, false}}) {
    std::vector<Matrix> seen = c.Y;
    for (std::size_t v = 0; v < 3; ++v)
      if (!present[v]) seen[v].setConstant(not_measured);
    const Matrix H = embed(c.fit, tables(seen), Threads(1));  // training samples as these views place them
    const Matrix X = standardised(c.Y[1]);
    // rows of B: the answers to unit components
    const Scaling& scaling = c.fit.views[1].scaling;
    const Matrix origin = scaling.apply(predict_view(c.fit, 1, Matrix::Zero(1, 15), present, Threads(1)));
    const Matrix ones = scaling.apply(predict_view(c.fit, 1, Matrix::Identity(15, 15), present, Threads(1)));
    EXPECT_LT(largest(origin), 1e-10);
    const Matrix B = ones.rowwise() - origin.row(0);
    // (H'H + rho I) B = H'X for one rho
    const Matrix rest = H.transpose() * X - H.transpose() * H * B;
    const double rho = rest.cwiseProduct(B).sum() / B.squaredNorm();
    EXPECT_LT(largest(rest - rho * B), 1e-8 * largest(H.transpose() * X)) << rho;
    EXPECT_GE(rho, -1e-10);
    double best = std::numeric_limits<double>::infinity();
    for (double log_penalty = -25; log_penalty < 15; log_penalty += 0.05)
      best = std::min(best, gcv(H, X, std::exp(log_penalty)));
    EXPECT_LT(gcv(H, X, std::max(rho, 0.0)), 1.01 * best);
  }
}

// ---- nearest points of the image

/// |Psi - phi(x)|^2 up to a constant, for Psi = mean + Phi'H h, from the kernel alone:
///   k(x, x) - 2 sum_i (1/n + H_i'h) k(x, x_i)
double distance(const AnyKernel& k, const Matrix& X, const Matrix& H, const Vector& h, const Vector& x) {
  double out = evaluate(k, x, x);
  for (Index i = 0; i < X.rows(); ++i)
    out -= 2 * (1 / double(X.rows()) + H.row(i).dot(h)) * evaluate(k, x, X.row(i).transpose());
  return out;
}

TEST(KpcaPreimage, FixedPointAndGradientEndWhereTheDistanceIsStationary) {
  const std::vector<Matrix> Y = three_tables(3, 50);
  const Matrix X = standardised(Y[0]);
  for (const auto& [name, preimage] : {std::pair{std::string("rbf"), Preimage::fixed_point},
                                       {"rbf", Preimage::gradient},
                                       {"rq", Preimage::gradient},
                                       {"matern52", Preimage::gradient},
                                       {"poly2", Preimage::gradient}}) {
    SCOPED_TRACE(name + " " + std::to_string(int(preimage)));
    const KpcaFit fit = fit_kpca(tables({Y[0], Y[1]}),
                                 {.dims = 6,
                                  .own = {{KpcaViewOptions{.kernel = name,
                                                           .lengthscale = 2,
                                                           .features = {.kind = Kind::exact},
                                                           .weight = 0.7,
                                                           .preimage = preimage}},
                                          {KpcaViewOptions{.kernel = "linear"}}}},
                                 1, Threads(1));
    const AnyKernel k = make_kernel(name, 4, Rng(1), {.ell = 2});
    const Matrix at = fit.views[0].scaling.apply(predict_view(fit, 0, fit.H, {}, Threads(1)));
    for (Index i = 0; i < 50; i += 7) {
      const Vector h = fit.H.row(i), x = at.row(i);
      const auto f = [&](const Vector& z) { return distance(k, X, fit.H, h, z); };
      const Vector slope = numerical_gradient(f, x);
      EXPECT_LT(slope.norm(), 2e-5) << "row " << i << ": " << slope.transpose();
      // and it is no worse than any sample
      double nearest = std::numeric_limits<double>::infinity();
      for (Index j = 0; j < 50; ++j) nearest = std::min(nearest, f(X.row(j).transpose()));
      EXPECT_LE(f(x), nearest + 1e-9) << i;
    }
  }
}

TEST(KpcaPreimage, SmootherStaysAmongTheSamples) {
  const std::vector<Matrix> Y = three_tables(3, 50);
  const KpcaFit fit = fit_kpca(
      tables({Y[0]}), {.dims = 6, .view = {.kernel = "rbf", .preimage = Preimage::smoother}}, 1, Threads(1));
  const Matrix h = 3 * Rng(4).normal(20, 6), y = predict_view(fit, 0, h, {}, Threads(1));
  for (Index m = 0; m < 4; ++m) {
    EXPECT_GE(y.col(m).minCoeff(), Y[0].col(m).minCoeff() - 1e-9);
    EXPECT_LE(y.col(m).maxCoeff(), Y[0].col(m).maxCoeff() + 1e-9);
  }
}

TEST(KpcaPreimage, FarAwayComponentsGiveFiniteAnswers) {
  const std::vector<Matrix> Y = three_tables(3, 50);
  Matrix h(4, 4);
  h << 0, 0, 0, 0, 1e6, 0, 0, 0, -1e6, 1e6, 1, 0, 1e-9, 0, 0, -1e3;
  for (const Preimage preimage :
       {Preimage::smoother, Preimage::fixed_point, Preimage::gradient, Preimage::ridge}) {
    const KpcaFit fit =
        fit_kpca(tables({Y[0]}), {.dims = 4, .view = {.kernel = "rbf", .preimage = preimage}}, 1, Threads(1));
    EXPECT_TRUE(predict_view(fit, 0, h, {}, Threads(1)).allFinite()) << int(preimage);
  }
}

TEST(KpcaPreimage, SamplesWithoutComponentsStayUnknown) {
  // embed() gives NaN to samples that lack every view
  const std::vector<Matrix> Y = three_tables(3, 50);
  for (const Preimage preimage :
       {Preimage::smoother, Preimage::fixed_point, Preimage::gradient, Preimage::ridge}) {
    const KpcaFit fit =
        fit_kpca(tables({Y[0]}), {.dims = 4, .view = {.kernel = "rbf", .preimage = preimage}}, 1, Threads(1));
    Matrix h = fit.H.topRows(3);
    const Matrix whole = predict_view(fit, 0, h, {}, Threads(1));
    h.row(1).setConstant(not_measured);
    const Matrix y = predict_view(fit, 0, h, {}, Threads(1));
    EXPECT_TRUE(all_nan(y.row(1))) << int(preimage);
    EXPECT_EQ(y.row(0), whole.row(0)) << int(preimage);
    EXPECT_EQ(y.row(2), whole.row(2)) << int(preimage);
  }
}

// ---- what does not go together

TEST(KpcaPreimage, WrongCombinationsNameTheView) {
  const std::vector<Matrix> Y = three_tables(3, 30);
  const auto refused = [&](const KpcaViewOptions& second) {
    return input_error([&] {
      fit_kpca(tables({Y[0], Y[1]}), {.own = {{KpcaViewOptions{.kernel = "linear"}}, {second}}}, 1,
               Threads(1));
    });
  };
  for (const KpcaViewOptions& bad :
       {KpcaViewOptions{.kernel = "rbf", .preimage = Preimage::identity},
        KpcaViewOptions{.kernel = "poly2", .preimage = Preimage::identity},
        KpcaViewOptions{.kernel = "rbf", .features = {.kind = Kind::random}, .preimage = Preimage::identity},
        KpcaViewOptions{.kernel = "matern32", .preimage = Preimage::fixed_point},
        KpcaViewOptions{.kernel = "linear", .preimage = Preimage::fixed_point},
        // these compare kernel values with training rows, which explicit features do not keep
        KpcaViewOptions{.kernel = "rbf", .features = {.kind = Kind::random}, .preimage = Preimage::smoother},
        KpcaViewOptions{.kernel = "rbf", .features = {.kind = Kind::nystrom}, .preimage = Preimage::gradient},
        KpcaViewOptions{
            .kernel = "rbf", .features = {.kind = Kind::random}, .preimage = Preimage::fixed_point},
        KpcaViewOptions{.kernel = "rbf", .preimage = Preimage::network},
        KpcaViewOptions{.kernel = "linear", .preimage = Preimage::network},
        KpcaViewOptions{.kernel = "rbf", .features = {.kind = Kind::finite}},
        KpcaViewOptions{.kernel = "poly2", .features = {.kind = Kind::random}}}) {
    const std::string message = refused(bad);
    EXPECT_NE(message.find("'b'"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(KpcaPreimage, ChecksShapesAtTheDoor) {
  const std::vector<Matrix> Y = three_tables(3, 30);
  const KpcaFit fit = fit_kpca(tables(Y), {.view = {.kernel = "linear"}}, 1, Threads(1));
  EXPECT_THROW(predict_view(fit, 3, fit.H, {}, Threads(1)), std::exception);
  EXPECT_THROW(predict_view(fit, -1, fit.H, {}, Threads(1)), std::exception);
  EXPECT_THROW(predict_view(fit, 0, Matrix::Zero(4, 3), {}, Threads(1)), std::invalid_argument);
  EXPECT_THROW(predict_view(fit, 0, fit.H, {true, true}, Threads(1)), std::invalid_argument);
  EXPECT_THROW(scores(fit, Matrix::Zero(4, 3)), std::invalid_argument);
  EXPECT_EQ(predict_view(fit, 0, Matrix::Zero(0, 2), {}, Threads(1)).rows(), 0);
}

}  // namespace
}  // namespace bochner::preimage_test
