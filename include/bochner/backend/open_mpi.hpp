#pragma once
#include "bochner/compute/communicator.hpp"

namespace bochner {

/// The processes that mpirun or srun has started together with this one. MPI is a plugin, libbochner_mpi.so, which is loaded
/// here and nowhere else: named by the environment variable BOCHNER_MPI, or beside the program, in ../lib from there, or where
/// the loader looks. InputError says what is missing. Once in a process; MPI ends when the last copy of the communicator does.
Communicator open_mpi();

}  // namespace bochner
