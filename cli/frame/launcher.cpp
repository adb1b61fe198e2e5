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

Launched launched() {
  // Open MPI; MPICH, Intel MPI and srun --mpi=pmi2.
  for (const auto& [size, rank] :
       {std::pair{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}})
    if (const int processes = number_in_environment(size); processes > 0)
      return {processes, number_in_environment(rank)};
  return {};
}

void refuse_several_processes(const Launched& by) {
  if (by.processes > 1)
    throw InputError(fmt::format(
        "{} processes were started, but this program was built without MPI: each would do the whole "
        "work and write the same folder; start one, which uses all cores of its machine",
        by.processes));
}

}  // namespace bochner::cli
