#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "bochner/compute/threads.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// What carries out the operations of this folder: products, factorisations, Gram matrices. So far the processor is the
/// only value; a graphics card will be another one, and nothing but this folder will ask which it is.
class Device {
 public:
  static Device cpu() { return {}; }

  /// "cpu". Throws InputError for a device that this build cannot use.
  static Device parse(std::string_view name);

  std::string name() const;  // what parse reads
  friend bool operator==(const Device&, const Device&) = default;

 private:
  enum class Kind { cpu };
  Device() = default;
  Kind kind_ = Kind::cpu;
};

/// The processes that share a job. Each will own neighbouring lanes of rows (RowPlan), and sums will cross processes
/// where lanes are added up (LaneSum), so that their number does not change a result. So far a process is always alone:
/// rank 0 of 1.
class Communicator {
 public:
  static Communicator alone() { return {}; }

  Index rank() const { return rank_; }  // 0 .. size() - 1
  Index size() const { return size_; }
  std::string name() const;  // "rank 0 of 1"
  friend bool operator==(const Communicator&, const Communicator&) = default;

 private:
  Communicator() = default;
  Index rank_ = 0, size_ = 1;
};

/// Where work runs; an argument of everything that takes long. A copy shares the threads.
struct Compute {
  Threads threads;
  Device device = Device::cpu();
  Communicator comm = Communicator::alone();

  /// Not explicit: whoever has threads alone hands them over as they are.
  Compute(Threads workers = Threads(1), Device on = Device::cpu(), Communicator with = Communicator::alone())
      : threads(std::move(workers)), device(on), comm(with) {}
};

}  // namespace bochner
