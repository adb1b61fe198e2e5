#include "src/models/gplvm/checkpoint.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bochner/models/gplvm/file.hpp"
#include "changed_group.hpp"
#include "examples.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::checkpoint_test {

namespace {

using detail::checkpoint_group, detail::gplvm_checkpoint_from, detail::GplvmCheckpoint;

constexpr double infinity = std::numeric_limits<double>::infinity();

GplvmCheckpoint example_checkpoint() {
  Rng rng(3);
  GplvmCheckpoint c{.start = 2,
                    .phase = GplvmCheckpoint::Phase::check,
                    .released = true,
                    .settled = true,
                    .steps_before = 40,
                    .first = -7.0 / 3,
                    .reached = -1.0 / 7,
                    .simple_theta = rng.normal(7),
                    .simple_guesses = {rng.normal(3), Vector()},
                    .simple_value = -1.0 / 6};
  c.run.theta = rng.normal(7);
  c.run.state = {.m = rng.normal(7), .v = rng.normal(7), .count = 40};
  c.run.iteration = 3;
  c.run.retries = 1;
  c.run.smoothed = 1.0 / 3;
  c.run.smoothing_weight = 0.7;
  c.run.best_theta = rng.normal(7);
  c.run.best_state = {.m = rng.normal(7), .v = rng.normal(7), .count = 38};
  c.run.best_value = -1e-300;
  c.run.best_gradient_norm = 5;
  c.run.flat_value = infinity;  // nothing has counted as progress yet
  c.run.flat_for = 9;
  c.run.previous = -0.1;
  c.run.before_previous = -0.2;
  c.run.noise = 1e-3;
  c.run.falls = 2;
  c.guesses = {rng.normal(3), Vector()};
  c.trace = {{0, 1, -5, 0.03}};
  c.ended = {-3, -2};
  c.best_theta = rng.normal(7);
  c.best_guesses = {rng.normal(3), Vector()};
  c.best_start = 1;
  c.best_steps = 44;
  c.best_status = Status::iteration_limit;
  c.jitter = 1e-8;
  return c;
}

TEST(GplvmCheckpointFile, GivesBackEveryBit) {
  const TempFolder folder;
  const GplvmCheckpoint c = example_checkpoint();
  write_model(folder.file("c.bochner"), checkpoint_group(c));
  const ModelGroup group = read_model(folder.file("c.bochner"));
  EXPECT_EQ(gplvm_checkpoint_steps(group), 43);
  const GplvmCheckpoint r = gplvm_checkpoint_from(group);
  EXPECT_EQ(format_model(checkpoint_group(r)), slurp(folder.file("c.bochner")));
  EXPECT_EQ(r.start, 2);
  EXPECT_EQ(r.phase, GplvmCheckpoint::Phase::check);
  EXPECT_TRUE(r.released);
  EXPECT_TRUE(r.settled);
  EXPECT_EQ(r.first, -7.0 / 3);
  EXPECT_EQ(r.reached, -1.0 / 7);
  EXPECT_TRUE(same_bytes(r.simple_theta, c.simple_theta));
  ASSERT_EQ(r.simple_guesses.size(), 2u);
  EXPECT_TRUE(same_bytes(r.simple_guesses[0], c.simple_guesses[0]));
  EXPECT_EQ(r.simple_value, -1.0 / 6);
  EXPECT_EQ(r.steps_before, 40);
  EXPECT_TRUE(same_bytes(r.run.theta, c.run.theta));
  EXPECT_TRUE(same_bytes(r.run.state.m, c.run.state.m));
  EXPECT_TRUE(same_bytes(r.run.state.v, c.run.state.v));
  EXPECT_EQ(r.run.state.count, 40);
  EXPECT_EQ(r.run.iteration, 3);
  EXPECT_EQ(r.run.retries, 1);
  EXPECT_EQ(r.run.smoothed, 1.0 / 3);
  EXPECT_EQ(r.run.smoothing_weight, 0.7);
  EXPECT_TRUE(same_bytes(r.run.best_theta, c.run.best_theta));
  EXPECT_TRUE(same_bytes(r.run.best_state.m, c.run.best_state.m));
  EXPECT_TRUE(same_bytes(r.run.best_state.v, c.run.best_state.v));
  EXPECT_EQ(r.run.best_state.count, 38);
  EXPECT_EQ(r.run.best_value, -1e-300);
  EXPECT_EQ(r.run.best_gradient_norm, 5);
  EXPECT_EQ(r.run.flat_value, infinity);
  EXPECT_EQ(r.run.flat_for, 9);
  EXPECT_EQ(r.run.previous, -0.1);
  EXPECT_EQ(r.run.before_previous, -0.2);
  EXPECT_EQ(r.run.noise, 1e-3);
  EXPECT_EQ(r.run.falls, 2);
  ASSERT_EQ(r.guesses.size(), 2u);
  EXPECT_TRUE(same_bytes(r.guesses[0], c.guesses[0]));
  EXPECT_EQ(r.guesses[1].size(), 0);
  EXPECT_EQ(r.ended, c.ended);
  EXPECT_TRUE(same_bytes(r.best_theta, c.best_theta));
  EXPECT_TRUE(same_bytes(r.best_guesses[0], c.best_guesses[0]));
  EXPECT_EQ(r.best_start, 1);
  EXPECT_EQ(r.best_steps, 44);
  EXPECT_EQ(r.best_status, Status::iteration_limit);
  EXPECT_EQ(r.jitter, 1e-8);
  EXPECT_EQ(r.trace.size(), 1u);

  const GplvmCheckpoint fresh{.run = {.theta = Vector::Ones(2)}};  // before the first step
  const GplvmCheckpoint back = gplvm_checkpoint_from(parse_model(format_model(checkpoint_group(fresh)), "m"));
  EXPECT_EQ(back.run.best_value, infinity);
  EXPECT_EQ(back.run.state.m.size(), 0);
  EXPECT_TRUE(back.guesses.empty());
  EXPECT_EQ(back.phase, GplvmCheckpoint::Phase::climb);
  EXPECT_EQ(back.reached, -infinity);
  EXPECT_EQ(back.simple_value, -infinity);
}

TEST(GplvmCheckpointFile, WhatDoesNotFitTogetherIsAMessage) {
  const ModelGroup good = checkpoint_group(example_checkpoint());
  const auto refusal = [&](const std::string& path, const std::optional<ModelValue>& value,
                           const std::vector<std::string>& parts) {
    const ModelGroup bad = parse_model(format_model(with(good, path, value)), "x.bochner");
    expect_message([&] { gplvm_checkpoint_from(bad); }, parts);
  };
  refusal("model", "gplvm", {"of the kind 'gplvm', but one of the kind 'gplvm checkpoint'"});
  refusal("run/state/m", Vector(Vector::Ones(6)), {"run/state", "'m' has 6 values", "needs 7"});
  refusal("run/best_theta", Vector(Vector::Ones(6)), {"'best_theta' has 6 values"});
  refusal("best_status", "fine", {"'fine'"});
  refusal("guesses/count", std::int64_t{-1}, {"'count' is -1"});
  refusal("released", std::int64_t{2}, {"0 or 1"});
  refusal("phase", "sideways", {"there is no phase 'sideways'"});
  refusal("phase", std::nullopt, {"no entry 'phase'"});
  // And a fit is no checkpoint, nor the other way round.
  expect_message(
      [&] {
        gplvm_checkpoint_from(
            gplvm_group(GplvmFit{.ids = {"a"}, .latent = {Matrix::Zero(1, 1), Matrix::Ones(1, 1)}}));
      },
      {"of the kind 'gplvm', but one of the kind 'gplvm checkpoint'"});
  expect_message([&] { gplvm_from(good); }, {"of the kind 'gplvm checkpoint'"});
}

}  // namespace

}  // namespace bochner::testing::checkpoint_test
