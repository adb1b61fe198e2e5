// libbochner_mpi.so (src/backend/open_mpi.cpp). Needs nothing of the library but the class that it implements. Bytes of any
// number go in rounds, because MPI counts them in int. Errors of MPI end the job, which is its default.
#include "bochner/compute/transport.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

namespace {

using Bytes = std::vector<std::string>;
using Size = unsigned long long;

constexpr Size most_of_a_round = Size{1}
                                 << 30;  // bytes that a rank sends or receives, fewer than an int can count

class Mpi : public bochner::Transport {
 public:
  Mpi() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    chunk_ = most_of_a_round / Size(size_);
  }
  ~Mpi() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  Bytes all_gather(const std::string& part) override {
    return or_end([&] { return gather(part); });
  }
  Bytes all_to_all(const Bytes& messages) override {
    return or_end([&] { return exchange(messages); });
  }

 private:
  /// Other ranks are within the same operation of MPI: one that cannot go on there cannot tell them, and ends the job.
  template <class Operation>
  static Bytes or_end(const Operation& operation) {
    try {
      return operation();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bochner: %s while processes exchanged data; use fewer processes on a machine\n",
                   error.what());
      MPI_Abort(MPI_COMM_WORLD, 2);
      std::abort();
    }
  }

  Bytes gather(const std::string& part) {
    const Size own = part.size();
    std::vector<Size> sizes(std::size_t(size_), 0);
    MPI_Request request;
    MPI_Iallgather(&own, 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD,
                   &request);
    wait_for(request);
    Bytes out = strings_of(sizes);
    const Size longest = *std::max_element(sizes.begin(), sizes.end());
    std::string buffer;
    for (Size begin = 0; begin < longest; begin += chunk_) {
      const Round received(sizes, begin, chunk_);
      buffer.resize(received.bytes);
      MPI_Allgatherv(part.data() + std::min(begin, own), received.counts[std::size_t(rank_)], MPI_BYTE,
                     buffer.data(), received.counts.data(), received.places.data(), MPI_BYTE, MPI_COMM_WORLD);
      received.unpack(buffer, begin, out);
    }
    return out;
  }

  Bytes exchange(const Bytes& messages) {
    std::vector<Size> sent(std::size_t(size_), 0), sizes(std::size_t(size_), 0);
    std::transform(messages.begin(), messages.end(), sent.begin(),
                   [](const std::string& m) { return m.size(); });
    MPI_Alltoall(sent.data(), 1, MPI_UNSIGNED_LONG_LONG, sizes.data(), 1, MPI_UNSIGNED_LONG_LONG,
                 MPI_COMM_WORLD);
    Size longest = *std::max_element(sent.begin(), sent.end());
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    Bytes out = strings_of(sizes);
    std::string packed, buffer;
    for (Size begin = 0; begin < longest; begin += chunk_) {
      const Round going(sent, begin, chunk_), coming(sizes, begin, chunk_);
      packed.resize(going.bytes);
      buffer.resize(coming.bytes);
      for (std::size_t q = 0; q < messages.size(); ++q)
        if (going.counts[q] > 0)
          std::memcpy(packed.data() + going.places[q], messages[q].data() + begin,
                      std::size_t(going.counts[q]));
      MPI_Alltoallv(packed.data(), going.counts.data(), going.places.data(), MPI_BYTE, buffer.data(),
                    coming.counts.data(), coming.places.data(), MPI_BYTE, MPI_COMM_WORLD);
      coming.unpack(buffer, begin, out);
    }
    return out;
  }

  /// What of messages of these sizes goes in the round that starts at `begin`, and where it is in one buffer for all.
  struct Round {
    Round(const std::vector<Size>& sizes, Size begin, Size chunk)
        : counts(sizes.size()), places(sizes.size()) {
      for (std::size_t r = 0; r < sizes.size(); ++r) {
        counts[r] = int(std::min(chunk, sizes[r] - std::min(begin, sizes[r])));
        places[r] = int(bytes);
        bytes += std::size_t(counts[r]);
      }
    }
    void unpack(const std::string& buffer, Size begin, Bytes& out) const {
      for (std::size_t r = 0; r < counts.size(); ++r)
        if (counts[r] > 0)
          std::memcpy(out[r].data() + begin, buffer.data() + places[r], std::size_t(counts[r]));
    }
    std::vector<int> counts, places;
    std::size_t bytes = 0;
  };

  /// Sleeps between looks: MPI itself would keep a core busy for as long as another rank reads, writes or works alone.
  static void wait_for(MPI_Request& request) {
    constexpr std::chrono::milliseconds before_sleep{2};
    constexpr std::chrono::microseconds between_looks{200};
    const auto begun = std::chrono::steady_clock::now();
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) return;
      if (std::chrono::steady_clock::now() - begun > before_sleep) std::this_thread::sleep_for(between_looks);
    }
  }

  static Bytes strings_of(const std::vector<Size>& sizes) {
    Bytes out(sizes.size());
    for (std::size_t r = 0; r < sizes.size(); ++r) out[r].resize(sizes[r]);
    return out;
  }

  int rank_ = 0, size_ = 1;
  Size chunk_ = most_of_a_round;
};

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int bochner_mpi_version() { return bochner::transport_version; }

/// Null where there is no MPI to be had; then `why` says why.
__attribute__((visibility("default"))) bochner::Transport* bochner_mpi_open(char* why, std::size_t size) {
  int begun = 0, level = 0;
  MPI_Initialized(&begun);
  if (begun) {
    std::snprintf(why, size, "MPI has begun already: open it once");
    return nullptr;
  }
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
      level < MPI_THREAD_FUNNELED) {
    std::snprintf(why, size, "this MPI does not allow threads beside the one that sends");
    return nullptr;
  }
  return new Mpi;
}
}
