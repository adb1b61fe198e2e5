#include "bochner/data/labels.hpp"

#include <gtest/gtest.h>

namespace bochner {
namespace {

TEST(Labels, CodesFollowTheSortedNames) {
  const Labels labels = encode_labels({"tumour", "normal", "", "tumour", "Normal"});
  EXPECT_EQ(labels.names, (std::vector<std::string>{"", "Normal", "normal", "tumour"}));
  EXPECT_EQ(labels.code, (IndexVector{{3, 2, 0, 3, 1}}));
  EXPECT_EQ(encode_labels({}).code.size(), 0);
}

}  // namespace
}  // namespace bochner
