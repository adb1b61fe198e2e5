#pragma once
#include "bochner/compute/communicator.hpp"

namespace bochner::cli {

/// Processes that a launcher such as mpirun has started together with this one, this one included, which of them this is, and
/// how many of them are on this machine; 1, 0 and 1 without a launcher.
struct Launch {
  int processes = 1, rank = 0, here = 1;
};
Launch find_launch();  // none if the environment variable BOCHNER_MPI is "off"

/// The threads of each process where the user names no number: its share of the cores of the machine, and no more than it is
/// bound to.
Index threads_of(const Launch& launch);

/// The processes of a launcher, joined by MPI. InputError if there is none: each would do the whole work, in one folder.
Communicator join(const Launch& launch);

/// Discards what this process prints: the first one prints for all.
void be_silent();

}  // namespace bochner::cli
