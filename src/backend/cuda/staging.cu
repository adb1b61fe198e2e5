#include "staging.hpp"

#include <algorithm>
#include <cstring>

#include "check.hpp"

namespace bochner::cuda {

constexpr std::size_t buffer_bytes = std::size_t{4} << 20;

Staging::Staging(cudaStream_t stream) : stream_(stream) {
  for (int i = 0; i < 2; ++i) {
    BOCHNER_CUDA(cudaMallocHost(&buffers_[i], buffer_bytes));
    BOCHNER_CUDA(cudaEventCreateWithFlags(&ready_[i], cudaEventDisableTiming));
  }
}

Staging::~Staging() {
  for (int i = 0; i < 2; ++i) {
    cudaEventDestroy(ready_[i]);
    cudaFreeHost(buffers_[i]);
  }
}

void Staging::upload(const void* from, void* to, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += buffer_bytes, next_ = 1 - next_) {
    const std::size_t size = std::min(buffer_bytes, bytes - at);
    BOCHNER_CUDA(cudaEventSynchronize(ready_[next_]));
    std::memcpy(buffers_[next_], static_cast<const char*>(from) + at, size);
    BOCHNER_CUDA(
        cudaMemcpyAsync(static_cast<char*>(to) + at, buffers_[next_], size, cudaMemcpyHostToDevice, stream_));
    BOCHNER_CUDA(cudaEventRecord(ready_[next_], stream_));
  }
}

void Staging::download(const void* from, void* to, std::size_t bytes) {
  std::size_t asked = 0;
  const auto ask = [&](int i) {  // the next piece into buffer i
    if (asked >= bytes) return;
    const std::size_t size = std::min(buffer_bytes, bytes - asked);
    BOCHNER_CUDA(cudaMemcpyAsync(buffers_[i], static_cast<const char*>(from) + asked, size,
                                 cudaMemcpyDeviceToHost, stream_));
    BOCHNER_CUDA(cudaEventRecord(ready_[i], stream_));
    asked += size;
  };
  ask(0);
  ask(1);
  int i = 0;
  for (std::size_t at = 0; at < bytes; at += buffer_bytes, i = 1 - i) {
    BOCHNER_CUDA(cudaEventSynchronize(ready_[i]));
    std::memcpy(static_cast<char*>(to) + at, buffers_[i], std::min(buffer_bytes, bytes - at));
    ask(i);
  }
}

}  // namespace bochner::cuda
