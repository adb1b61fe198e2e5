#include "bochner/core/printable.hpp"

#include <gtest/gtest.h>

namespace bochner::printable_test {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\nb\r\t\x1b[2J\x7f"), "a\\nb\\r\\t\\x1b[2J\\x7f");
  EXPECT_EQ(printable("\xce\xb2 \xf0\x9f\xa7\xac"), "\xce\xb2 \xf0\x9f\xa7\xac");
  EXPECT_EQ(printable("\xff\xc0\xaf\xed\xa0\x80"), "\\xff\\xc0\\xaf\\xed\\xa0\\x80");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("abcdef", 6), "abcdef");
  EXPECT_EQ(printable("abcdef", 5), "abcde...");
  EXPECT_EQ(printable("\xce\xb2\xce\xb2\xce\xb2", 3), "\xce\xb2\xce\xb2...");
}

TEST(Printable, ValidUtf8) {
  EXPECT_EQ(valid_utf8("abcdefghij\xce\xb2"), 12u);
  EXPECT_EQ(valid_utf8("abcdefghij\xce"), 10u);
  EXPECT_EQ(valid_utf8(""), 0u);
}

}  // namespace
}  // namespace bochner::printable_test
