#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/relevance.hpp"
#include "examples.hpp"
#include "src/models/gplvm/weights.hpp"

namespace bochner::predict_test {
namespace {

constexpr Index Q = 2, m = 15, M = 3;

/// A view whose functions were learned from m latents and as many noisy values.
GplvmView example(const std::string& kernel = "rbf") {
  GplvmView view{.name = "y",
                 .columns = {"a", "b", "c"},
                 .kernel = make_kernel(kernel, Q, Rng(1)),
                 .noise_variance = 0.1};
  view.Z = Rng(2).normal(m, Q);
  Eigen::MatrixXd K(m, m);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < m; ++j)
      K(i, j) = evaluate(view.kernel, view.Z.row(i).transpose(), view.Z.row(j).transpose());
  K.diagonal().array() += view.noise_variance;
  const Eigen::LLT<Eigen::MatrixXd> llt(K);
  set_functions(view, llt.solve(Eigen::MatrixXd(Rng(3).normal(m, M))),
                llt.solve(Eigen::MatrixXd::Identity(m, m)));
  view.scaling = {
      .kind = ScalingKind::standardise, .centre = Vector{{10, -3, 0}}, .scale = Vector{{2, 0.5, 100}}};
  return view;
}

/// The same with scales of their own in every column.
GplvmView by_column(const std::string& kernel) {
  GplvmView view = example(kernel);
  view.noise = Vector{{0.1, 0.4, 0.02}};
  view.amplitude = Vector{{1, 0.3, 2.5}};
  view.ratio = Vector{{1, 4, 1.5}};  // at least the one that R was made for
  view.calibration = 1.7;
  return view;
}

/// E f and V f at one x by the formulas of fit.hpp, entry by entry, scaled units.
std::pair<Vector, Vector> at_point(const GplvmView& view, const Vector& x) {
  const Index p = view.G.cols();
  Vector phi = Vector::Zero(p), mean = Vector::Zero(M), variance = Vector::Zero(M);
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < p; ++i)
      phi(i) += view.G(j, i) * evaluate(view.kernel, x, view.Z.row(j).transpose());
  for (Index c = 0; c < M; ++c) {
    double left = evaluate(view.kernel, x, x);
    for (Index i = 0; i < p; ++i) {
      mean(c) += phi(i) * view.W(i, c);
      left -= phi(i) * phi(i) * view.lambda(i) / (view.lambda(i) + view.ratio(c));
    }
    variance(c) = view.amplitude(c) * left;
  }
  return {mean, variance};
}

// With one noise for all columns the functions are those of the m latents: E f = k'(K + s I)^-1 y, V f = k(x, x) -
// k'(K + s I)^-1 k.
TEST(GplvmPredict, OneNoiseForAllColumnsIsTheGaussianProcess) {
  const GplvmView view = example("rbf");
  EXPECT_EQ(view.noise, Vector::Constant(M, 0.1));
  Eigen::MatrixXd K = gram(view.kernel, view.Z, Threads(1));
  K.diagonal().array() += 0.1;
  const Matrix X = Rng(4).normal(7, Q);
  const Eigen::MatrixXd k = gram(view.kernel, X, view.Z, Threads(1)), w = K.llt().solve(k.transpose());
  const Eigen::MatrixXd mean = w.transpose() * Rng(3).normal(m, M);
  for (Index n = 0; n < 7; ++n) {
    const auto [found, variance] = at_point(view, X.row(n).transpose());
    for (Index c = 0; c < M; ++c) {
      EXPECT_NEAR(found(c), mean(n, c), 1e-10);
      EXPECT_NEAR(variance(c), 1 - k.row(n).dot(w.col(n)), 1e-10);
    }
  }
}

TEST(GplvmPredict, AtAPointHasTheScaleOfTheColumn) {
  for (const char* kernel : {"rbf", "ngsm", "matern32"}) {
    for (const GplvmView& view : {example(kernel), by_column(kernel)}) {
      const Matrix X = Rng(4).normal(7, Q);
      const Predictive p = predict(view, {X, Matrix::Constant(7, Q, 1e-9)}, Threads(1));
      for (Index n = 0; n < 7; ++n) {
        const auto [mean, variance] = at_point(view, X.row(n).transpose());
        for (Index c = 0; c < M; ++c) {
          const double scale = view.scaling.scale(c), unit = view.calibration * scale * scale;
          EXPECT_NEAR(p.mean(n, c), mean(c) * scale + view.scaling.centre(c), 1e-6 * scale) << kernel;
          EXPECT_NEAR(p.f_variance(n, c), variance(c) * unit, 1e-6 * unit) << kernel;
          EXPECT_NEAR(p.y_variance(n, c), (variance(c) + view.noise(c)) * unit, 1e-6 * unit) << kernel;
        }
      }
    }
  }
}

