#include <gtest/gtest.h>

#include <stdexcept>

#include "bochner/likelihoods/any_likelihood.hpp"
#include "dense_integral.hpp"
#include "likelihood_examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::testing::every_likelihood_test {
namespace {

template <class V>
struct TypesOf;
template <class... T>
struct TypesOf<std::variant<T...>> {
  using type = ::testing::Types<T...>;
};

template <class L>
struct EveryLikelihood : ::testing::Test {
  static_assert(Likelihood<L>);
  static_assert(NumberLikelihood<L> || ClassLikelihood<L>);
  static constexpr bool one_latent_per_output = !std::is_same_v<L, Softmax> &&
                                                !std::is_same_v<L, RobustMax> &&
                                                !std::is_same_v<L, HeteroscedasticNoise>;
};
TYPED_TEST_SUITE(EveryLikelihood, TypesOf<AnyLikelihood>::type);

TYPED_TEST(EveryLikelihood, GradientsWithHoles) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const Index B = mean.rows(), P = mean.cols();
  const ExpectedLog e = l.expected_log(Y, mean, var);
  expect_gradient([&](const Vector& m) { return l.expected_log(Y, unflat(m, B, P), var).rows.sum(); },
                  flat(mean), flat(e.dmean), 1e-7, "mean");
  expect_gradient([&](const Vector& v) { return l.expected_log(Y, mean, unflat(v, B, P)).rows.sum(); },
                  flat(var), flat(e.dvar), 1e-7, "var");
  ASSERT_EQ(e.dtheta.size(), l.parameter_count());
  if (l.parameter_count() > 0)
    expect_gradient(
        [&](const Vector& t) { return l.with_parameters(t).expected_log(Y, mean, var).rows.sum(); },
        l.parameters(), e.dtheta, 1e-7, "theta");
}

// Each entry of the derivatives on its own, so that a large one does not hide a small one that is wrong.
TYPED_TEST(EveryLikelihood, SingleDerivatives) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const ExpectedLog e = l.expected_log(Y, mean, var);
  for (Index i = 0; i < mean.rows(); ++i)
    for (Index p = 0; p < mean.cols(); ++p) {
      const auto at = [&](double m, double v) {
        Matrix M = mean, V = var;
        M(i, p) = m, V(i, p) = v;
        return l.expected_log(Y, M, V).rows(i);
      };
      const double h = 5e-4, m = mean(i, p), v = var(i, p);
      const auto slope = [&](const auto& f) {
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
      };
      EXPECT_NEAR(slope([&](double d) { return at(m + d, v); }), e.dmean(i, p), 1e-7) << i << "," << p;
      EXPECT_NEAR(slope([&](double d) { return at(m, v + d); }), e.dvar(i, p), 1e-7) << i << "," << p;
    }
}

// At zero variance there is a derivative on one side; differences of fifth order see it.
TYPED_TEST(EveryLikelihood, DerivativeAtZeroVariance) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  // RobustMax rounds standard deviations up to 1e-4 of the largest, an error of 1e-8 v, seen through 25 / (12 h)
  const double h = 4e-3, tolerance = std::is_same_v<TypeParam, RobustMax> ? 3e-5 : 1e-6;
  Matrix zero = var;
  zero.col(0).setZero();
  const ExpectedLog e = l.expected_log(Y, mean, zero);
  ASSERT_TRUE(e.dvar.allFinite());
  ASSERT_TRUE(e.dmean.allFinite());
  for (Index i = 0; i < mean.rows(); ++i) {
    const auto at = [&](double v) {
      Matrix V = zero;
      V(i, 0) = v;
      return l.expected_log(Y, mean, V).rows(i);
    };
    const double slope =
        (-25 * at(0) + 48 * at(h) - 36 * at(2 * h) + 16 * at(3 * h) - 3 * at(4 * h)) / (12 * h);
    EXPECT_NEAR(e.dvar(i, 0), slope, tolerance * std::max(1.0, std::abs(slope))) << "row " << i;
  }
}

TYPED_TEST(EveryLikelihood, ZeroVarianceIsTheDensityItself) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const Matrix zero = Matrix::Zero(mean.rows(), mean.cols());
  const ExpectedLog e = l.expected_log(Y, mean, zero);
  const Matrix L = l.log_predictive(Y, mean, zero);
  for (Index i = 0; i < Y.rows(); ++i) {
    double row = 0;
    for (Index p = 0; p < Y.cols(); ++p) {
      if (std::isnan(Y(i, p))) continue;
      const double truth = log_density(l, p, Y(i, p), mean.row(i));
      EXPECT_NEAR(L(i, p), truth, 1e-10 * std::max(1.0, std::abs(truth)));
      row += truth;
    }
    EXPECT_NEAR(e.rows(i), row, 1e-10 * std::max(1.0, std::abs(row)));
  }
}

