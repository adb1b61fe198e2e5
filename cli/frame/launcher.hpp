#pragma once

namespace bochner::cli {

/// Processes that a launcher such as mpirun has started together with this one, this one included, and which of them
/// this is; 1 and 0 without a launcher.
struct Launch {
  int processes = 1, rank = 0;
};
Launch find_launch();

/// InputError if a launcher has started several of us: without MPI each would do the whole work, in one folder.
void refuse_several_processes(const Launch& by);

}  // namespace bochner::cli
