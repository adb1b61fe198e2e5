#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "bochner/compute/communicator.hpp"

namespace bochner {

/// f on `ranks` threads of this process, which are the ranks of a job: for tests. Returns when all have; what the lowest rank
/// threw is thrown again, a RankFailure only where nothing else was.
void run_loopback(Index ranks, const std::function<void(const Communicator&)>& f);

/// What one rank has sent to others, operation by operation. An all_to_all is preceded by an all_gather of one byte.
struct Traffic {
  std::vector<Index> gathered, exchanged;  // bytes
  Index bytes() const;
};

/// The same with the communicators counting into traffic[rank], which is made.
void run_loopback(Index ranks, std::vector<Traffic>& traffic,
                  const std::function<void(const Communicator&)>& f);

}  // namespace bochner
