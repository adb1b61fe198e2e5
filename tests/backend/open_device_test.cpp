#include "bochner/backend/open_device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "bochner/core/errors.hpp"

namespace bochner::open_device_test {
namespace {

std::string refusal(int ordinal) {
  try {
    open_cuda(ordinal);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OpenDevice, TheProcessorNeedsNoPlugin) {
  EXPECT_EQ(opened(Threads(1)).engine, nullptr);
  EXPECT_EQ(opened({Threads(1), Device::automatic()}).engine, nullptr);
}

TEST(OpenDevice, APluginThatIsNotThereIsNamed) {
  setenv("BOCHNER_CUDA", "/nowhere/libbochner_cuda.so", 1);
  const std::string message = refusal(0);
  unsetenv("BOCHNER_CUDA");
  EXPECT_TRUE(message.starts_with("/nowhere/libbochner_cuda.so cannot be loaded (")) << message;
  EXPECT_TRUE(message.ends_with("install CUDA 13, or use the device cpu")) << message;
}

TEST(OpenDevice, ALibraryThatIsNoPluginIsRefused) {
  setenv("BOCHNER_CUDA", "libm.so.6", 1);
  const std::string message = refusal(0);
  unsetenv("BOCHNER_CUDA");
  EXPECT_NE(message.find("no function bochner_cuda_engine_version"), std::string::npos) << message;
}

/// Whatever is missing here, the message ends with what to do.
TEST(OpenDevice, ACardThatDoesNotExistIsRefusedWithARemedy) {
  const std::string message = refusal(1000);
  EXPECT_TRUE(message.find("use the device cpu") != std::string::npos ||
              message.find("the cards are") != std::string::npos)
      << message;
}

}  // namespace
}  // namespace bochner::open_device_test
