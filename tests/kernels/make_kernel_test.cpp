#include "bochner/kernels/make_kernel.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"

namespace bochner::make_kernel_test {
namespace {

TEST(MakeKernel, EveryNameGivesItsKernelAndItsNameBack) {
  for (const std::string& name : kernel_names()) {
    const AnyKernel k = make_kernel(name, 3, Rng(1));
    EXPECT_EQ(kernel_name(k), name);
    EXPECT_TRUE(parameters(k).allFinite()) << name;
    EXPECT_TRUE(input_dims(k) == 3 || input_dims(k) == 0) << name;
  }
  EXPECT_EQ(std::get<Polynomial>(make_kernel("poly12", 2, Rng(1))).degree, 12);
}

TEST(MakeKernel, ReadsSumsProductsBracketsAndColumns) {
  for (const char* text : {"rbf+linear", "rbf*periodic+linear*matern12", "rbf*(periodic+linear)",
                           "rbf[1,3]+sm[2]", "scaled(rbf*gibbs)", "(rbf+ngsm)[3,2]*linear", "(rbf[2])[3,1]",
                           "(scaled(rbf)*linear)[1]", "rbf*(linear*rbf)"})
    EXPECT_EQ(kernel_name(make_kernel(text, 3, Rng(1))), text);
  EXPECT_EQ(kernel_name(make_kernel(" ( rbf ) +  poly3 ", 2, Rng(1))), "rbf+poly3");
  const AnyKernel k = make_kernel("rbf*periodic+linear", 2, Rng(1));
  ASSERT_TRUE(std::holds_alternative<Sum>(k));  // * binds before +
  EXPECT_TRUE(std::holds_alternative<Product>(std::get<Sum>(k).terms[0]));
  const Select s = std::get<Select>(make_kernel("rbf[3,1]", 3, Rng(1)));
  EXPECT_EQ(s.columns, (std::vector<Index>{2, 0}));
  EXPECT_EQ(std::get<Rbf>(s.inner[0]).ell.size(), 2);
}

TEST(MakeKernel, StartsWhereTheSettingsSay) {
  const KernelSettings settings{.ell = 2, .sigma2 = 3, .period = 7, .components = 4};
  EXPECT_EQ(std::get<Rbf>(make_kernel("rbf", 2, Rng(1), settings)).ell(1), 2);
  EXPECT_EQ(std::get<Periodic>(make_kernel("periodic", 2, Rng(1), settings)).period(0), 7);
  const SpectralMixture sm = std::get<SpectralMixture>(make_kernel("sm", 2, Rng(1), settings));
  EXPECT_EQ(sm.components(), 4);
  EXPECT_NEAR(sm(Vector::Zero(2), Vector::Zero(2)), 3, 1e-14);
  EXPECT_NE(sm.mu(0, 0), sm.mu(1, 0));
  const Sum twins = std::get<Sum>(make_kernel("sm+sm", 2, Rng(1), settings));  // each term draws its own
  EXPECT_NE(std::get<SpectralMixture>(twins.terms[0]).mu(0, 0),
            std::get<SpectralMixture>(twins.terms[1]).mu(0, 0));
}

TEST(MakeKernel, ListsTheNamesWhenItCannotRead) {
  for (const char* text :
       {"rbff",   "",        "rbf+",       "*rbf",   "rbf(",     "(rbf",    "rbf)",
        "rbf[0]", "rbf[4]",  "rbf[]",      "rbf[1",  "rbf[1,]",  "poly",    "poly0",
        "poly1x", "arccos3", "rbf linear", "scaled", "scaled()", "rbf[1]]", "rbf[99999999999999999999]",
        "+",      "[1]"}) {
    try {
      make_kernel(text, 3, Rng(1));
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(std::string("\"") + text + "\""), std::string::npos) << message;
      for (const std::string& name : kernel_names())
        EXPECT_NE(message.find(name), std::string::npos) << message;
    }
  }
  EXPECT_THROW(make_kernel("rbf", 0, Rng(1)), std::invalid_argument);
  EXPECT_THROW(make_kernel("rbf", 2, Rng(1), {.ell = -1}), std::domain_error);
}

std::string refusal(const std::string& text) {
  try {
    make_kernel(text, 2, Rng(1));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string joined(int count, const char* by) {
  std::string text = "rbf";
  for (int i = 1; i < count; ++i) text.append(by).append("rbf");
  return text;
}

TEST(MakeKernel, RefusesMoreThanAFitCanUse) {
  EXPECT_EQ(refusal(joined(64, "+")), "");
  EXPECT_EQ(refusal(joined(64, "*")), "");
  const auto nested = [](int depth) {
    return std::string(std::size_t(depth), '(') + "rbf" + std::string(std::size_t(depth), ')');
  };
  EXPECT_EQ(refusal(nested(16)), "");
  for (const std::string& text : {joined(65, "+"), joined(30000, "*")}) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find("joins more than 64 kernels; use a simpler one"), std::string::npos) << message;
    EXPECT_LT(message.size(), 400u);  // the text is cut
  }
  for (const int depth : {17, 100000})
    EXPECT_NE(refusal(nested(depth)).find("nests brackets deeper than 16; use a simpler one"),
              std::string::npos);
}

TEST(MakeKernel, ErrorMessagesAreOneShortLine) {
  const std::string message = refusal("rbf+\n\x1b[2J" + std::string(100000, 'x'));
  EXPECT_NE(message.find("\"rbf+\\n\\x1b[2Jxx"), std::string::npos) << message;
  EXPECT_LT(message.size(), 1000u);
}

}  // namespace
}  // namespace bochner::make_kernel_test
