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
  EXPECT_EQ(Device::cpu().name(), "cpu");
  EXPECT_EQ(Device::parse("cpu"), Device::cpu());
  EXPECT_EQ(Device::parse(Device::cpu().name()), Device::cpu());
}

TEST(Device, WhatThisBuildCannotUseIsRefused) {
  const auto message = [](const char* name) -> std::string {
    try {
      Device::parse(name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("cuda"), "this build has no CUDA; use the device 'cpu'");
  EXPECT_EQ(message("cuda:1"), message("cuda"));
  EXPECT_EQ(message("CPU"), "'CPU' is not a device; this build has 'cpu'");
  EXPECT_EQ(message(""), "'' is not a device; this build has 'cpu'");
}

TEST(Communicator, AProcessIsAlone) {
  const Communicator comm = Communicator::alone();
  EXPECT_EQ(comm.rank(), 0);
  EXPECT_EQ(comm.size(), 1);
  EXPECT_EQ(comm.name(), "rank 0 of 1");
}

}  // namespace
}  // namespace bochner::compute_test
