#include "bochner/models/gplvm/file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "bochner/kernels/kernel_group.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "changed_group.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::file_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class A>
::testing::AssertionResult same_bits(const A& a, const A& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return ::testing::AssertionFailure() << "shapes differ";
  if (a.size() == 0 ||
      std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << "\nis not\n" << b;
}

/// A kernel whose every parameter is moved by its own amount, to numbers without a short binary form.
AnyKernel shaken(const std::string& name, Index D, Index components = 3) {
  const AnyKernel k = make_kernel(name, D, Rng(5), {.components = components});
  const Vector theta = parameters(k);
  return with_parameters(k, theta + 0.7 * Rng(6).normal(theta.size()));
}

GplvmFit example() {
  Rng rng(1);
  GplvmFit fit{.ids = {"a", "sample 2, \"quoted\"", "\xc3\xa9t\xc3\xa9"},
               .latent = {rng.normal(3, 2), rng.normal(3, 2).array().exp().matrix()}};
  fit.views.push_back({.name = "rna=1",
                       .columns = {"x", "y", "never", "x"},
                       .scaling = {.kind = ScalingKind::standardise,
                                   .centre = rng.normal(4),
                                   .scale = rng.normal(4).array().exp(),
                                   .constant = {1},
                                   .unmeasured = {2}},
                       .unmeasured = {2},
                       .constant = {1, 3},
                       .kernel = shaken("ngsm", 2),
                       .noise_variance = 0.1,
                       .noise = rng.normal(4).array().exp(),
                       .calibration = 1.0 / 3,
                       .Z = rng.normal(5, 2),
                       .G = rng.normal(5, 3),
                       .W = rng.normal(3, 4),
                       .lambda = rng.normal(3).array().exp(),
                       .amplitude = rng.normal(4).array().exp(),
                       .ratio = rng.normal(4).array().exp()});
  fit.views.push_back(
      {.name = "/strange name",
       .columns = {"only"},
       .scaling = {.kind = ScalingKind::none, .centre = Vector::Zero(1), .scale = Vector::Ones(1)},
       .kernel = shaken("scaled(rbf[2]*matern12[1])+linear", 2),
       .noise_variance = 1e-7,
       .noise = Vector::Ones(1),
       .Z = rng.normal(1, 2),
       .G = rng.normal(1, 1),
       .W = rng.normal(1, 1),
       .lambda = Vector::Zero(1),
       .amplitude = Vector::Ones(1),
       .ratio = Vector::Ones(1)});
  fit.objective = -12345.678901234567;
  fit.steps = 77;
  fit.status = Status::stopped_by_callback;
  fit.jitter = 1e-10;
  fit.start = 1;
  fit.start_objectives = {-infinity, -12345.678901234567};
  fit.trace = {{0, 1, -1e300, 0.03}, {1, 2, nan, 0.1}};
  fit.features = {.kind = FeatureSpec::Kind::random, .count = 150, .directions = Directions::orthogonal};
  fit.options = {.dims = 2,
                 .view = {.kernel = "rbf+linear",
                          .components = 7,
                          .scaling = ViewScaling::whole_view,
                          .fixed_noise = 0.3},
                 .own = {std::nullopt, GplvmViewOptions{.kernel = "sm"}},
                 .features = {.kind = FeatureSpec::Kind::nystrom, .count = 12},
                 .precision = FloatingPoint::single_precision,
                 .steps = 9,
                 .step_size = 1.0 / 3,
                 .cooling = 4,
                 .patience = 5,
                 .tolerance = 1e-3,
                 .race = false,
                 .restarts = 2};
  fit.seed = std::numeric_limits<std::uint64_t>::max() - 5;
  return fit;
}

TEST(GplvmFile, GivesBackEveryBit) {
  const TempFolder folder;
  const GplvmFit fit = example();
  write_gplvm(folder.file("model.bochner"), fit);
  const GplvmFit read = read_gplvm(folder.file("model.bochner"));
  // Writing it once more gives the same file: nothing is lost, as every entry of the file comes from the fit.
  write_gplvm(folder.file("again.bochner"), read);
  EXPECT_EQ(slurp(folder.file("model.bochner")), slurp(folder.file("again.bochner")));

  EXPECT_EQ(read.ids, fit.ids);
  EXPECT_TRUE(same_bits(read.latent.mean, fit.latent.mean));
  EXPECT_TRUE(same_bits(read.latent.sd, fit.latent.sd));
  ASSERT_EQ(read.views.size(), 2u);
  for (std::size_t v = 0; v < 2; ++v) {
    const GplvmView &a = read.views[v], &b = fit.views[v];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.unmeasured, b.unmeasured);
    EXPECT_EQ(a.constant, b.constant);
    EXPECT_EQ(a.scaling.kind, b.scaling.kind);
    EXPECT_TRUE(same_bits(a.scaling.centre, b.scaling.centre));
    EXPECT_TRUE(same_bits(a.scaling.scale, b.scaling.scale));
    EXPECT_EQ(a.scaling.constant, b.scaling.constant);
    EXPECT_EQ(a.scaling.unmeasured, b.scaling.unmeasured);
    EXPECT_EQ(a.noise_variance, b.noise_variance);
    EXPECT_TRUE(same_bits(a.Z, b.Z));
    EXPECT_EQ(a.calibration, b.calibration);
    EXPECT_TRUE(same_bits(a.noise, b.noise));
    EXPECT_TRUE(same_bits(a.G, b.G));
    EXPECT_TRUE(same_bits(a.W, b.W));
    EXPECT_TRUE(same_bits(a.lambda, b.lambda));
    EXPECT_TRUE(same_bits(a.amplitude, b.amplitude));
    EXPECT_TRUE(same_bits(a.ratio, b.ratio));
    EXPECT_EQ(kernel_name(a.kernel), kernel_name(b.kernel));
    EXPECT_TRUE(same_bits(parameters(a.kernel), parameters(b.kernel)));
  }
  EXPECT_EQ(read.objective, fit.objective);
  EXPECT_EQ(read.steps, 77);
  EXPECT_EQ(read.status, Status::stopped_by_callback);
  EXPECT_EQ(read.jitter, 1e-10);
  EXPECT_EQ(read.start, 1);
  EXPECT_EQ(read.start_objectives, fit.start_objectives);
  ASSERT_EQ(read.trace.size(), 2u);
  EXPECT_EQ(read.trace[0].objective, -1e300);
  EXPECT_EQ(read.trace[1].start, 1);
  EXPECT_EQ(read.trace[1].step, 2);
  EXPECT_TRUE(std::isnan(read.trace[1].objective));
  EXPECT_EQ(to_text(read.features), "orthogonal:150");
  EXPECT_EQ(read.seed, fit.seed);
  const GplvmOptions &o = read.options, &was = fit.options;
  EXPECT_EQ(o.view.kernel, "rbf+linear");
  EXPECT_EQ(o.view.components, 7);
  EXPECT_EQ(o.view.scaling, ViewScaling::whole_view);
  EXPECT_EQ(o.view.fixed_noise, 0.3);
  ASSERT_EQ(o.own.size(), 2u);
  EXPECT_FALSE(o.own[0]);
  EXPECT_EQ(o.own[1].value().kernel, "sm");
  EXPECT_FALSE(o.own[1].value().fixed_noise);
  EXPECT_EQ(to_text(o.features), "nystrom:12");
  EXPECT_EQ(o.precision, FloatingPoint::single_precision);
  EXPECT_EQ(o.step_size, was.step_size);
  EXPECT_EQ(o.cooling, 4);
  EXPECT_EQ(o.patience, 5);
  EXPECT_EQ(o.tolerance, 1e-3);
  EXPECT_FALSE(o.race);
  EXPECT_EQ(o.restarts, 2);
  EXPECT_EQ(o.steps, 9);
  EXPECT_EQ(o.dims, 2);
}

