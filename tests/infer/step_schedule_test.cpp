#include "bochner/infer/step_schedule.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bochner::step_schedule_test {
namespace {

TEST(StepSchedule, ConstantStaysAtOne) {
  EXPECT_EQ(step_factor(ConstantStep{}, 0, 100), 1.0);
  EXPECT_EQ(step_factor(ConstantStep{}, 99, 100), 1.0);
}

TEST(StepSchedule, CosineFallsFromOneThroughTheMiddleToTheEnd) {
  const CosineStep s{.last = 0.2};
  EXPECT_DOUBLE_EQ(step_factor(s, 0, 100), 1.0);
  EXPECT_NEAR(step_factor(s, 50, 100), 0.6, 1e-15);
  EXPECT_NEAR(step_factor(s, 100, 100), 0.2, 1e-15);
  EXPECT_NEAR(step_factor(s, 25, 100), 0.2 + 0.4 * (1 + 0.70710678118654752), 1e-15);  // cos(pi / 4)
}

TEST(StepSchedule, DecayHappensEveryFewIterations) {
  const DecayingStep s{.every = 10, .factor = 0.5};
  EXPECT_EQ(step_factor(s, 9, 100), 1.0);
  EXPECT_EQ(step_factor(s, 10, 100), 0.5);
  EXPECT_EQ(step_factor(s, 35, 100), 0.125);
}

TEST(StepSchedule, RefusesWhatIsNoSchedule) {
  EXPECT_THROW(check_schedule("f", CosineStep{.last = 1.5}), std::domain_error);
  EXPECT_THROW(check_schedule("f", DecayingStep{.every = 0}), std::invalid_argument);
  EXPECT_THROW(check_schedule("f", DecayingStep{.factor = 0.0}), std::domain_error);
  EXPECT_THROW(check_schedule("f", DecayingStep{.factor = 1.1}), std::domain_error);
}

}  // namespace
}  // namespace bochner::step_schedule_test
