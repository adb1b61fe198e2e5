#include "arrays.hpp"

#include <memory>

namespace bochner::python {

namespace {

/// Owns what an array shows, and frees it with the array.
template <class T>
std::pair<T*, nb::capsule> owned(T value) {
  auto holder = std::make_unique<T>(std::move(value));
  T* const raw = holder.get();
  nb::capsule owner(raw, [](void* p) noexcept { delete static_cast<T*>(p); });
  holder.release();
  return {raw, std::move(owner)};
}

}  // namespace

MatrixResult to_numpy(Matrix m) {
  auto [data, owner] = owned(std::move(m));
  return MatrixResult(data->data(), {static_cast<size_t>(data->rows()), static_cast<size_t>(data->cols())},
                      owner);
}

VectorResult to_numpy(Vector v) {
  auto [data, owner] = owned(std::move(v));
  return VectorResult(data->data(), {static_cast<size_t>(data->size())}, owner);
}

}  // namespace bochner::python