TEST(KernelGroup, EveryKernelComesBackToTheBit) {
  std::vector<std::string> names = kernel_names();
  names.insert(names.end(),
               {"rbf+sm*matern52", "scaled(ngsm)+(rbf+rq)*periodic", "(bsm+affine)[2,3]+poly3[1]"});
  for (const std::string& name : names) {
    const AnyKernel k = shaken(name, 3);
    const AnyKernel read = kernel_from(parse_model(format_model(kernel_group(k)), "memory"), 3);
    EXPECT_EQ(kernel_name(read), kernel_name(k));
    EXPECT_TRUE(same_bits(parameters(read), parameters(k))) << name;
    const Matrix X = Rng(2).normal(6, 3);
    EXPECT_TRUE(same_bits(gram(read, X, Threads(1)), gram(k, X, Threads(1)))) << name;
  }
}

TEST(GplvmFile, WhatDoesNotFitTogetherIsAMessage) {
  const ModelGroup good = gplvm_group(example());
  const auto refusal = [&](const std::string& path, const std::optional<ModelValue>& value,
                           const std::vector<std::string>& parts) {
    const ModelGroup bad = parse_model(format_model(with(good, path, value)), "x.bochner");
    const std::string text = expect_message([&] { gplvm_from(bad); }, parts);
    if (path.find("kernel/kernel") == std::string::npos) {
      EXPECT_NE(text.find("x.bochner"), std::string::npos) << text;
    }
  };
  refusal("model", "kpca", {"'kpca'", "'gplvm' is required"});
  refusal("ids", std::nullopt, {"no entry 'ids'"});
  refusal("latent_mean", Matrix(Matrix::Zero(4, 2)), {"'latent_mean' is 4 x 2", "3 x 2"});
  refusal("latent_sd", Matrix(Matrix::Zero(3, 1)), {"'latent_sd' is 3 x 1", "3 x 2"});
  refusal("view_count", std::int64_t{0}, {"no views"});
  refusal("view_count", std::int64_t{3}, {"no entry '2'"});
  refusal("views/0/Z", Matrix(Matrix::Zero(5, 3)), {"views/0", "'Z' is 5 x 3", "5 x 2"});
  refusal("views/0/G", Matrix(Matrix::Zero(4, 3)), {"views/0", "'G'", "5 x 3"});
  refusal("views/0/W", Matrix(Matrix::Zero(5, 4)), {"views/0", "'W'", "3 x 4"});
  refusal("views/0/lambda", Vector(Vector::Constant(3, -1)), {"'lambda'", "non-negative"});
  refusal("views/0/noise", Vector(Vector::Ones(3)), {"'noise' has 3 values", "needs 4"});
  refusal("views/1/ratio", Vector(Vector::Zero(1)), {"views/1", "'ratio'", "positive"});
  refusal("views/0/amplitude", Vector(Vector::Constant(4, nan)), {"'amplitude'", "positive"});
  refusal("views/0/calibration", 0.0, {"'calibration'", "positive"});
  refusal("views/0/unmeasured", std::vector<std::int64_t>{4}, {"'unmeasured' names column 4", "there are 4"});
  refusal("views/0/noise_variance", -1.0, {"'noise_variance'", "positive"});
  refusal("views/0/scaling/scale", Vector(Vector::Zero(4)), {"positive scales"});
  refusal("views/0/scaling/centre", Vector(Vector::Zero(3)), {"'centre' has 3 values", "needs 4"});
  refusal("views/0/scaling/kind", std::int64_t{9}, {"scaling of kind 9"});
  refusal("views/0/kernel/kernel", "nonsense", {"nonsense", "rbf"});
  refusal("views/0/kernel/alpha", Vector(Vector::Ones(2)),
          {"views/0/kernel", "'alpha' must be 3 finite numbers"});
  refusal("views/0/kernel/mu1", Matrix(Matrix::Constant(3, 2, infinity)),
          {"'mu1' must be 3 x 2 finite numbers"});
  refusal("views/0/kernel/components", std::int64_t{-1}, {"-1 components"});
  refusal("views/1/kernel/part_2", std::nullopt, {"no entry 'part_2'"});
  refusal("steps", std::int64_t{-4}, {"'steps' is -4"});
  refusal("trace", Matrix(Matrix::Zero(2, 3)), {"'trace' is 2 x 3"});
}

