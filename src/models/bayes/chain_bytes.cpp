#include "chain_bytes.hpp"

#include "bochner/compute/bytes.hpp"

namespace bochner {
namespace {

/// Visits everything that a sweep changes, in one order for writing and reading.
template <class State, class Moves, class F>
void each_part(State& state, Moves& moves, const F& f) {
  f(state.X);
  f.size(state.paths);
  for (auto& path : state.paths) {
    f.choice(path.kind);
    f(path.ell);
    f(path.variance);
  }
  f.size(state.views);
  for (auto& view : state.views) {
    f(view.W);
    f(view.mixture.member);
    f.size(view.mixture.components);
    for (auto& component : view.mixture.components) {
      f(component.mean);
      f(component.L);
    }
    f(view.mixture.alpha);
    f(view.amplitude);
    f(view.B);
    f(view.scale);
    f(view.rate);
  }
  f.size(moves.frequencies);
  for (auto& own : moves.frequencies) {
    f(own.step);
    f(own.proposed);
    f(own.accepted);
    f(own.fresh);
    f(own.fresh_accepted);
  }
  auto& along = moves.trajectory;
  f(along.step);
  f(along.tuning.mu);
  f(along.tuning.log_step);
  f(along.tuning.log_mean);
  f(along.tuning.error_mean);
  f(along.tuning.count);
  f(along.acceptance);
  f.choice(along.tried);
}

struct Writes {
  ByteWriter& out;
  template <class T>
  void operator()(const T& value) const {
    out.add(value);
  }
  template <class T>
  void size(const std::vector<T>& values) const {
    out.add(Index(values.size()));
  }
  template <class T>
  void choice(const T& value) const {
    out.add(static_cast<Index>(value));
  }
};

struct Reads {
  ByteReader& in;
  template <class T>
  void operator()(T& value) const {
    in.read(value);
  }
  template <class T>
  void size(std::vector<T>& values) const {
    Index count = 0;
    in.read(count);
    values.resize(static_cast<std::size_t>(count));
  }
  template <class T>
  void choice(T& value) const {
    Index number = 0;
    in.read(number);
    value = static_cast<T>(number);
  }
};

}  // namespace

std::string moved_bytes(const BayesChain& chain) {
  ByteWriter out;
  each_part(chain.state, chain.moves, Writes{out});
  for (const std::vector<double>* values : {&chain.levels, &chain.identities, &chain.log_steps})
    out.add(*values);
  return out.take();
}

void set_moved(BayesChain& chain, const std::string& bytes) {
  ByteReader in(bytes);
  each_part(chain.state, chain.moves, Reads{in});
  for (std::vector<double>* values : {&chain.levels, &chain.identities, &chain.log_steps}) in.read(*values);
}

std::vector<Index> chains_of(const Communicator& comm, Index chains) {
  std::vector<Index> out;
  for (Index c = 0; c < chains; ++c)
    if (rank_of_chain(c, comm) == comm.rank()) out.push_back(c);
  return out;
}

void exchange_chains(const Communicator& comm, std::vector<BayesChain>& chains) {
  if (comm.is_alone()) return;
  const auto count = static_cast<Index>(chains.size());
  std::vector<std::string> own;
  for (const Index c : chains_of(comm, count))
    own.push_back(moved_bytes(chains[static_cast<std::size_t>(c)]));
  ByteWriter out;
  out.add(own);
  const std::vector<std::string> parts = comm.all_gather(out.take());
  for (Index r = 0; r < comm.size(); ++r) {
    if (r == comm.rank()) continue;
    ByteReader(parts[static_cast<std::size_t>(r)]).read(own);
    for (std::size_t k = 0; k < own.size(); ++k)
      set_moved(chains[static_cast<std::size_t>(r) + k * static_cast<std::size_t>(comm.size())], own[k]);
  }
}

}  // namespace bochner
