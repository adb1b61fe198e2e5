#pragma once
#include <vector>

#include "bochner/infer/dual_averaging.hpp"
#include "bochner/models/bayes/fit.hpp"

namespace bochner {

/// Everything of one view that a chain carries from sweep to sweep.
struct BayesViewState {
  Matrix W;  // L x Q angular frequencies
  FrequencyMixture mixture;
  double amplitude = 1;  // prior variance of the weights, and of f - b
  Matrix B;              // (2L + C + 1) x J: weights of cosines, of sines, of covariates, intercepts
  Vector scale{};        // J: noise variances, or dispersions; else empty
  double rate = 1;       // h of the dispersions
};

/// A draw of everything.
struct BayesState {
  Matrix X;                        // N x Q
  std::vector<PathPrior> paths{};  // Q, of a dynamic prior
  std::vector<BayesViewState> views;
};

/// What is known before the first sweep.
struct BayesBeginning {
  Matrix X;                            // N x Q
  std::vector<PathPrior> paths{};      // of a dynamic model; empty: unknown
  std::vector<Vector> frequency_sd{};  // of each view, Q; empty: unknown
};

/// Size of random-walk proposals of frequencies, in standard deviations of their component, and how often they were taken.
struct FrequencyMoves {
  double step = 0.3;
  Index proposed = 0, accepted = 0;     // of the random walk
  Index fresh = 0, fresh_accepted = 0;  // of proposals from the prior
};

/// Step size of Hamiltonian trajectories, and how it is found in warm-up.
struct TrajectoryMoves {
  double step = 0.02;
  DualAveraging tuning = DualAveraging::at(0.02);
  double acceptance = 1;  // of the last one
  bool tried = false;     // whether the last sweep had one
};

/// What proposals have learned.
struct BayesMoves {
  std::vector<FrequencyMoves> frequencies;  // one per view
  TrajectoryMoves trajectory{};
};

/// A stored draw, in the frame that all share.
struct BayesStored {
  Matrix X;
  std::vector<BayesFunctions> functions;  // one per view
  std::vector<PathPrior> paths;
  Matrix turn;  // Q x Q: X is the latents of the chain times this
};

/// One chain and what it has left so far.
struct BayesChain {
  BayesState state;
  BayesMoves moves;
  Matrix sum, sum_squares;  // N x Q, of the latents of all draws
  Matrix monitored;         // draws so far x quantities
  std::vector<BayesStored> stored;
  std::vector<double> levels{};      // log posteriors of sweeps by which chains are compared in warm-up
  std::vector<double> identities{};  // what belongs to these (Level)
  std::vector<double> log_steps{};   // of trajectories, at these sweeps
};

}  // namespace bochner
