#include "bochner/core/counted.hpp"

#include <gtest/gtest.h>

namespace bochner::counted_test {
namespace {

TEST(Counted, OneIsSingular) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(2, "row"), "2 rows");
  EXPECT_EQ(counted(1, "class", "classes"), "1 class");
  EXPECT_EQ(counted(3, "class", "classes"), "3 classes");
}

}  // namespace
}  // namespace bochner::counted_test
