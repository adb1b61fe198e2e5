#pragma once
#include <optional>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Rows in the order of time, group by group: groups (trials) have independent paths.
struct TimeGrid {
  std::vector<Index> order;  // N, rows of the table
  Vector gap;                // N, time since the row before in this order; 0 where a group begins
  Index size() const { return gap.size(); }
  Vector sorted(VectorIn x) const;         // values of rows (N), in this order
  Vector unsorted(VectorIn sorted) const;  // and back
};

/// The grid of times t (N), with a group number for each row, or none: one group. Times of a group must differ.
TimeGrid make_time_grid(VectorIn t, const std::vector<Index>& group = {});

/// What is believed of a length-scale that nothing is known about but the times: a median halfway, in logarithms, between the
/// median time between rows and the longest group, which are two standard deviations off, if that is at least one.
struct LengthScalePrior {
  double median = 1, log_sd = 1;
};
LengthScalePrior length_scale_prior(const TimeGrid& grid);

enum class PathKind { matern12, matern32, matern52, random_walk };

/// A Gaussian process over time that is Markov once its derivatives are kept: draws and densities cost O(N) for
/// irregular times [hartikainen2010]. With r = |t - t'| / ell the Matern kernels are those of kernels/matern.hpp; the
/// random walk starts at N(0, variance) and gains variance / ell for each unit of time.
struct PathPrior {
  PathKind kind = PathKind::matern32;
  double ell = 1;
  double variance = 1;
};

/// Length of the state (x, x', ..) of a path.
Index state_size(PathKind kind);

/// States in natural units of the process: derivatives divided by powers of its rate, everything by its standard
/// deviation. The first column of a path of states is x / sqrt(variance).
using PathStates = Matrix;  // N x p, rows in the order of the grid

/// One step of the states, s' = A s + N(0, Q Q'), in natural units. gap = 0: from nowhere, the stationary law.
struct PathStep {
  using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, 3, 3>;
  Small A, Q;
};
std::vector<PathStep> path_steps(const PathPrior& prior, const TimeGrid& grid);

/// A path from the prior.
PathStates draw_states(const std::vector<PathStep>& steps, Rng& rng);

/// What the filter says about x (N, in grid order, divided by the sd of the process): with innovations e_n of variance
/// v_n, log p(x) = -1/2 sum (log 2 pi v_n + e_n^2 / v_n).
struct PathDensity {
  double log_density = 0;  // of x / sqrt(variance)
  double quadratic = 0;    // x' K^-1 x
  double ones = 0;         // 1' K^-1 1
  double cross = 0;        // 1' K^-1 x
};
PathDensity path_density(const std::vector<PathStep>& steps, VectorIn x);

/// The states given x, drawn: forward filter, backward sampling. The first column is x itself.
PathStates draw_states_given(const std::vector<PathStep>& steps, VectorIn x, Rng& rng);

/// A path that was seen with independent noise, y = x + N(0, noise), all in natural units.
struct SmoothedPath {
  Vector mean;             // N, E[x | y]
  double log_density = 0;  // of y
};
SmoothedPath smooth_path(const std::vector<PathStep>& steps, VectorIn y, double noise);

/// A piece of a path given the states around it: rows begin .. begin + size - 1 of the grid, all of one group.
struct PathBridge {
  PathStates mean;  // size x p
  PathStates draw;  // size x p, N(0, covariance)
};
PathBridge draw_bridge(const std::vector<PathStep>& steps, const PathStates& states, const TimeGrid& grid,
                       Index begin, Index size, Rng& rng);

/// A state of the path (p, in natural units) and how far it is from another time, forwards or backwards.
struct KnownState {
  Vector state;
  double gap = 0;
};

/// The law of x / sqrt(variance) at a time between two known states, after the one or before the other if there is only one, and
/// the stationary law if there is none.
struct PathLaw {
  double mean = 0, variance = 1;
};
PathLaw path_between(const PathPrior& prior, const std::optional<KnownState>& before,
                     const std::optional<KnownState>& after);

}  // namespace bochner