// Before columns had noise of their own, a view had alpha and R: E f = k'alpha, V f = k(x, x) - k'R k.
TEST(GplvmFile, HasTheMedianSizeOfRows) {
  GplvmFit fit = example();
  EXPECT_FALSE(gplvm_group(fit).group("views").group("0").has("row_median"));  // as in earlier files
  EXPECT_EQ(fit.views[0].row_median, 0);
  fit.views[0].row_median = 0.1;
  EXPECT_EQ(gplvm_from(gplvm_group(fit)).views[0].row_median, 0.1);
  for (const double wrong : {-1.0, 0.0, infinity})
    EXPECT_THROW(gplvm_from(with(gplvm_group(fit), "views/0/row_median", wrong)), InputError) << wrong;
}

TEST(GplvmFile, EarlierFilesPredictWhatTheyDid) {
  const GplvmFit fit = example();
  const Matrix alpha = Rng(8).normal(5, 4), half = 0.2 * Rng(9).normal(5, 5), R = half * half.transpose();
  ModelGroup earlier = gplvm_group(fit);
  for (const char* name : {"noise", "calibration", "G", "W", "lambda", "amplitude", "ratio"})
    earlier = with(earlier, std::string("views/0/") + name, std::nullopt);
  const auto view_group = [&](const Matrix& a, const Matrix& r) {
    ModelGroup view = earlier.group("views").group("0");
    return view.set("alpha", a).set("R", r);
  };
  const auto read = [&](const Matrix& a, const Matrix& r) {
    return gplvm_from(parse_model(format_model(with(earlier, "views/0", view_group(a, r))), "x.bochner"));
  };
  const GplvmView view = read(alpha, R).views[0];
  EXPECT_EQ(view.noise, Vector::Constant(4, 0.1));
  EXPECT_EQ(view.calibration, 1);
  const Matrix X = Rng(10).normal(6, 2), k = gram(view.kernel, X, view.Z, Threads(1)), mean = k * alpha;
  const Vector prior = diagonal(view.kernel, X), variance = prior - (k * R).cwiseProduct(k).rowwise().sum();
  ASSERT_GT(variance.minCoeff(), 0);
  const Predictive p = predict(view, {X, Matrix::Zero(6, 2)}, Threads(1));
  for (Index n = 0; n < 6; ++n)
    for (const Index m : {0, 1, 3}) {
      const double scale = view.scaling.scale(m);
      EXPECT_NEAR(p.mean(n, m), mean(n, m) * scale + view.scaling.centre(m), 1e-10);
      EXPECT_NEAR(p.f_variance(n, m), variance(n) * scale * scale, 1e-9 * prior(n) * scale * scale);
      EXPECT_NEAR(p.y_variance(n, m) - p.f_variance(n, m), 0.1 * scale * scale, 1e-10);
    }
  expect_message([&] { read(alpha, Matrix(Matrix::Zero(5, 4))); }, {"views/0", "'R'", "5 x 5"});
  expect_message([&] { read(Matrix(Matrix::Zero(4, 4)), R); }, {"views/0", "'alpha'", "5 x 4"});
}

TEST(GplvmNames, ReadBackAsThemselves) {
  for (const char* text : {"finite", "network:3", "12x"})
    expect_message([&] { parse_features(text, gplvm_feature_kinds); }, {"the features", "orthogonal:300"});
  for (const char* text : {"auto", "none", "centre", "standardise", "whole"})
    EXPECT_EQ(to_text(parse_scaling(text)), text);
  expect_message([&] { parse_scaling("zscore"); }, {"'zscore'", "'standardise'"});
  for (const Status s :
       {Status::converged, Status::iteration_limit, Status::stopped_by_callback, Status::not_finite})
    EXPECT_EQ(parse_status(to_string(s)), s);
}

}  // namespace

}  // namespace bochner::testing::file_test
