#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/prior_text.hpp"
#include "src/models/bayes/setup.hpp"

namespace bochner::priors_test {
namespace {

BayesPriors with(const std::string& text) {
  BayesPriors out;
  set_prior(out, text);
  return out;
}

std::string refusal(const std::string& text) {
  try {
    with(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BayesPriorText, SetsWhatItNames) {
  const BayesPriors ell = with("lengthscale=lognormal:0.25:0.5");
  EXPECT_EQ(ell.ell_median, 0.25);
  EXPECT_EQ(ell.log_ell_sd, 0.5);
  const BayesPriors variance = with("variance=inversegamma:4:1e-1");
  EXPECT_EQ(variance.path_variance_shape, 4);
  EXPECT_EQ(variance.path_variance_scale, 0.1);
  EXPECT_EQ(with("amplitude=inversegamma:3:7").amplitude_scale, 7);
  EXPECT_EQ(with("noise=inversegamma:3:7").noise_shape, 3);
  EXPECT_EQ(with("intercept=normal:2.5").intercept_sd, 2.5);
  EXPECT_EQ(with("dispersion=gamma:5").dispersion_shape, 5);
  EXPECT_EQ(with("dispersion-rate=gamma:5:6").rate_rate, 6);
  EXPECT_EQ(with("concentration=gamma:5:6").frequencies.alpha_rate, 6);
}

TEST(BayesPriorText, ReadsWhatItWrites) {
  BayesPriors priors = with("lengthscale=lognormal:0.1:2");
  priors.noise_scale = 0.123456789;
  BayesPriors read;
  for (const std::string& text : prior_texts(priors)) set_prior(read, text);
  EXPECT_EQ(prior_texts(read), prior_texts(priors));
  EXPECT_EQ(prior_texts(BayesPriors{}).front(), "lengthscale=auto");
}

TEST(BayesPriorText, RefusesOthersWithTheRemedy) {
  EXPECT_NE(refusal("lenghtscale=lognormal:1:1").find("did you mean 'lengthscale'"), std::string::npos);
  EXPECT_NE(refusal("noise=gamma:1:1").find("use noise=inversegamma:SHAPE:SCALE"), std::string::npos);
  EXPECT_NE(refusal("noise").find("use noise=inversegamma:SHAPE:SCALE"), std::string::npos);
  EXPECT_NE(refusal("intercept=normal:1:1").find("use intercept=normal:SD"), std::string::npos);
  for (const char* bad : {"0", "-1", "nan", "inf", "x", ""})
    EXPECT_NE(refusal(std::string("lengthscale=lognormal:1:") + bad).find("SD is"), std::string::npos) << bad;
}

/// Halfway between step and duration of the longest group, whatever the units and whenever groups begin.
TEST(BayesPriors, LengthScaleFollowsTheTimes) {
  const LengthScalePrior spikes = length_scale_prior(make_time_grid(Vector::LinSpaced(1000, 0, 999)));
  EXPECT_NEAR(spikes.median, std::sqrt(999.0), 1e-9);
  EXPECT_NEAR(spikes.median * std::exp(2 * spikes.log_sd), 999, 1e-9);
  EXPECT_NEAR(spikes.median * std::exp(-2 * spikes.log_sd), 1, 1e-9);
  const LengthScalePrior seconds = length_scale_prior(make_time_grid(Vector::LinSpaced(1000, 5, 5 + 9.99)));
  EXPECT_NEAR(seconds.median, 0.01 * spikes.median, 1e-9);
  Vector t(20);
  t << Vector::LinSpaced(10, 0, 9), Vector::LinSpaced(10, 1000, 1009);
  std::vector<Index> group(20, 0);
  std::fill(group.begin() + 10, group.end(), 1);
  const LengthScalePrior trials = length_scale_prior(make_time_grid(t, group));
  EXPECT_NEAR(trials.median, 3, 1e-9);
  EXPECT_EQ(trials.log_sd, 1);
  EXPECT_EQ(length_scale_prior(make_time_grid(Vector{{1, 2}}, {0, 1})).median, 1);  // no step at all
}

TEST(BayesPriors, GivenLengthScalesAreKept) {
  BayesData data{.data = join({make_view("a", Matrix::Ones(4, 2))})};
  data.axis.time = Vector{{0, 1, 2, 4}};
  BayesOptions options{.latent = {.dynamic = true}};
  EXPECT_NEAR(make_bayes_model(data, options).priors.ell_median, 2, 1e-12);
  set_prior(options.priors, "lengthscale=lognormal:0.7:0.3");
  EXPECT_EQ(make_bayes_model(data, options).priors.ell_median, 0.7);
  EXPECT_EQ(make_bayes_model(data, options).priors.log_ell_sd, 0.3);
}

}  // namespace
}  // namespace bochner::priors_test
