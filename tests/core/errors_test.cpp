#include "bochner/core/errors.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace bochner::errors_test {
namespace {

TEST(Errors, EveryKindHasItsExitCode) {
  EXPECT_EQ(exit_code(InputError("views.csv")), ExitCode::bad_input);
  EXPECT_EQ(exit_code(std::invalid_argument("shape")), ExitCode::bad_input);
  EXPECT_EQ(exit_code(std::domain_error("value")), ExitCode::bad_input);
  EXPECT_EQ(exit_code(NumericalError("Cholesky")), ExitCode::numerical_failure);
  EXPECT_EQ(exit_code(WriteError("disk full")), ExitCode::could_not_write);
  EXPECT_EQ(exit_code(std::bad_alloc()), ExitCode::numerical_failure);
  EXPECT_EQ(exit_code(std::runtime_error("anything else")), ExitCode::numerical_failure);
}

TEST(Errors, ExitCodesAreTheDocumentedNumbers) {
  EXPECT_EQ(int(ExitCode::good), 0);
  EXPECT_EQ(int(ExitCode::bad_input), 1);
  EXPECT_EQ(int(ExitCode::numerical_failure), 2);
  EXPECT_EQ(int(ExitCode::could_not_write), 3);
}

TEST(Errors, AReferenceToTheBaseKeepsTheKind) {
  try {
    throw WriteError("run/latent.csv");
  } catch (const std::exception& error) {
    EXPECT_EQ(exit_code(error), ExitCode::could_not_write);
    EXPECT_STREQ(error.what(), "run/latent.csv");
  }
}

}  // namespace
}  // namespace bochner::errors_test
