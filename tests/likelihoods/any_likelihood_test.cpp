#include "bochner/likelihoods/any_likelihood.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"

namespace bochner::any_likelihood_test {
namespace {

TEST(AnyLikelihood, NamesGoRoundTrip) {
  for (const std::string& name : likelihood_names()) {
    const AnyLikelihood l = make_likelihood(name, 3);
    EXPECT_EQ(likelihood_name(l), name);
    EXPECT_EQ(latents(l), name == "heteroscedastic" ? 6 : 3);
    EXPECT_EQ(outputs(l), name == "softmax" || name == "robustmax" ? 1 : 3);
    EXPECT_EQ(static_cast<Index>(parameter_names(l).size()), parameter_count(l));
  }
}

TEST(AnyLikelihood, UnknownNamesAreToldWhatThereIs) {
  try {
    make_likelihood("cauchy", 2);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(
        e.what(),
        "there is no likelihood 'cauchy'; choose one of gaussian, student, bernoulli, poisson, softmax, "
        "robustmax, heteroscedastic, negbinom");
  }
  EXPECT_THROW(make_likelihood("softmax", 1), std::invalid_argument);
  EXPECT_THROW(make_likelihood("gaussian", 0), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::any_likelihood_test