TEST(GplvmPredict, CarriesTheUncertaintyOfTheLatent) {
  const Index draws = 20000;
  for (const char* kernel : {"rbf", "ngsm"}) {
    const GplvmView view = example(kernel);
    const LatentPosterior q{0.7 * Rng(5).normal(3, Q), Matrix{{0.1, 0.02}, {0.05, 0.15}, {0.12, 0.12}}};
    const Predictive p = predict(view, q, Threads(1));
    Rng rng(6);
    double largest = 0;
    for (Index n = 0; n < 3; ++n) {
      Matrix f(draws, M);
      Vector left = Vector::Zero(M);
      for (Index i = 0; i < draws; ++i) {
        Vector x(Q);
        for (Index d = 0; d < Q; ++d) x(d) = q.mean(n, d) + q.sd(n, d) * rng.normal();
        const auto [mean, variance] = at_point(view, x);
        f.row(i) = mean.transpose();
        left += variance / double(draws);
      }
      for (Index c = 0; c < M; ++c) {
        const double scale = view.scaling.scale(c), mean = f.col(c).mean();
        const double spread = (f.col(c).array() - mean).square().mean(), sd = std::sqrt(spread);
        const double found = (p.mean(n, c) - view.scaling.centre(c)) / scale;
        // Monte-Carlo error, and what the third-degree rule leaves out: terms of fourth order in sd
        EXPECT_NEAR(found, mean, 4 * sd / std::sqrt(double(draws)) + 0.02 * sd) << kernel;
        EXPECT_NEAR(p.f_variance(n, c) / (scale * scale), left(c) + spread, 0.1 * spread + 0.01 * left(c))
            << kernel;
        largest = std::max(largest, spread / left(c));
      }
    }
    EXPECT_GT(largest, 0.1) << kernel << ": the latent must matter somewhere";
  }
}

TEST(GplvmPredict, FarAwayIsThePrior) {
  const GplvmView view = example("rbf");
  const Predictive p = predict(view, {Matrix::Constant(1, Q, 50), Matrix::Constant(1, Q, 0.1)}, Threads(1));
  for (Index c = 0; c < M; ++c) {
    EXPECT_NEAR(p.mean(0, c), view.scaling.centre(c), 1e-12);
    EXPECT_NEAR(p.f_variance(0, c), view.scaling.scale(c) * view.scaling.scale(c), 1e-9 * p.f_variance(0, c));
  }
}

TEST(GplvmPredict, RowsDoNotSeeEachOther) {
  const GplvmView view = example("ngsm");
  const LatentPosterior q{Rng(7).normal(37, Q), Matrix::Constant(37, Q, 0.2)};
  const Predictive all = predict(view, q, Threads(2));
  const Predictive back = predict(view, {q.mean.colwise().reverse(), q.sd}, Threads(1));
  for (Index n = 0; n < 37; ++n) {
    const Predictive alone = predict(view, {q.mean.row(n), q.sd.row(n)}, Threads(1));
    EXPECT_EQ(alone.mean, all.mean.row(n));
    EXPECT_EQ(alone.f_variance, all.f_variance.row(n));
    EXPECT_EQ(alone.y_variance, all.y_variance.row(n));
    EXPECT_EQ(alone.mean, back.mean.row(36 - n));
  }
}

TEST(GplvmPredict, Refusals) {
  const GplvmView view = example();
  EXPECT_EQ(view.index("c"), 2);
  EXPECT_THROW(view.index("d"), InputError);
  const Threads threads(1);
  EXPECT_THROW(predict(view, {Matrix::Zero(2, 3), Matrix::Ones(2, 3)}, threads), std::invalid_argument);
  EXPECT_THROW(predict(view, {Matrix::Zero(2, Q), Matrix::Ones(3, Q)}, threads), std::invalid_argument);
  EXPECT_THROW(predict(view, {Matrix::Zero(2, Q), Matrix::Ones(2, 1)}, threads), std::invalid_argument);
  EXPECT_THROW(predict(view, {Matrix::Constant(2, Q, std::nan("")), Matrix::Ones(2, Q)}, threads),
               std::domain_error);
  EXPECT_THROW(predict(view, {Matrix::Zero(2, Q), Matrix::Constant(2, Q, std::nan(""))}, threads),
               std::domain_error);
}

// ---- which dimensions matter --------------------------------------------------------------------------------

/// y = f(x_1) in the first view, g(x_1) + h(x_2) in the second; the model knows it exactly.
struct Known {
  GplvmFit fit;
  Dataset data;
  double share = 0;  // of the variance of the second view that is due to x_2
};

