#pragma once
#include <string>

#include "bochner/compute/communicator.hpp"
#include "state.hpp"

namespace bochner {

/// What a sweep changes of a chain, as bytes for other processes.
std::string moved_bytes(const BayesChain& chain);
void set_moved(BayesChain& chain, const std::string& bytes);

/// The process that takes chain c through its sweeps, and the chains of one.
inline Index rank_of_chain(Index c, const Communicator& comm) { return c % comm.size(); }
std::vector<Index> chains_of(const Communicator& comm, Index chains);

/// Each process learns where the chains of the others are.
void exchange_chains(const Communicator& comm, std::vector<BayesChain>& chains);

}  // namespace bochner
