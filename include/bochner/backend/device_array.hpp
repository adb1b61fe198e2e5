#pragma once
#include <memory>

#include "bochner/backend/engine.hpp"

namespace bochner {

/// Memory of a device, released at the end.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(std::shared_ptr<Engine> engine, Engine::Size count)
      : engine_(std::move(engine)),
        at_(static_cast<T*>(engine_->allocate(static_cast<std::size_t>(count) * sizeof(T)))),
        count_(count) {}
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    DeviceArray(std::move(other)).swap(*this);
    return *this;
  }
  ~DeviceArray() {
    if (engine_) engine_->release(at_);
  }

  T* data() const { return at_; }
  Engine::Size size() const { return count_; }

  void upload(const T* from) { engine_->upload(from, at_, bytes()); }
  void download(T* to) const { engine_->download(at_, to, bytes()); }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(engine_, other.engine_);
    std::swap(at_, other.at_);
    std::swap(count_, other.count_);
  }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(T); }

  std::shared_ptr<Engine> engine_;
  T* at_ = nullptr;
  Engine::Size count_ = 0;
};

/// rows x cols of an array, from an offset on.
inline Slice slice(const DeviceArray<double>& array, Engine::Size offset, Engine::Size rows,
                   Engine::Size cols) {
  return {array.data() + offset, rows, cols, cols, 1, 0};
}

}  // namespace bochner
