#pragma once
#include <functional>
#include <vector>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// One draw as it is written down.
struct BayesDraw {
  Index chain = 0, number = 0;
  const Matrix& X;                               // in the common frame
  const std::vector<BayesFunctions>& functions;  // one per view, in the same frame
  const std::vector<PathPrior>& paths;           // of the latents before they were turned ..
  const Matrix& turn;                            // .. X is those times this
  double log_density = 0;
};

/// The search for the latents that chains begin at. Only the variational one has steps.
struct BayesStartProgress {
  Index step = 0, of = 0;                  // `of` is the most there can be
  double objective = 0;                    // the bound of the variational model
  bool done = false;                       // the beginning is found, and the first sweep comes next
  std::function<ModelGroup()> checkpoint;  // everything that the fit carries, made when called
  std::function<Matrix()> latents;         // as they are now (N x Q), made when called
};

struct BayesProgress {
  Index sweep = 0, of = 0;  // `of` is the most there can be until warm-up has ended
  bool warming = true;
  double log_density = 0;                  // of the first chain
  std::function<ModelGroup()> checkpoint;  // everything that the fit carries, made when called
  std::function<Matrix()> latents;         // of the first chain in the common frame (N x Q), made when called
};

struct BayesHooks {
  /// After each step of the start, and once when it is done; false ends the fit before its first sweep. Not called if
  /// `resume` holds the beginning.
  std::function<bool(const BayesStartProgress&)> on_start{};
  std::function<bool()> keep_going{};                    // asked before the first of these steps
  std::function<bool(const BayesProgress&)> on_sweep{};  // false ends the sampling, not the fit
  std::function<void(const BayesDraw&)> on_draw{};       // chains in order, draw by draw
  const ModelGroup* resume = nullptr;  // a checkpoint: the result has the bytes of a fit never interrupted
};

/// Where chains begin, one after the other. `automatic` is Isomap over time: once columns are smoothed over time, neighbours in the
/// table are neighbours on the path, and distances along it unfold where principal components, and a variational fit that knows
/// nothing of time, fold. No sweep unfolds a folded path. Elsewhere, and with more dimensions than Isomap is good for, it is a
/// variational fit.
std::vector<BayesStart> chain_starts(const BayesOptions& options);

/// Samples from the posterior of the Bayesian latent variable model [zhang2023]:
///
///     y_nj ~ likelihood(f_j(x_n)),  f_j(x) = b_j + sum of cosines and sines of W x,  W ~ a mixture,  x ~ N(0, I) or a path
///
/// by Gibbs sampling. MissingOptions and absent views drop out. Deterministic given the seed, whatever the number of threads.
BayesFit fit_bayes(const BayesData& data, const BayesOptions& options, std::uint64_t seed,
                   const Compute& compute, const BayesHooks& hooks = {});

/// Sweeps of each chain, warm-up and all; the most there can be, if that is not known before.
Index most_sweeps(const BayesOptions& options);

/// Bytes that a fit needs at its largest, roughly.
double bayes_memory(const BayesData& data, const BayesOptions& options);

}  // namespace bochner
