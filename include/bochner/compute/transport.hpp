#pragma once
#include <string>
#include <vector>

namespace bochner {

/// What carries bytes between the processes of a job: threads of one process (loopback.hpp), MPI (backend/open_mpi.hpp), or
/// whatever else has these two operations. Every rank calls the same operations in the same order, from one thread at a time.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// The parts of all ranks, in order of rank; they may differ in length.
  virtual std::vector<std::string> all_gather(const std::string& part) = 0;

  /// Message q goes to rank q; returns what rank q sent here, for each q.
  virtual std::vector<std::string> all_to_all(const std::vector<std::string>& messages) = 0;
};

/// Of the class above: a plugin made for another one is refused.
inline constexpr int transport_version = 1;

}  // namespace bochner
