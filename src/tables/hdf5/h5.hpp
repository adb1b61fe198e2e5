#pragma once
#include <hdf5.h>

#include <mutex>
#include <utility>

namespace bochner::detail {

/// Everything this folder does with HDF5, and every fork of a child that will use it, happens under this
/// lock: HDF5 has global state and is not safe for threads in every build.
std::unique_lock<std::mutex> lock_hdf5();

/// Owns an HDF5 identifier; `close` is the function for its kind, H5Dclose for instance.
class H5 {
 public:
  H5(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~H5() {
    if (id_ >= 0) close_(id_);
  }
  H5(H5&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  H5& operator=(H5&&) = delete;

  operator hid_t() const { return id_; }  // NOLINT: used as the C library's own type
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 prints its error stack to standard error unless told not to; this holds its tongue for a scope.
class QuietH5 {
 public:
  QuietH5() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietH5() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  QuietH5(const QuietH5&) = delete;
  QuietH5& operator=(const QuietH5&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace bochner::detail
