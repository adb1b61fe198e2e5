#include "bochner/core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace bochner::nearest_name_test {
namespace {

TEST(NearestName, FindsMisspellings) {
  const std::vector<std::string> names{"pressure", "wind", "humidity"};
  EXPECT_EQ(nearest_name("presure", names), "pressure");   // one letter less
  EXPECT_EQ(nearest_name("pressuer", names), "pressure");  // neighbours swapped: one edit
  EXPECT_EQ(nearest_name("WIND", names), "wind");
  EXPECT_EQ(nearest_name("humidty", names), "humidity");
  EXPECT_EQ(nearest_name("rain", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("wind", {}), "");
}

TEST(NearestName, AllowsAThirdOfTheLetters) {
  EXPECT_EQ(nearest_name("abcxyz", {"abcdef"}), "");
  EXPECT_EQ(nearest_name("abcdyz", {"abcdef"}), "abcdef");
  EXPECT_EQ(nearest_name("ab", {"ax"}), "ax");
  EXPECT_EQ(nearest_name(std::string(300, 'a'), {std::string(300, 'a')}), "");  // too long to search for
}

TEST(NearestName, TakesTheFirstOfEquals) { EXPECT_EQ(nearest_name("bat", {"cat", "rat"}), "cat"); }

}  // namespace
}  // namespace bochner::nearest_name_test
