#include "bochner/features/feature_spec.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"

namespace bochner::feature_spec_test {
namespace {

constexpr FeatureKinds few{}, all{.finite = true, .network = true};

TEST(FeatureSpec, ReadsBackAsItself) {
  for (const char* text :
       {"auto", "exact", "random", "300", "orthogonal", "orthogonal:40", "nystrom", "nystrom:1000000"}) {
    EXPECT_EQ(to_text(parse_features(text, few)), text);
    EXPECT_EQ(to_text(parse_features(text, all)), text);
  }
  for (const char* text : {"finite", "network", "network:32"}) {
    EXPECT_EQ(to_text(parse_features(text, all)), text);
    EXPECT_THROW(parse_features(text, few), InputError) << text;
  }
}

TEST(FeatureSpec, HasKindCountAndDirections) {
  const FeatureSpec spec = parse_features("orthogonal:40", few);
  EXPECT_EQ(spec.kind, FeatureSpec::Kind::random);
  EXPECT_EQ(spec.count, 40);
  EXPECT_EQ(spec.directions, Directions::orthogonal);
  EXPECT_EQ(parse_features("exact", few).kind, FeatureSpec::Kind::exact);
  EXPECT_EQ(parse_features("nystrom", few).count, 0);
  EXPECT_EQ(parse_features("7", few).directions, Directions::independent);
}

TEST(FeatureSpec, OtherStringsOfTheSame) {
  for (const char* text : {"random:12", "fourier:12", "12", "012"})
    EXPECT_EQ(to_text(parse_features(text, all)), "12") << text;
  EXPECT_EQ(to_text(parse_features("fourier", all)), "random");
}

TEST(FeatureSpec, RefusesTheRest) {
  for (const char* text : {"",
                           ":",
                           ":3",
                           "x",
                           "0",
                           "-3",
                           "+3",
                           "1e3",
                           "12x",
                           "3:3",
                           "9999999",
                           "auto:1",
                           "exact:3",
                           "finite:3",
                           "nystrom:",
                           "nystrom:0",
                           "nystrom:-1",
                           "nystrom:+1",
                           "nystrom:1000001",
                           "network:",
                           "99999999999999999999999"}) {
    EXPECT_THROW(parse_features(text, few), InputError) << text;
    EXPECT_THROW(parse_features(text, all), InputError) << text;
  }
  const auto message = [](const FeatureKinds& possible) -> std::string {
    try {
      parse_features("wavelets", possible);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      message(few),
      "the features 'wavelets' cannot be read: use auto, exact, random, a number of frequencies such as "
      "300, orthogonal:300 or nystrom:500");
  EXPECT_EQ(message(all),
            "the features 'wavelets' cannot be read: use auto, exact, finite, random, a number of "
            "frequencies such as 300, orthogonal:300, nystrom:500 or network:32");
}

}  // namespace
}  // namespace bochner::feature_spec_test
