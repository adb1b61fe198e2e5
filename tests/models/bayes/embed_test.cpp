#include <Eigen/QR>
#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "fit_examples.hpp"

// Where new samples are put, with and without a time.
namespace bochner::bayes_test {
namespace {

TEST(BayesLvm, NewSamplesAreEmbeddedWhereTheyBelong) {
  const Simulated all = counts(220, 40);
  IndexVector every(200), rest(20);
  for (Index n = 0, a = 0, b = 0; n < 220; ++n) (n % 11 == 5 ? rest(b++) : every(a++)) = n;
  BayesOptions options = quick(BayesLikelihood::poisson);
  options.warmup = 100;
  const BayesFit fit = fit_bayes({all.data.take_rows(every)}, options, 1, Threads(2));
  const Dataset fresh = all.data.take_rows(rest);
  const std::vector<Matrix> X = embed(fit, {fresh}, Rng(1), Threads(2));
  ASSERT_EQ(X.size(), fit.X.size());
  // The same affine map takes old and new samples to the truth.
  Matrix latent(220, 2), truth(220, 2);
  latent << fit.latent.mean, summary(X).mean;
  truth << all.X(every, Eigen::all), all.X(rest, Eigen::all);
  EXPECT_GT(affine_r2(latent, truth).mean, 0.9 * affine_r2(fit.latent.mean, truth.topRows(200)).mean);
  // Rows do not know of each other.
  const std::vector<Matrix> alone =
      embed(fit, {fresh.take_rows(IndexVector::Constant(1, 7))}, Rng(1), Threads(1));
  for (std::size_t s = 0; s < X.size(); ++s) EXPECT_EQ(alone[s].row(0), X[s].row(7));
}

TEST(BayesLvm, NewSamplesWithATimeAreNearThePath) {
  const Simulated all = counts(110, 12);
  IndexVector every(100), rest(10);
  for (Index n = 0, a = 0, b = 0; n < 110; ++n) (n % 11 == 5 ? rest(b++) : every(a++)) = n;
  BayesOptions options = quick(BayesLikelihood::poisson);
  options.latent.dynamic = true;
  options.warmup = 100;
  const BayesFit fit =
      fit_bayes({.data = all.data.take_rows(every), .axis = {.time = all.t(every)}}, options, 1, Threads(2));
  const Dataset fresh = all.data.take_rows(rest),
                nothing = join({make_view("y", Matrix::Constant(10, 12, std::nan("")))});
  Matrix latent(120, 2), truth(120, 2);
  truth << all.X(every, Eigen::all), all.X(rest, Eigen::all), all.X(rest, Eigen::all);
  const auto errors = [&](const TimeAxis& axis) {
    const BayesData seen{.data = fresh, .axis = axis}, unseen{.data = nothing, .axis = axis};
    latent << fit.latent.mean, summary(embed(fit, seen, Rng(1), Threads(2))).mean,
        summary(embed(fit, unseen, Rng(1), Threads(1))).mean;
    // The affine map of the samples of the fit takes the others to the truth.
    Matrix A(120, 3);
    A << latent, Vector::Ones(120);
    const Matrix map = A.topRows(100).colPivHouseholderQr().solve(truth.topRows(100));
    const Matrix error = A * map - truth;
    return Vector{{error.topRows(100).norm() / std::sqrt(10.0), error.middleRows(100, 10).norm(),
                   error.bottomRows(10).norm()}};
  };
  const Vector timed = errors({.time = all.t(rest)}),
               untimed = errors({});  // of the fit, measured, not measured
  for (const Index k : {1, 2}) {
    EXPECT_LT(timed(k), 1.1 * timed(0));  // as well as the path itself is known
    EXPECT_GT(untimed(k), 1.05 * timed(k));
  }
}

}  // namespace
}  // namespace bochner::bayes_test
