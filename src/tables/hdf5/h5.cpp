#include "h5.hpp"

namespace bochner::detail {

std::unique_lock<std::mutex> lock_hdf5() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

}  // namespace bochner::detail
