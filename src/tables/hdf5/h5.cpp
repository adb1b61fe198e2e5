#include "h5.hpp"

namespace bochner::detail {

std::unique_lock<std::mutex> lock_hdf5() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  // What is opened here is closed here. The library's own cleanup at the end of the program crashes where a lack of memory
  // has left its lists half built.
  static const herr_t no_cleanup = H5dont_atexit();
  (void)no_cleanup;
  return lock;
}

}  // namespace bochner::detail
