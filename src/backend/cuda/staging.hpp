#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace bochner::cuda {

/// Copies between ordinary memory and the card by way of two page-locked buffers, which the card reads and writes at full
/// speed: one is copied by the processor while the other one travels.
class Staging {
 public:
  explicit Staging(cudaStream_t stream);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  void upload(const void* from, void* to, std::size_t bytes);    // from may change afterwards
  void download(const void* from, void* to, std::size_t bytes);  // waits

 private:
  cudaStream_t stream_;
  void* buffers_[2] = {};
  cudaEvent_t ready_[2] = {};  // the buffer may be used again
  int next_ = 0;
};

}  // namespace bochner::cuda
