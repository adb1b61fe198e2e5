#pragma once
#include <functional>

#include "bochner/models/gplvm/gplvm.hpp"
#include "checkpoint.hpp"
#include "objective.hpp"

namespace bochner {

/// What a fit is asked for: kernels (one per view) and how their Gram matrices are made.
struct GplvmTarget {
  std::vector<AnyKernel> kernels;
  FeatureSpec features;
  FeatureSpec sketch;  // cheaper features for the way to the neighbourhood of an optimum; may be the same
  FeatureSpec climb;   // and for the climb of the kernels asked for; may be the same

  /// Whether there is anything simpler to begin with.
  bool has_sketch() const;
  /// The views of an objective with kernels as asked for, inducing latents chosen at the latents X.
  std::vector<GplvmParameters::View> views(const Matrix& X, const FeatureSpec& with, const Rng& rng,
                                           const Compute& compute) const;
};

/// Takes one start to its optimum, in phases that all go on from the best state so far:
///
///   climb   a constant step until the bound is flat
///   cool    a step that falls to zero
///   check   the same from half the step, again and again until that gains less than 0.5 % of what the start has gained
///
/// A start whose climb ends far below that of an earlier one of its kind ends there: from then on starts hardly overtake each
/// other. After each cooling, samples that are stuck are moved (relocation/relocate.hpp); a check that moved some without any gain is repeated
/// without. A spectral mixture first climbs and cools as the simple kernel that it contains, and is released from exactly there: from an
/// arbitrary start the flexible kernel may find rough functions of scattered latents, an optimum far below. Where there are
/// many samples, that way and the next climb are made with cheaper features too. Whatever a later phase does, the best state by running mean is what
/// the start gives.
class GplvmAscent {
 public:
  /// Moves samples that are stuck (relocation/relocate.hpp); how many.
  using Relocate = std::function<Index(GplvmParameters& parameters, const Rng& rng)>;

  /// `state` holds the start under way; its run may be empty.
  GplvmAscent(const GplvmOptions& options, const GplvmTarget& target, GplvmObjective& objective,
              detail::GplvmCheckpoint& state, const GplvmHooks& hooks, bool resumable,
              const Relocate& relocate, const Rng& rng, const Compute& compute);

  /// Runs the present start to its end; the objective then has the kernels asked for. The status says how it ended: converged
  /// means that a check has gained nothing.
  OptimizeResult run();

 private:
  void begin();
  Index cooling() const;
  OptimizeResult phase();
  bool note(const Iteration& it, const std::function<void()>& fetch);
  bool next_phase(const OptimizeResult& last);
  bool left_behind(double climbed);
  void release(const Vector& best);
  void refine();
  struct Kept {
    Index at, was, size;
  };
  struct Average {
    double value;
    Vector squares;
  };
  Average average(const Vector& theta);
  void adopt(const GplvmParameters& parameters, const std::vector<Kept>& moments);
  void relocate();
  OptimizeResult finish(OptimizeResult result);
  void go_on_from_the_best();
  Index steps_so_far() const { return state_.steps_before + state_.run.iteration; }

  const GplvmOptions& options_;
  const GplvmTarget& target_;
  GplvmObjective& objective_;
  detail::GplvmCheckpoint& state_;
  const GplvmHooks& hooks_;
  const bool resumable_;
  const Relocate relocate_;
  const Rng rng_;
  const Compute compute_;
};

}  // namespace bochner
