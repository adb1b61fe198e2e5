#include "bochner/models/forecast/file.hpp"
#include "bochner/models/kpca/file.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"
#include "bochner/features/feature_map_group.hpp"
#include "bochner/models/kpca/names.hpp"
#include "tests/features/map_examples.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::file_test {
namespace {

using namespace testing;

const Threads threads(1);

/// Three views, one of each kind of feature space.
Dataset example_data() {
  const Matrix x = Rng(1).normal(40, 2);
  Matrix curved(40, 3);
  curved << x.col(0), x.col(1), x.col(0).cwiseProduct(x.col(1));
  return join({make_view("rbf", curved), make_view("linear", x * Rng(2).normal(2, 4)),
               make_view("network", x.array().sin().matrix())});
}

KpcaFit example(bool network) {
  KpcaOptions o{.dims = 4};
  o.training.epochs = 3;
  o.own.resize(3);
  o.own[1] = KpcaViewOptions{.kernel = "linear", .weight = 2};
  if (network) {
    o.own[0] = KpcaViewOptions{.features = {.kind = FeatureSpec::Kind::nystrom, .count = 12}};
    o.own[2] = KpcaViewOptions{.features = {.kind = FeatureSpec::Kind::network, .count = 5}};
  } else {
    o.own[0] = KpcaViewOptions{.preimage = Preimage::smoother};
    o.own[2] = KpcaViewOptions{.kernel = "poly2", .features = {.kind = FeatureSpec::Kind::random}};
    o.own[2]->kernel = "matern32";
  }
  return fit_kpca(example_data(), o, 1, threads);
}

TEST(KpcaFile, GivesTheModelBackToTheBit) {
  for (const bool network : {false, true}) {
    const KpcaFit fit = example(network);
    TempFolder folder;
    write_kpca(folder.file("model.bochner"), fit);
    const KpcaFit read = read_kpca(folder.file("model.bochner"));
    EXPECT_EQ(format_model(kpca_group(read)), format_model(kpca_group(fit)));
    EXPECT_EQ(embed(read, example_data(), threads), embed(fit, example_data(), threads));
    for (Index v = 0; v < 3; ++v)
      EXPECT_EQ(predict_from_others(read, v, example_data(), threads),
                predict_from_others(fit, v, example_data(), threads));
  }
}

TEST(KpcaFile, KeepsTrainingRowsOnlyWhereTheyAreTheModel) {
  const ModelGroup group = kpca_group(example(true));
  for (const char* v : {"0", "1", "2"}) {
    const ModelGroup& views = group.group("views");
    EXPECT_FALSE(views.group(views.entries()[std::size_t(v[0] - '0')].name).has("X"));
  }
  const ModelGroup implicit = kpca_group(example(false));
  EXPECT_TRUE(implicit.group("views").group(implicit.group("views").entries()[0].name).has("X"));
}

TEST(KpcaFile, EveryFeatureMapComesBack) {
  const auto same = [](const auto& map) {
    const AnyFeatureMap any{map};
    const AnyFeatureMap read = feature_map_from(feature_map_group(any), example_dims);
    const Matrix X = Rng(5).normal(9, example_dims);
    EXPECT_EQ(feature_matrix(read, X, threads), feature_matrix(any, X, threads));
  };
  same(Example<FourierFeatures<double>>::make());
  same(Example<LinearFeatures<double>>::make());
  same(Example<NystromFeatures<double>>::make());
  same(Example<BivariateSmFeatures<double>>::make());
  same(Example<PolynomialFeatures<double>>::make());
  same(Example<NetworkFeatures<double>>::make());
  static_assert(std::variant_size_v<AnyFeatureMap::Variant> == 6,
                "a feature map that this test does not know");
}

ForecastFit example_forecast() {
  Matrix y = Rng(3).normal(120, 2);
  for (Index t = 1; t < 120; ++t) y.row(t) += 0.8 * y.row(t - 1);
  return fit_forecast({y, Rng(4).normal(120, 1)}, {.lags = 3, .dims = 6}, 1, threads);
}

TEST(ForecastFile, GivesTheModelBackToTheBit) {
  const ForecastFit fit = example_forecast();
  TempFolder folder;
  write_forecast(folder.file("model.bochner"), fit);
  const ForecastFit read = read_forecast(folder.file("model.bochner"));
  EXPECT_EQ(format_model(forecast_group(read)), format_model(forecast_group(fit)));
  const Matrix known = Rng(5).normal(7, 1);
  const Forecast a = forecast(fit, 7, known, {0.8}, threads), b = forecast(read, 7, known, {0.8}, threads);
  EXPECT_EQ(a.mean, b.mean);
  EXPECT_EQ(a.intervals[0].upper, b.intervals[0].upper);
}

/// A copy of a group with one entry changed, or left out.
ModelGroup with(const ModelGroup& group, const std::string& name, const std::optional<ModelValue>& value) {
  ModelGroup out;
  for (const ModelEntry& entry : group.entries())
    if (entry.name != name)
      out.set(entry.name, entry.value);
    else if (value)
      out.set(name, *value);
  return out;
}

TEST(KpcaFile, WhatDoesNotFitIsAMessage) {
  const ModelGroup good = kpca_group(example(false));
  for (const ModelEntry& entry : good.entries())
    EXPECT_THROW(kpca_from(with(good, entry.name, std::nullopt)), InputError) << entry.name;
  EXPECT_THROW(kpca_from(with(good, "H", Matrix(3, 3))), InputError);
  EXPECT_THROW(kpca_from(with(good, "lambda", Vector(Vector::Zero(4)))), InputError);
  EXPECT_THROW(kpca_from(with(good, "model", ModelValue(std::string("gplvm")))), InputError);
  const ModelGroup& views = good.group("views");
  for (const ModelEntry& view : views.entries()) {
    const ModelGroup& group = views.group(view.name);
    for (const ModelEntry& entry : group.entries()) {
      const ModelGroup broken = with(group, entry.name, std::nullopt);
      EXPECT_THROW(kpca_from(with(good, "views", ModelValue(with(views, view.name, ModelValue(broken))))),
                   InputError)
          << view.name << " " << entry.name;
      if (std::holds_alternative<Matrix>(entry.value)) {
        const ModelGroup reshaped = with(group, entry.name, ModelValue(Matrix(Matrix::Zero(1, 1))));
        EXPECT_THROW(kpca_from(with(good, "views", ModelValue(with(views, view.name, ModelValue(reshaped))))),
                     InputError)
            << view.name << " " << entry.name;
      }
    }
  }
  const ModelGroup series = forecast_group(example_forecast());
  for (const ModelEntry& entry : series.entries())
    EXPECT_THROW(forecast_from(with(series, entry.name, std::nullopt)), InputError) << entry.name;
}

TEST(KpcaNames, ComeBack) {
  for (const char* text : {"auto", "finite", "300", "network:32"})
    EXPECT_EQ(to_text(parse_features(text, kpca_feature_kinds)), text);
  for (const char* text : {"auto", "identity", "smoother", "fixed-point", "ridge", "gradient", "network"})
    EXPECT_EQ(to_text(parse_preimage(text)), text);
  for (const char* text : {"auto", "primal", "dual", "primal-stiefel", "dual-stiefel"})
    EXPECT_EQ(to_text(parse_solver(text)), text);
  EXPECT_THROW(parse_preimage("none"), InputError);
  EXPECT_THROW(parse_solver("qr"), InputError);
}

}  // namespace
}  // namespace bochner::file_test
