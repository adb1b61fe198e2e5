#include "bochner/models/harmonic/layer_plan.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"

namespace bochner::layer_plan_test {
namespace {

TEST(LayerPlan, ReadsItsWords) {
  EXPECT_TRUE(parse_layers({}).hidden.empty());
  EXPECT_TRUE(parse_layers({"1"}).hidden.empty());
  const LayerPlan three = parse_layers({"3"});
  ASSERT_EQ(three.hidden.size(), 2u);
  EXPECT_FALSE(three.hidden[0].window.has_value());
  EXPECT_FALSE(three.images());
  EXPECT_EQ(parse_layers({"dense:7"}).hidden.at(0).functions, 7);

  const LayerPlan deep = parse_layers({"conv:5:2:12:same:pool2", "conv:3", "patches:4:1:same"});
  ASSERT_EQ(deep.hidden.size(), 2u);
  EXPECT_TRUE(deep.images());
  const HiddenPlan& first = deep.hidden[0];
  EXPECT_EQ(first.window->size, 5);
  EXPECT_EQ(first.window->stride, 2);
  EXPECT_TRUE(first.window->same);
  EXPECT_TRUE(first.pool);
  EXPECT_EQ(first.functions, 12);
  EXPECT_EQ(deep.hidden[1].window->stride, 1);
  EXPECT_EQ(deep.hidden[1].functions, 0);
  ASSERT_TRUE(deep.last.has_value());
  EXPECT_EQ(deep.last->size, 4);
  EXPECT_TRUE(deep.last->same);
}

TEST(LayerPlan, RefusesWhatItCannotRead) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"0"},
                                             {"-1"},
                                             {"deep"},
                                             {""},
                                             {"conv"},
                                             {"conv:0"},
                                             {"conv:3:x"},
                                             {"conv:3:1:4:5"},
                                             {"conv:3:odd"},
                                             {"dense:0"},
                                             {"dense:2:3"},
                                             {"patches"},
                                             {"patches:5:pool2"},
                                             {"patches:5", "dense"},
                                             {"dense", "conv:3"},
                                             {"2", "dense"},
                                             {"99999999999999999999"}})
    EXPECT_THROW(parse_layers(words), InputError) << words.front();
}

}  // namespace
}  // namespace bochner::layer_plan_test