Known known(bool sorted) {
  const Index N = 200;
  Matrix X(N, 2);
  Rng rng(11);
  for (Index n = 0; n < N; ++n) {
    X(n, 0) = sorted ? -1.7 + 3.4 * double(n) / double(N - 1) : -1.7 + 3.4 * rng.uniform();
    X(n, 1) = -1.7 + 3.4 * rng.uniform();
  }
  Matrix a(N, 2), b(N, 2);
  for (Index n = 0; n < N; ++n) {
    a.row(n) << std::sin(2 * X(n, 0)), X(n, 0) + 1;
    b.row(n) << 2 * std::cos(X(n, 0)) + 0.5 * X(n, 1), std::sin(X(n, 1));
  }
  Matrix of_first(N, 2), of_second(N, 2);
  for (Index n = 0; n < N; ++n) {
    of_first.row(n) << 2 * std::cos(X(n, 0)), 0;
    of_second.row(n) << 0.5 * X(n, 1), std::sin(X(n, 1));
  }
  const auto variance = [](Matrix A) {
    A.rowwise() -= A.colwise().mean().eval();
    return A.squaredNorm();
  };
  Known out{{.latent = {X, Matrix::Constant(N, 2, 0.01)}}, join({make_view("a", a), make_view("b", b)})};
  out.share = variance(of_second) / (variance(of_first) + variance(of_second));
  for (Index v = 0; v < 2; ++v) {
    const View& table = out.data.view(v);
    GplvmView view{.name = table.name,
                   .columns = table.columns,
                   .scaling = fit_scaling(table.Y, ScalingKind::whole_view),
                   .kernel = Rbf{.ell = v == 0 ? Vector{{1.0, 1e4}} : Vector{{1.5, 1.5}}, .sigma2 = 4.0},
                   .noise_variance = 1e-4,
                   .Z = X};
    Eigen::MatrixXd K = gram(view.kernel, X, Threads(1));
    K.diagonal().array() += view.noise_variance;
    const Eigen::LLT<Eigen::MatrixXd> llt(K);
    set_functions(view, llt.solve(Eigen::MatrixXd(view.scaling.apply(table.Y))),
                  llt.solve(Eigen::MatrixXd::Identity(N, N)));
    out.fit.views.push_back(std::move(view));
  }
  return out;
}

TEST(GplvmRelevance, IsTheShareOfEachDimension) {
  for (const bool sorted : {false, true}) {
    const Known example = known(sorted);
    const Relevance r = relevance(example.fit, example.data, Threads(1));
    ASSERT_EQ(r.by_view.rows(), 2);
    ASSERT_EQ(r.by_view.cols(), 2);
    EXPECT_GT(r.explained(0), 0.999);
    EXPECT_GT(r.explained(1), 0.999);
    EXPECT_NEAR(r.by_view(0, 0), 1, 0.01) << "sorted " << sorted;  // all of it
    EXPECT_LT(r.by_view(0, 1), 1e-3);                              // nothing
    EXPECT_NEAR(r.by_view(1, 0), 1 - example.share, 0.02) << "sorted " << sorted;
    EXPECT_NEAR(r.by_view(1, 1), example.share, 0.02) << "sorted " << sorted;
    ASSERT_EQ(r.by_column.size(), 2u);
    EXPECT_NEAR(r.by_column[0](0, 0), 1, 0.01);
    EXPECT_LT(r.by_column[0](1, 1), 1e-3);
    EXPECT_NEAR(r.by_column[1](1, 1), 1, 0.02) << "sorted " << sorted;  // the last column knows x_2 alone
    EXPECT_LT(r.by_column[1](1, 0), 0.01);
  }
}

TEST(GplvmRelevance, CountsMeasuredEntriesAlone) {
  const Known example = known(false);
  Matrix a = example.data.view(0).Y;
  a.topRows(50).col(0).setConstant(std::nan(""));
  a.col(1).setConstant(std::nan(""));
  const Relevance r =
      relevance(example.fit, example.data.with_values({a, example.data.view(1).Y}), Threads(1));
  EXPECT_TRUE(r.by_view.allFinite());
  EXPECT_GT(r.explained(0), 0.99);
  EXPECT_EQ(r.by_column[0].row(1), Eigen::RowVectorXd::Zero(2));
  EXPECT_THROW(relevance(example.fit, example.data.take_rows(IndexVector{{0, 1, 2}}), Threads(1)),
               std::invalid_argument);
}

TEST(GplvmRelevance, TellsSharedFromPrivate) {
  Relevance r{Matrix(3, 4), {}, Vector{{0.6, 0.05, 0.0}}};
  r.by_view << 0.3, 0.02, 0.2, 0.0,  //
      0.03, 0.009, 0.0, 0.0,         //
      0.0, 0.0, 0.0, 0.0;
  BoolMatrix expected(3, 4);
  expected << true, false, true, false,  // 0.02 is less than a twentieth of 0.6
      true, false, false, false,         // 0.009 is less than a hundredth
      false, false, false, false;
  EXPECT_EQ(views_of_dimensions(r), expected);
}

