#include "bochner/compute/compute.hpp"

#include <gtest/gtest.h>

#include <string>

#include "bochner/core/errors.hpp"

namespace bochner::compute_test {
namespace {

int count_of(const Compute& compute) { return compute.threads.count(); }

TEST(Compute, ThreadsAreHandedOverAsTheyAre) {
  EXPECT_EQ(count_of(Threads(3)), 3);
  EXPECT_EQ(count_of({}), 1);
  const Compute compute = Threads(2);
  EXPECT_EQ(compute.device, Device::cpu());
  EXPECT_EQ(compute.comm, Communicator::alone());
}

TEST(Device, NamesAreReadBack) {
  for (const Device& device : {Device::cpu(), Device::cuda(), Device::cuda(12), Device::automatic()})
    EXPECT_EQ(Device::parse(device.name()), device) << device.name();
  EXPECT_EQ(Device::parse("cuda"), Device::cuda(0));
  EXPECT_EQ(Device::parse("cuda:3").ordinal(), 3);
  EXPECT_TRUE(Device::parse("cpu").is_cpu());
  EXPECT_TRUE(Device::parse("cuda").is_cuda());
  EXPECT_TRUE(Device::parse("auto").is_automatic());
  EXPECT_FALSE(Device::cuda(0) == Device::cuda(1));
  EXPECT_THROW(Device::cuda(-1), std::invalid_argument);
}

TEST(Device, OtherNamesAreRefused) {
  for (const char* name :
       {"CPU", "", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda:1x", "cuda:99999999999", "cuda 1"}) {
    try {
      Device::parse(name);
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "'" + std::string(name) +
                                  "' is not a device; use cpu, cuda, cuda:1 (the second card) or auto");
    }
  }
}

}  // namespace
}  // namespace bochner::compute_test
