#pragma once
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/models/bayes/bayes.hpp"

namespace bochner::bench {

struct Settings {
  std::string data;               // folder of the public data sets
  std::vector<std::string> sets;  // of `imputation` and `labels`; empty: all
  Index seeds = 5, chains = 1;
  Index warmup = 300, draws = 200, frequencies = 50;
  Index rows = 1000, columns = 50;  // of `spikes`
  bool warmup_given = false, draws_given = false, at_truth = true;
  BayesStart start = BayesStart::variational;  // of `labels`
  Threads threads{2};
};

struct PathSet {
  BayesLikelihood likelihood = BayesLikelihood::poisson;
  Index N = 150, J = 12, Q = 1;
};

struct PathTruth {
  BayesData data;
  Matrix X, log_mean;  // N x Q and N x J
};

PathTruth simulate_paths(const PathSet& set, Rng rng);

void sweeps(const Settings&);
void worth(const Settings&);
void scaling(const Settings&);
void curve(const Settings&);
void imputation(const Settings&);
void labels(const Settings&);
void hippocampus(const Settings&);
void paths(const Settings&);
void spikes(const Settings&);

/// The effective number, of so many draws, that the journal program's moves give predicted f, the median over entries.
double joint_ellipse_ess(const Matrix& Y, Index warmup, Index draws);

/// One view under a likelihood.
BayesData one_view(const Matrix& Y);

/// Scores of the leading principal components, N x Q.
Matrix principal_components(const Matrix& Y, Index Q, ScalingKind scaling, const Threads& threads);

double mean_of(const std::vector<double>& values);

/// "0.951 +- 0.004", mean and standard deviation.
std::string mean_sd(const std::vector<double>& values);

}  // namespace bochner::bench
