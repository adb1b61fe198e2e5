#include "launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "bochner/backend/open_mpi.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::cli {

namespace {

int number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? parse_integer<int>(text).value_or(0) : 0;
}

}  // namespace

Launch find_launch() {
  if (const char* said = std::getenv("BOCHNER_MPI"); said != nullptr && std::string_view(said) == "off")
    return {};
  // srun --mpi=pmix: within sbatch alone, where nothing else has been started, there is no PMIX_RANK.
  if (std::getenv("PMIX_RANK") != nullptr && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr)
    if (const int processes = number_in_environment("SLURM_STEP_NUM_TASKS"); processes > 0)
      return {processes, number_in_environment("PMIX_RANK"),
              (processes - 1) / std::max(1, number_in_environment("SLURM_STEP_NUM_NODES")) + 1};
  // Open MPI; MPICH, Intel MPI and srun --mpi=pmi2.
  struct Names {
    const char *size, *rank, *here;
  };
  for (const Names& names :
       {Names{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        Names{"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"}})
    if (const int processes = number_in_environment(names.size); processes > 0)
      return {processes, number_in_environment(names.rank), std::max(1, number_in_environment(names.here))};
  return {};
}

Index threads_of(const Launch& launch) {
  const Index share = std::max<Index>(1, Index(std::thread::hardware_concurrency()) / launch.here);
  cpu_set_t bound;  // launchers bind processes to cores
  return ::sched_getaffinity(0, sizeof bound, &bound) == 0 ? std::min<Index>(share, CPU_COUNT(&bound))
                                                           : share;
}

Communicator join(const Launch& launch) {
  if (launch.processes <= 1) return Communicator::alone();
  try {
    Communicator comm = open_mpi();
    if (comm.size() == launch.processes) return comm;
    throw InputError(
        fmt::format("libbochner_mpi.so was built with another MPI, which finds {} of them; rebuild it with "
                    "the MPI that starts them",
                    comm.size()));
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("{} processes were started, but {}; or start a single process, which uses all cores",
                    launch.processes, error.what()));
  }
}

void be_silent() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

}  // namespace bochner::cli
