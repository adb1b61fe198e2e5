#include "cli/frame/exit_code.hpp"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "bochner/core/errors.hpp"

namespace bochner::cli::exit_code_test {
namespace {

TEST(ExitCodes, EveryKindOfErrorHasItsOwn) {
  EXPECT_EQ(cli::exit_code(InputError("views.csv")), ExitCode::invalid_input);
  EXPECT_EQ(cli::exit_code(std::invalid_argument("shape")), ExitCode::invalid_input);
  EXPECT_EQ(cli::exit_code(std::domain_error("value")), ExitCode::invalid_input);
  EXPECT_EQ(cli::exit_code(NumericalError("Cholesky")), ExitCode::numerical_failure);
  EXPECT_EQ(cli::exit_code(WriteError("disk full")), ExitCode::cannot_write);
  EXPECT_EQ(cli::exit_code(std::bad_alloc()), ExitCode::numerical_failure);
  EXPECT_EQ(cli::exit_code(std::runtime_error("anything else")), ExitCode::numerical_failure);
}

TEST(ExitCodes, AreTheDocumentedNumbers) {
  EXPECT_EQ(int(ExitCode::success), 0);
  EXPECT_EQ(int(ExitCode::invalid_input), 1);
  EXPECT_EQ(int(ExitCode::numerical_failure), 2);
  EXPECT_EQ(int(ExitCode::cannot_write), 3);
  EXPECT_EQ(int(ExitCode::untrusted), 4);
}

TEST(ExitCodes, AReferenceToTheBaseKeepsTheKind) {
  try {
    throw WriteError("run/latent.csv");
  } catch (const std::exception& error) {
    EXPECT_EQ(cli::exit_code(error), ExitCode::cannot_write);
  }
}

}  // namespace
}  // namespace bochner::cli::exit_code_test
