#include "bochner/data/id_mismatch.hpp"

#include <gtest/gtest.h>

namespace bochner::id_mismatch_test {
namespace {

using Ids = std::vector<std::string>;

void expect_hint(const Ids& a, const Ids& b, const std::string& pair, const std::string& reason) {
  const std::string text = explain_id_mismatch("rna", a, "protein", b);
  EXPECT_NE(text.find("views 'rna' and 'protein' have no sample in common"), std::string::npos) << text;
  EXPECT_NE(text.find(pair), std::string::npos) << text;
  EXPECT_NE(text.find(reason), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(IdMismatch, SpacesAtTheEnds) {
  expect_hint({"x", "s1 "}, {"\ts1", "q"}, "'s1 ' in 'rna' looks like '\ts1' in 'protein'",
              "spaces at their ends");
}
TEST(IdMismatch, Case) {
  expect_hint({"Patient7"}, {"patient7"}, "'Patient7' in 'rna' looks like 'patient7'",
              "upper and lower case");
}
TEST(IdMismatch, SpellingOfNumbers) {
  expect_hint({"007"}, {"7.0"}, "'007' in 'rna' looks like '7.0'", "the spelling of numbers");
  expect_hint({"0"}, {"000"}, "'0' in 'rna' looks like '000'", "the spelling of numbers");
}
TEST(IdMismatch, Separators) {
  expect_hint({"TCGA-02-0001"}, {"TCGA.02.0001"}, "'TCGA-02-0001' in 'rna' looks like 'TCGA.02.0001'",
              "their separators");
}
TEST(IdMismatch, SeveralAtOnce) {
  expect_hint({" Sample_1"}, {"sample 1"}, "looks like", "case, spaces and separators");
}
TEST(IdMismatch, AnEndingInEitherTable) {
  expect_hint({"S1", "S2"}, {"S2-01A"}, "'S2' in 'rna' looks like 'S2-01A' in 'protein'",
              "adds an ending to the ids");
  expect_hint({"S2-01A"}, {"S1", "S2"}, "'S2-01A' in 'rna' looks like 'S2' in 'protein'",
              "adds an ending to the ids");
}

TEST(IdMismatch, UnrelatedIdsAreShownAsTheyAre) {
  EXPECT_EQ(explain_id_mismatch("rna", {"a", "b", "c", "d"}, "protein", {"11", "1.5"}),
            "views 'rna' and 'protein' have no sample in common: 'rna' has 'a', 'b', 'c', ... and 'protein' "
            "has '11', "
            "'1.5'; check that the first column of both holds the sample id");
}

TEST(IdMismatch, LettersOutsideAsciiAreNotSeparators) {
  const std::string text =
      explain_id_mismatch("a", {"\xC3\xA4"}, "b", {"\xC3\xB6"});  // a and o with two dots
  EXPECT_EQ(text.find("looks like"), std::string::npos) << text;
}

TEST(IdMismatch, SeparatorsAloneDoNotMakeAMatch) {
  const std::string text = explain_id_mismatch("a", {"--"}, "b", {".."});
  EXPECT_EQ(text.find("looks like"), std::string::npos) << text;
}

}  // namespace
}  // namespace bochner::id_mismatch_test
