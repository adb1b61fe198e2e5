#include "bochner/assess/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::verdict_test {
namespace {

using Kind = Warning::Kind;

Warning caution() {
  return {.kind = Kind::collapsed,
          .message = "dimension 2 is unused; 1 dimension suffices",
          .remedy = Remedy::fewer_dims,
          .suggested = 1};
}
Warning error(Kind kind = Kind::not_settled) {
  return {.kind = kind,
          .severity = Severity::error,
          .message = "it had not converged after 1 step",
          .remedy = Remedy::more_steps};
}
std::string flags(const Warning& w) {
  return w.remedy == Remedy::fewer_dims   ? "use --dims " + std::to_string(w.suggested)
         : w.remedy == Remedy::more_steps ? "increase --steps"
                                          : "";
}

TEST(Verdict, GoodWithEvidenceAlone) {
  Verdict v = make_verdict("its error is 0.3 times that of the mean", {caution()}, Remedy::hold_out_entries);
  EXPECT_EQ(v.kind, VerdictKind::good);
  EXPECT_STREQ(to_string(v.kind), "good");
  v.extra = "Its 2 chains agree.";
  EXPECT_EQ(
      v.message(flags),
      "trust this fit: its error is 0.3 times that of the mean. Its 2 chains agree. But note: dimension 2 is "
      "unused; 1 dimension suffices (use --dims 1).");
  EXPECT_FALSE(v.not_converged());
}

TEST(Verdict, OneErrorMakesItDoubtful) {
  const Verdict v = make_verdict("its error is small", {caution(), error()}, Remedy::hold_out_entries);
  EXPECT_EQ(v.kind, VerdictKind::doubtful);
  EXPECT_EQ(v.message(flags),
            "do not trust this fit: it had not converged after 1 step (increase --steps). Also: dimension 2 "
            "is unused; "
            "1 dimension suffices (use --dims 1).");
  EXPECT_TRUE(v.not_converged());
  EXPECT_FALSE(make_verdict("", {error(Kind::coverage)}, Remedy::none).not_converged());
  EXPECT_EQ(
      make_verdict("", {error(), error()}, Remedy::none, "forecast").message({}),
      "do not trust this forecast: it had not converged after 1 step; it had not converged after 1 step.");
}

TEST(Verdict, WithoutEvidenceItIsUnjudged) {
  const Verdict v = make_verdict("", {}, Remedy::hold_out_entries);
  EXPECT_EQ(v.kind, VerdictKind::unjudged);
  EXPECT_EQ(
      v.message(),
      "no problems detected, but nothing was held out, so predictions were not evaluated (hold out some "
      "entries).");
  EXPECT_NE(make_verdict("", {caution()}, Remedy::none).message().find("no serious problems"),
            std::string::npos);
}

TEST(Verdict, EveryRemedyHasANameAndAText) {
  for (int r = 1; r <= static_cast<int>(Remedy::tune); ++r) {
    const Warning w{.kind = Kind::jitter, .message = "m", .remedy = static_cast<Remedy>(r), .suggested = 2};
    EXPECT_STRNE(to_string(w.remedy), "") << r;
    EXPECT_FALSE(general_remedy(w).empty()) << to_string(w.remedy);
    EXPECT_EQ(general_remedy(w).find("--"), std::string::npos);
  }
  for (int k = 0; k <= static_cast<int>(Kind::not_judged); ++k)
    EXPECT_STRNE(to_string(static_cast<Kind>(k)), "") << k;
}

TEST(Verdict, Percent) {
  EXPECT_EQ(percent(0.9123), "91.2 %");
  EXPECT_EQ(percent(std::nan("")), "-");
}

}  // namespace
}  // namespace bochner::verdict_test
