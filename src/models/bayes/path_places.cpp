#include "path_places.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bochner/core/checks.hpp"

namespace bochner {

namespace {

constexpr Index nowhere = -1;

/// The rows of the fit around a sample, as places in the order of the grid.
struct Around {
  Index before = nowhere, after = nowhere;
  double since = 0, until = 0;  // times from and to them
};

Index group_of(const TimeAxis& axis, Index n) {
  return axis.group.empty() ? 0 : axis.group[static_cast<std::size_t>(n)];
}

class Neighbours {
 public:
  explicit Neighbours(const BayesFit& fit) {
    for (const Index n : fit.grid.order) places_.push_back({group_of(fit.axis, n), fit.axis.time(n)});
  }

  Around of(Index group, double time) const {
    const auto at = std::lower_bound(places_.begin(), places_.end(), Place{group, time});
    const Index i = at - places_.begin();
    Around out;
    if (at != places_.end() && at->group == group) {
      out.after = i;
      out.until = at->time - time;
    }
    if (i > 0 && places_[static_cast<std::size_t>(i - 1)].group == group) {
      out.before = i - 1;
      out.since = time - places_[static_cast<std::size_t>(i - 1)].time;
    }
    return out;
  }

 private:
  struct Place {
    Index group;
    double time;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places_;  // ascending, as the grid is
};

std::vector<Around> neighbours(const BayesFit& fit, const TimeAxis& axis, Index samples) {
  std::vector<Around> out(static_cast<std::size_t>(samples));
  if (axis.time.size() == 0 || fit.axis.time.size() == 0) return out;
  check_size("embed", "times", axis.time.size(), "samples", samples);
  if (!axis.group.empty())
    check_size("embed", "groups", static_cast<Index>(axis.group.size()), "samples", samples);
  const bool grouped = !fit.axis.group.empty();
  const Neighbours known(fit);
  for (Index n = 0; n < samples; ++n) {
    const double time = axis.time(n);
    if (std::isinf(time)) throw std::domain_error("embed: a time is infinite");
    if (std::isnan(time) || (grouped && axis.group.empty())) continue;
    out[static_cast<std::size_t>(n)] = known.of(grouped ? group_of(axis, n) : 0, time);
  }
  return out;
}

}  // namespace

PathPlaces path_places(const BayesFit& fit, const TimeAxis& axis, Index samples, const Rng& rng,
                       const Compute& compute) {
  const std::vector<Around> around = neighbours(fit, axis, samples);
  const bool any =
      std::any_of(around.begin(), around.end(), [](const Around& own) { return own.before != own.after; });
  const Index S = static_cast<Index>(fit.X.size()), Q = fit.dims();
  PathPlaces out{std::vector<Matrix>(fit.X.size(), Matrix::Zero(samples, Q)), {}};
  out.sd = out.mean;
  compute.threads.run(S, [&](Index draw) {
    const auto s = static_cast<std::size_t>(draw);
    Matrix X;
    if (any) X = fit.X[s] * fit.turns[s].transpose();
    for (Index d = 0; d < Q; ++d) {
      const PathPrior& path = fit.paths[s][static_cast<std::size_t>(d)];
      const double sd = std::sqrt(path.variance);
      out.sd[s].col(d).setConstant(sd);
      if (!any) continue;
      // A Markov path is told by its derivatives, too. They are a function of the fit and the draw alone.
      Rng own = rng.split(static_cast<std::uint64_t>(draw)).split(static_cast<std::uint64_t>(d));
      const PathStates states =
          draw_states_given(path_steps(path, fit.grid), fit.grid.sorted(X.col(d)) / sd, own);
      const auto known = [&](Index at, double gap) -> std::optional<KnownState> {
        if (at == nowhere) return std::nullopt;
        return KnownState{states.row(at).transpose(), gap};
      };
      for (Index n = 0; n < samples; ++n) {
        const auto& [before, after, since, until] = around[static_cast<std::size_t>(n)];
        if (before == after) continue;  // both nowhere
        const PathLaw law = path_between(path, known(before, since), known(after, until));
        out.mean[s](n, d) = sd * law.mean;
        out.sd[s](n, d) = sd * std::sqrt(law.variance);
      }
    }
  });
  return out;
}

}  // namespace bochner