TYPED_TEST(EveryLikelihood, HolesAddNothing) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const Index P = mean.cols();
  Matrix blank = Y;
  blank.row(1).setConstant(hole);
  const ExpectedLog e = l.expected_log(Y, mean, var), without = l.expected_log(blank, mean, var);
  EXPECT_EQ(without.rows(1), 0);
  EXPECT_EQ(without.dmean.row(1), Matrix::Zero(1, P));
  EXPECT_EQ(without.dvar.row(1), Matrix::Zero(1, P));
  const ExpectedLog alone = l.expected_log(Y.row(1), mean.row(1), var.row(1));  // rows do not see each other
  EXPECT_EQ(alone.rows(0), e.rows(1));
  EXPECT_EQ(alone.dmean, e.dmean.row(1));
  EXPECT_EQ(alone.dvar, e.dvar.row(1));
  if (l.parameter_count() > 0) {
    EXPECT_LT((without.dtheta + alone.dtheta - e.dtheta).norm(), 1e-12);
  }
  const Matrix L = l.log_predictive(Y, mean, var);
  for (Index i = 0; i < Y.rows(); ++i)
    for (Index p = 0; p < Y.cols(); ++p) EXPECT_EQ(std::isnan(L(i, p)), std::isnan(Y(i, p)));
}

TYPED_TEST(EveryLikelihood, Simulation) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const Index i = 1, draws = 200'000;
  const ExpectedLog e = l.expected_log(Y, mean, var);
  const Matrix L = l.log_predictive(Y, mean, var);
  const Matrix Z = Rng(17).normal(draws, mean.cols());
  const Vector sd = var.row(i).cwiseSqrt().transpose();
  Vector row = Vector::Zero(draws);
  for (Index p = 0; p < Y.cols(); ++p) {
    if (std::isnan(Y(i, p))) continue;
    Vector density(draws);
    for (Index k = 0; k < draws; ++k) {
      const Vector f = mean.row(i).transpose() + sd.cwiseProduct(Z.row(k).transpose());
      const double log_p = log_density(l, p, Y(i, p), f);
      row(k) += log_p;
      density(k) = std::exp(log_p);
    }
    const double se = std::sqrt((density.array() - density.mean()).square().mean() / double(draws));
    EXPECT_NEAR(density.mean(), std::exp(L(i, p)), 4 * se);
  }
  const double se = std::sqrt((row.array() - row.mean()).square().mean() / double(draws));
  EXPECT_NEAR(row.mean(), e.rows(i), 4 * se);
}

TYPED_TEST(EveryLikelihood, DenseIntegration) {
  if constexpr (TestFixture::one_latent_per_output) {
    const Example<TypeParam> given = example<TypeParam>();
    [[maybe_unused]] const TypeParam& l = given.likelihood;
    [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
    const Index i = 3, P = Y.cols();
    for (const double v : {0.0, 1e-8, 1e-3, 0.3, 4.0, 25.0}) {
      const Matrix V = Matrix::Constant(1, P, v), M = mean.row(i), y = Y.row(i);
      const Matrix L = l.log_predictive(y, M, V);
      double row = 0;
      for (Index p = 0; p < P; ++p) {
        const auto log_p = [&](double f) { return log_density(l, p, y(0, p), Vector::Constant(P, f)); };
        row += dense_expectation(log_p, M(0, p), v);
        const double predictive = dense_expectation([&](double f) { return std::exp(log_p(f)); }, M(0, p), v);
        EXPECT_NEAR(L(0, p), std::log(predictive), 1e-9) << "v = " << v << ", column " << p;
      }
      const double scale = std::max(1.0, std::abs(row));
      EXPECT_NEAR(l.expected_log(y, M, V).rows(0), row, 1e-9 * scale) << "v = " << v;
    }
  }
}

TYPED_TEST(EveryLikelihood, PredictiveNormalises) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  for (const Index i : {0, 1}) {
    Vector total = Vector::Zero(Y.cols());
    for (const auto& [y, weight] : support(l))
      total += weight * l.log_predictive(Matrix::Constant(1, Y.cols(), y), mean.row(i), var.row(i))
                            .array()
                            .exp()
                            .matrix()
                            .transpose();
    for (Index p = 0; p < Y.cols(); ++p) EXPECT_NEAR(total(p), 1, 1e-9) << "row " << i << ", column " << p;
  }
}

TYPED_TEST(EveryLikelihood, PredictiveIsAboveItsBound) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  for (const double factor : {0.0, 1e-3, 1.0, 30.0}) {
    const Matrix V = factor * var;
    const Vector bound = l.expected_log(Y, mean, V).rows;
    const Matrix L = l.log_predictive(Y, mean, V);
    for (Index i = 0; i < Y.rows(); ++i) {
      double row = 0;
      for (Index p = 0; p < Y.cols(); ++p) row += std::isnan(L(i, p)) ? 0 : L(i, p);
      EXPECT_GE(row, bound(i) - 1e-10 * std::max(1.0, std::abs(bound(i)))) << factor << ", row " << i;
    }
  }
}

