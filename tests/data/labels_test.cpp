#include "bochner/data/labels.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::labels_test {
namespace {

using Names = std::vector<std::string>;
constexpr Index missing = Labels::missing, unknown = Labels::unknown;

TEST(Labels, CodesFollowTheSortedNames) {
  const Labels labels = encode_labels({"tumour", "normal", "", "tumour", "Normal", "NA"});
  EXPECT_EQ(labels.names, (Names{"Normal", "normal", "tumour"}));
  EXPECT_EQ(labels.code, (IndexVector{{2, 1, missing, 2, 0, missing}}));
  EXPECT_EQ(encode_labels({}).code.size(), 0);
  EXPECT_TRUE(encode_labels({"", "nan"}).names.empty());
}

TEST(Labels, NumbersAreOrderedAsNumbers) {
  EXPECT_EQ(sorted_labels({"10", "9", "1", "2", "10"}), (Names{"1", "2", "9", "10"}));
  EXPECT_EQ(sorted_labels({"1e1", "-3", "+2", "0.5"}), (Names{"-3", "0.5", "+2", "1e1"}));
  EXPECT_EQ(sorted_labels({"10", "9", "B"}), (Names{"10", "9", "B"}));  // not all of them are numbers
  EXPECT_EQ(sorted_labels({"10", "9", "inf"}), (Names{"10", "9", "inf"}));
  EXPECT_EQ(sorted_labels({"1.0", "2", "1"}), (Names{"1", "1.0", "2"}));
  EXPECT_EQ(encode_labels({"10", "NA", "9"}).code, (IndexVector{{1, missing, 0}}));
}

TEST(Labels, KnownNamesKeepTheirPlaces) {
  const Labels labels = encode_labels({"10", "1.0", "3", "", "c", "1", "3"}, {"10", "1", "b"});
  EXPECT_EQ(labels.names, (Names{"10", "1", "b"}));
  EXPECT_EQ(labels.code, (IndexVector{{0, 1, unknown, missing, unknown, 1, unknown}}));
  EXPECT_EQ(encode_labels({"1.0", "1"}, {"1", "1.0"}).code, (IndexVector{{1, 0}}));  // the text comes first
}

TEST(Labels, MissingOnesAreMarkedInTheUsualWays) {
  for (const char* text : {"", "NA", "n/a", "#N/A", "NaN", "<NA>", "null", "NULL"})
    EXPECT_FALSE(is_label(text)) << text;
  for (const char* text : {"None", "-", "?", ".", "0", "nano", " "}) EXPECT_TRUE(is_label(text)) << text;
}

TEST(Labels, NumbersAreWrittenShort) {
  EXPECT_EQ(label_text(3), "3");
  EXPECT_EQ(label_text(-0.1), "-0.1");
  EXPECT_EQ(label_text(1e15), "1000000000000000");
  EXPECT_EQ(label_text(std::nan("")), "");
}

TEST(Labels, IndicatorsBecomeProbabilities) {
  const double nan = std::nan("");
  const Matrix p =
      class_probabilities(Matrix{{0.2, 0.3, 0.5}, {1.5, 0.5, -0.4}, {-0.1, -0.2, -0.3}, {0.5, nan, 0.5}});
  EXPECT_TRUE(p.row(0).isApprox(Eigen::RowVector3d(0.2, 0.3, 0.5)));
  EXPECT_TRUE(p.row(1).isApprox(Eigen::RowVector3d(0.75, 0.25, 0)));
  EXPECT_TRUE(p.row(2).isApprox(Eigen::RowVector3d::Constant(1 / 3.0)));
  EXPECT_TRUE(p.row(3).array().isNaN().all());
}

}  // namespace
}  // namespace bochner::labels_test
