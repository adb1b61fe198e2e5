#pragma once
#include "bochner/backend/device_array.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Numbers in the memory of a device as a value: a copy has memory of its own, and an assignment writes into what is there if
/// that has the same size, as recorded programs require.
class DeviceVector {
 public:
  DeviceVector() = default;
  DeviceVector(std::shared_ptr<Engine> engine, Index size)
      : engine_(std::move(engine)), memory_(engine_, size) {}
  DeviceVector(std::shared_ptr<Engine> engine, const Vector& values)
      : DeviceVector(std::move(engine), values.size()) {
    memory_.upload(values.data());
  }
  DeviceVector(const DeviceVector& other) { *this = other; }
  DeviceVector(DeviceVector&&) noexcept = default;
  DeviceVector& operator=(const DeviceVector& other) {
    if (this == &other) return *this;
    if (size() != other.size() || engine_ != other.engine_)
      *this = other.engine_ ? DeviceVector(other.engine_, other.size()) : DeviceVector();
    if (size() > 0) engine_->copy(row(other), row(*this));
    return *this;
  }
  DeviceVector& operator=(DeviceVector&&) noexcept = default;
  ~DeviceVector() = default;

  Index size() const { return memory_.size(); }
  double* data() const { return memory_.data(); }
  Vector on_host() const {
    Vector out(size());
    if (size() > 0) memory_.download(out.data());
    return out;
  }

 private:
  static Slice row(const DeviceVector& v) { return slice(v.memory_, 0, 1, v.size()); }

  std::shared_ptr<Engine> engine_;
  DeviceArray<double> memory_;
};

}  // namespace bochner