TYPED_TEST(EveryLikelihood, ParametersGoRoundTrip) {
  const auto l = example<TypeParam>().likelihood;
  ASSERT_EQ(l.parameters().size(), l.parameter_count());
  ASSERT_EQ(static_cast<Index>(l.parameter_names().size()), l.parameter_count());
  const Vector theta = Vector::LinSpaced(l.parameter_count(), -1, 1);
  EXPECT_LT((l.with_parameters(theta).parameters() - theta).norm(), 1e-14);
  EXPECT_THROW(l.with_parameters(Vector::Zero(l.parameter_count() + 1)), std::invalid_argument);
}

TYPED_TEST(EveryLikelihood, RefusesWrongArguments) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  Matrix bad = var;
  bad(1, 1) = -1e-12;
  EXPECT_THROW(l.expected_log(Y, mean, bad), std::domain_error);
  EXPECT_THROW(l.log_predictive(Y, mean, bad), std::domain_error);
  bad(1, 1) = hole;
  EXPECT_THROW(l.expected_log(Y, mean, bad), std::domain_error);
  EXPECT_THROW(l.expected_log(Y, mean.leftCols(1), var), std::invalid_argument);
  EXPECT_THROW(l.expected_log(Y, mean.topRows(2), var.topRows(2)), std::invalid_argument);
  EXPECT_THROW(l.expected_log(mean.leftCols(2), mean, var), std::invalid_argument);
  Matrix infinite = Y;
  infinite(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(l.check_outcomes(infinite), std::domain_error);
  EXPECT_THROW(l.expected_log(infinite, mean, var), std::domain_error);
  EXPECT_NO_THROW(l.check_outcomes(Y));
}

TYPED_TEST(EveryLikelihood, TheVariantIsTheSame) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const AnyLikelihood any = l;
  EXPECT_EQ(latents(any), mean.cols());
  EXPECT_EQ(outputs(any), Y.cols());
  EXPECT_EQ(expected_log(any, Y, mean, var).rows, l.expected_log(Y, mean, var).rows);
  EXPECT_EQ(parameters(with_parameters(any, l.parameters())).size(), parameter_count(any));
  EXPECT_EQ(has_outcome(any), NumberLikelihood<TypeParam>);
  EXPECT_EQ(has_probabilities(any), ClassLikelihood<TypeParam>);
  if (has_outcome(any))
    EXPECT_EQ(outcome(any, mean, var).mean.cols(), Y.cols());
  else
    EXPECT_THROW(outcome(any, mean, var), std::invalid_argument);
  if (has_probabilities(any))
    EXPECT_EQ(probabilities(any, mean, var).rows(), mean.rows());
  else
    EXPECT_THROW(probabilities(any, mean, var), std::invalid_argument);
  const AnyLikelihood made =
      make_likelihood(likelihood_name(any), ClassLikelihood<TypeParam> ? latents(any) : outputs(any));
  EXPECT_TRUE(std::holds_alternative<TypeParam>(made));
  EXPECT_EQ(latents(made), latents(any));
}

// E[y] and Var[y] are sums over the predictive distribution.
TYPED_TEST(EveryLikelihood, OutcomeMomentsOrProbabilitiesFollowThePredictive) {
  const Example<TypeParam> given = example<TypeParam>();
  [[maybe_unused]] const TypeParam& l = given.likelihood;
  [[maybe_unused]] const Matrix &Y = given.Y, &mean = given.mean, &var = given.var;
  const Index i = 2;
  const Support ys = support(l);
  if constexpr (NumberLikelihood<TypeParam>) {
    const Outcome o = l.outcome(mean.row(i), var.row(i));
    Vector first = Vector::Zero(Y.cols()), second = first;
    for (const auto& [y, weight] : ys) {
      const Matrix L = l.log_predictive(Matrix::Constant(1, Y.cols(), y), mean.row(i), var.row(i));
      for (Index p = 0; p < Y.cols(); ++p) {
        first(p) += weight * y * std::exp(L(0, p));
        second(p) += weight * std::pow(y - o.mean(0, p), 2) * std::exp(L(0, p));
      }
    }
    for (Index p = 0; p < Y.cols(); ++p) {
      EXPECT_NEAR(o.mean(0, p), first(p), 1e-7 * std::max(1.0, first(p)));
      EXPECT_NEAR(o.variance(0, p), second(p), 1e-5 * second(p));
    }
  }
  if constexpr (ClassLikelihood<TypeParam>) {
    const Matrix p = l.probabilities(mean.row(i), var.row(i));
    for (Index c = 0; c < p.cols(); ++c) {
      const Index column = TestFixture::one_latent_per_output ? c : 0;
      const double y = TestFixture::one_latent_per_output ? 1 : static_cast<double>(c);
      const Matrix L = l.log_predictive(Matrix::Constant(1, Y.cols(), y), mean.row(i), var.row(i));
      EXPECT_NEAR(std::log(p(0, c)), L(0, column), 1e-12);
    }
  }
}

}  // namespace
}  // namespace bochner::testing::every_likelihood_test
