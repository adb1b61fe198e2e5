#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bochner/compute/threads.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// An open device that is not the processor: operations on arrays in its memory (backend/engine.hpp).
class Engine;

/// What carries out the work: the processor, or a graphics card, for the models and features that have steps for it
/// (docs/gpu.md). A name, no more: opening the card is the business of backend/open_device.hpp.
class Device {
 public:
  static Device cpu() { return {}; }
  static Device cuda(int ordinal = 0);  // the card of that number, from 0
  static Device automatic();            // a card where it pays and there is one, else the processor

  /// "cpu", "cuda" (the first card), "cuda:1" or "auto". InputError for anything else; whether there is such a card is
  /// found out when it is opened.
  static Device parse(std::string_view name);

  std::string name() const;  // what parse reads
  bool is_cpu() const { return kind_ == Kind::cpu; }
  bool is_cuda() const { return kind_ == Kind::cuda; }
  bool is_automatic() const { return kind_ == Kind::automatic; }
  int ordinal() const { return ordinal_; }  // of a card
  friend bool operator==(const Device&, const Device&) = default;

 private:
  enum class Kind { cpu, cuda, automatic };
  Device() = default;
  Kind kind_ = Kind::cpu;
  int ordinal_ = 0;
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

/// Where work runs; an argument of everything that takes long. A copy shares the threads and the open device.
struct Compute {
  Threads threads;
  Device device = Device::cpu();
  Communicator comm = Communicator::alone();
  std::shared_ptr<Engine> engine{};  // the device, once open; none: the processor

  /// Not explicit: whoever has threads alone hands them over as they are.
  Compute(Threads workers = Threads(1), Device on = Device::cpu(), Communicator with = Communicator::alone())
      : threads(std::move(workers)), device(on), comm(with) {}
};

}  // namespace bochner
