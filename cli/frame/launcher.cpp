#include "launcher.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "bochner/core/errors.hpp"

namespace bochner::cli {

namespace {

int number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : 0;
}

}  // namespace

Launch find_launch() {
  // Open MPI; MPICH, Intel MPI and srun --mpi=pmi2.
  for (const auto& [size, rank] :
       {std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}})
    if (const int processes = number_in_environment(size); processes > 0)
      return {processes, number_in_environment(rank)};
  return {};
}

void refuse_several_processes(const Launch& by) {
  if (by.processes > 1)
    throw InputError(fmt::format(
        "{} processes were started, but this program was built without MPI: each would repeat the whole "
        "computation and write to the same folder; start a single process, which uses all cores",
        by.processes));
}

}  // namespace bochner::cli
