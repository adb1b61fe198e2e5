#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bochner/compute/communicator.hpp"
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

/// Where work runs; an argument of everything that takes long. A copy shares the threads, the open device and the ranks.
struct Compute {
  Threads threads;
  Device device = Device::cpu();
  Communicator comm = Communicator::alone();
  std::shared_ptr<Engine> engine{};  // the device, once open; none: the processor

  /// Not explicit: whoever has threads alone hands them over as they are.
  Compute(Threads workers = Threads(1), Device on = Device::cpu(), Communicator with = Communicator::alone())
      : threads(std::move(workers)), device(on), comm(std::move(with)) {}
};

}  // namespace bochner
