#include "bochner/data/covariates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/errors.hpp"

namespace bochner::covariates_test {
namespace {

const std::vector<std::string> ids{"s1", "s2", "s3", "s4", "s5", "s6"};
const std::vector<std::string> age{"10", "20", "30", "40", "50", "60"}, sex{"m", "f", "f", "m", "f", "f"},
    site{"b", "c", "a", "a", "b", "c"};

TEST(Covariates, AreStandardisedNumbersAndIndicators) {
  const Covariates c = learn_covariates({"age", "site", "sex"}, {age, site, sex}, ids);
  EXPECT_EQ(c.names(), (std::vector<std::string>{"age", "site=b", "site=c", "sex=m"}));
  EXPECT_EQ(c.text(), "age, site (3 levels; reference 'a'), sex (2 levels; reference 'f')");
  // Mean 35, variance (25^2 + 15^2 + 5^2) / 3.
  const double sd = std::sqrt((625.0 + 225 + 25) / 3);
  EXPECT_NEAR(c.units()(0), sd, 1e-12);
  EXPECT_EQ(c.units()(2), 1);
  const Matrix X = encode(c, {age, site, sex}, ids);
  EXPECT_NEAR(X(0, 0), -25 / sd, 1e-14);
  EXPECT_NEAR(X.col(0).mean(), 0, 1e-14);
  const Matrix expected{{1, 0, 1}, {0, 1, 0}, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(Matrix(X.rightCols(3)), expected);
  // New samples in the units of the old ones.
  const Matrix fresh = encode(c, {{"45"}, {"c"}, {"f"}}, {"n1"});
  EXPECT_NEAR(fresh(0, 0), 10 / sd, 1e-14);
  EXPECT_EQ(Matrix(fresh.rightCols(3)), (Matrix{{0.0, 1.0, 0.0}}));
}

TEST(Covariates, AreRefusedByNameAndSample) {
  const auto refused = [](const std::vector<std::string>& cells, const std::string& message) {
    try {
      learn_covariates({"x"}, {cells}, ids);
      ADD_FAILURE() << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refused({"1", "2", "", "4", "5", "6"},
          "covariate 'x', sample 's3' has no value; fill it in or omit the sample");
  refused({"1", "1", "1", "1", "1", "1"}, "covariate 'x' is the same for all samples");
  refused({"a", "b", "c", "d", "e", "f"}, "covariate 'x' has 6 levels in 6 samples");
  EXPECT_THROW(learn_covariates({"x", "x"}, {age, age}, ids), InputError);
  std::vector<std::string> numbers, names;
  for (int i = 0; i < 40; ++i) numbers.push_back(std::to_string(i)), names.push_back("n" + std::to_string(i));
  numbers[17] = "1O";
  try {
    learn_covariates({"x"}, {numbers}, names);
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("covariate 'x', sample 'n17': '1O' is not a number"),
              std::string::npos)
        << error.what();
  }
  const Covariates c = learn_covariates({"age", "sex"}, {age, sex}, ids);
  try {
    encode(c, {{"5"}, {"x"}}, {"n1"});
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "covariate 'sex', sample 'n1': level 'x' is unknown to the model; its levels are 'f' and 'm'");
  }
  EXPECT_THROW(encode(c, {{"old"}, {"f"}}, {"n1"}), InputError);
  EXPECT_THROW(encode(c, {{"5"}, {""}}, {"n1"}), InputError);
}

}  // namespace
}  // namespace bochner::covariates_test