TEST(GplvmRelevance, LoadingsAreMeanDerivativesOfPredictions) {
  const Known example = known(false);
  const std::vector<Matrix> found = loadings(example.fit, example.data, Threads(1));
  ASSERT_EQ(found.size(), 2u);
  const Matrix& X = example.fit.latent.mean;
  const LatentPosterior still{X, Matrix::Zero(X.rows(), 2)};
  for (std::size_t v = 0; v < 2; ++v) {
    const Matrix& Y = example.data.view(Index(v)).Y;
    for (Index q = 0; q < 2; ++q) {
      LatentPosterior up = still, down = still;
      constexpr double h = 1e-4;
      up.mean.col(q).array() += h;
      down.mean.col(q).array() -= h;
      const Matrix slope = (predict(example.fit.views[v], up, Threads(1)).mean -
                            predict(example.fit.views[v], down, Threads(1)).mean) /
                           (2 * h);
      const auto sd = [](const Vector& x) { return std::sqrt((x.array() - x.mean()).square().mean()); };
      for (Index c = 0; c < Y.cols(); ++c)
        EXPECT_NEAR(found[v](c, q), slope.col(c).mean() * sd(X.col(q)) / sd(Y.col(c)), 1e-5) << c << q;
    }
  }
  EXPECT_EQ(found[0], loadings(example.fit, example.data, Threads(3))[0]);
}

// Columns that were measured one to five times: what their few entries have in common is no certainty.
TEST(GplvmPredict, IntervalsOfColumnsThatWereSeldomMeasuredHold) {
  constexpr Index samples = 120, columns = 40, rare = 20;
  Rng rng(1);
  const Matrix X = rng.normal(samples, 2);
  const Matrix truth = (X * rng.normal(2, columns)).array().sin().matrix() +
                       0.4 * rng.normal(samples, columns) + rng.normal(1, columns).replicate(samples, 1);
  Matrix Y = truth;
  for (Index column = 0; column < rare; ++column)
    for (Index n = 1 + column % 5; n < samples; ++n) Y(n, column) = std::numeric_limits<double>::quiet_NaN();
  for (const ViewScaling scaling : {ViewScaling::whole_view, ViewScaling::standardise}) {
    const GplvmFit fit = fit_gplvm(
        join({make_view("y", Y)}),
        {.view = {.kernel = "rbf", .scaling = scaling}, .steps = 150, .restarts = 1}, 1, Threads(2));
    const Predictive p = predict(fit.views[0], fit.latent, Threads(2));
    double inside = 0, entries = 0;
    for (Index column = 0; column < rare; ++column) {
      if (scaling == ViewScaling::standardise && column % 5 == 0) continue;  // one value has no unit
      for (Index n = 0; n < samples; ++n) {
        if (!std::isnan(Y(n, column))) continue;
        inside +=
            std::abs(truth(n, column) - p.mean(n, column)) < 1.6449 * std::sqrt(p.y_variance(n, column));
        ++entries;
      }
    }
    EXPECT_GT(inside / entries, 0.8) << int(scaling);
    EXPECT_LT(inside / entries, 0.99) << int(scaling);
  }
}

TEST(GplvmRelevance, ResponsesAreMeanPredictions) {
  const Known example = known(false);
  const Vector values = response_values(example.fit.latent.mean, 1, 5);
  ASSERT_EQ(values.size(), 5);
  EXPECT_LT(values(0), values(4));
  const Matrix curve = response(example.fit, example.fit.views[1], 1, values, Threads(1));
  for (Index i = 0; i < 5; ++i) {
    LatentPosterior at{example.fit.latent.mean, Matrix::Zero(example.fit.latent.mean.rows(), 2)};
    at.mean.col(1).setConstant(values(i));
    const Eigen::RowVectorXd mean = predict(example.fit.views[1], at, Threads(1)).mean.colwise().mean();
    EXPECT_LT((curve.row(i) - mean).norm(), 1e-9);
  }
  EXPECT_THROW(response(example.fit, example.fit.views[1], 2, values, Threads(1)), std::domain_error);
}

TEST(GplvmRelevance, TopColumnsComeByRelevance) {
  const Known example = known(false);
  const Relevance r = relevance(example.fit, example.data, Threads(1));
  const std::vector<Matrix> slopes = loadings(example.fit, example.data, Threads(1));
  const std::vector<TopColumn> top = top_columns(r, slopes, 1, 1);
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0].view, 1);
  EXPECT_EQ(top[0].column, 1);  // sin x_2 alone
  EXPECT_GT(top[0].loading, 0);
  EXPECT_EQ(top[0].relevance, r.by_column[1](1, 1));
}

}  // namespace
}  // namespace bochner::predict_test
