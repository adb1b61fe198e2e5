#include "src/models/gplvm/relocation/moving_row.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>
#include <numbers>

#include "bochner/kernels/make_kernel.hpp"
#include "src/models/gplvm/relocation/relocate.hpp"

namespace bochner::moving_row_test {
namespace {

constexpr double sigma2 = 0.07;

/// The sum over columns of log N(y_m | 0, K + sigma2 I), those that row n lacks left out.
double dense(const AnyKernel& kernel, const Matrix& X, const Matrix& Y, const BoolMatrix& measured, Index n) {
  Eigen::MatrixXd S = gram(kernel, X, Threads(1));
  S.diagonal().array() += sigma2;
  const Eigen::LLT<Eigen::MatrixXd> factor(S);
  const double log_det = 2 * Eigen::MatrixXd(factor.matrixL()).diagonal().array().log().sum();
  double out = 0;
  for (Index m = 0; m < Y.cols(); ++m)
    if (measured(n, m)) {
      const Vector y = Y.col(m);
      out -= 0.5 *
             (double(Y.rows()) * std::log(2 * std::numbers::pi) + log_det + y.dot(Vector(factor.solve(y))));
    }
  return out;
}

struct Table {
  Matrix X, Y, filled;
  BoolMatrix measured;
  AnyKernel kernel;
};

Table example(const std::string& kernel) {
  Rng rng(4);
  Table out{.X = rng.normal(12, 2), .Y = rng.normal(12, 5), .filled = {}, .measured = {}, .kernel = {}};
  out.filled = out.Y;
  for (const auto& [n, m] : {std::pair<Index, Index>{3, 1}, {3, 4}, {7, 0}})
    out.Y(n, m) = std::numeric_limits<double>::quiet_NaN();
  out.measured = !out.Y.array().isNaN();
  out.kernel = make_kernel(kernel, 2, Rng(5), {});
  return out;
}

TEST(MovingRow, GainsWhatTheDenseDensityGains) {
  for (const char* name : {"rbf", "ngsm"}) {
    const Table t = example(name);
    MovingRow view(t.kernel, sigma2, t.X, t.Y, t.filled, Threads(1));
    Matrix X = t.X;
    Rng rng(6);
    for (const Index n : {0, 3, 11, 3, 7}) {  // each from where the ones before have gone
      const Matrix x = rng.normal(1, 2);
      Matrix there = X;
      there.row(n) = x.row(0);
      const double expected =
          dense(t.kernel, there, t.filled, t.measured, n) - dense(t.kernel, X, t.filled, t.measured, n);
      EXPECT_GT(std::abs(expected), 0.01) << "or it says nothing";
      EXPECT_NEAR(view.gain(n, x), expected, 1e-9 * std::max(1.0, std::abs(expected)))
          << name << " row " << n;
      EXPECT_NEAR(view.gain(n, X.row(n)), 0, 1e-9) << "where it is";
      view.move(n, x);
      X = there;
    }
  }
}

TEST(MovingRow, RowsWithoutEntriesDoNotMatter) {
  Table t = example("rbf");
  const Matrix x = Matrix::Constant(1, 2, 0.3);
  Table longer = t;
  longer.X = Matrix::Zero(13, 2);
  longer.X.topRows(5) = t.X.topRows(5);
  longer.X.bottomRows(7) = t.X.bottomRows(7);
  longer.Y = longer.filled = Matrix::Constant(13, 5, std::numeric_limits<double>::quiet_NaN());
  longer.Y.topRows(5) = t.Y.topRows(5);
  longer.Y.bottomRows(7) = t.Y.bottomRows(7);
  longer.filled = Matrix::Ones(13, 5);
  longer.filled.topRows(5) = t.filled.topRows(5);
  longer.filled.bottomRows(7) = t.filled.bottomRows(7);
  const MovingRow a(t.kernel, sigma2, t.X, t.Y, t.filled, Threads(1)),
      b(longer.kernel, sigma2, longer.X, longer.Y, longer.filled, Threads(1));
  EXPECT_DOUBLE_EQ(a.gain(2, x), b.gain(2, x));
  EXPECT_DOUBLE_EQ(a.gain(9, x), b.gain(10, x));
  EXPECT_EQ(b.gain(5, x), 0);
}

// Functions of a short length scale: half of the samples tell little about the other half, so each of them looks better off where
// functions are known well. Moves must be judged by all samples.
TEST(Relocate, RaisesTheBoundWithRoughFunctions) {
  const Index N = 80, M = 20;
  Rng rng(7);
  const Matrix X = rng.normal(N, 2);
  const AnyKernel kernel = Rbf{.ell = Vector::Constant(2, 0.15), .sigma2 = 1};
  Matrix K = gram(kernel, X, Threads(1));
  K.diagonal().array() += 1e-9;
  const Matrix L = Eigen::MatrixXd(Eigen::MatrixXd(K).llt().matrixL());
  Matrix Y = L * rng.normal(N, M) + std::sqrt(sigma2) * rng.normal(N, M);
  Y.rowwise() -= Y.colwise().mean().eval();
  const ScaledData scaled = scale_views(join({make_view("y", Y)}), {{.scaling = ViewScaling::none}});
  GplvmParameters p{.latent = {X, Matrix::Constant(N, 2, 0.02)},
                    .views = {{.kernel = kernel, .noise_variance = sigma2, .Z = Matrix(0, 2)}}};
  const auto bound = [&] {
    return dense(kernel, p.latent.mean, Y, BoolMatrix::Constant(N, M, true), 0) +
           (p.latent.sd.array().log() - 0.5 * p.latent.mean.array().square() -
            0.5 * p.latent.sd.array().square())
               .sum();
  };
  for (const Index stray : {5, 40, 77}) p.latent.mean.row(stray) = -X.row(stray);
  const double before = bound(), nats = 5;
  const Index moved = relocate(scaled, {scaled.data.view(0).Y}, p, nats, Rng(3), Threads(1));
  EXPECT_GE(bound(), before + nats * double(moved));
}

}  // namespace
}  // namespace bochner::moving_row_test
