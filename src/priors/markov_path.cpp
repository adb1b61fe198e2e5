#include "bochner/priors/markov_path.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "bochner/core/checks.hpp"

namespace bochner {

namespace {

using Small = PathStep::Small;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

/// The lower factor of a positive semidefinite matrix of up to 3 x 3; directions without variance get none.
Small small_root(const Small& C) {
  const Index p = C.rows();
  Small L = Small::Zero(p, p);
  for (Index j = 0; j < p; ++j)
    for (Index i = j; i < p; ++i) {
      const double left = C(i, j) - L.row(i).head(j).dot(L.row(j).head(j));
      if (i == j)
        L(j, j) = left > 0 ? std::sqrt(left) : 0;
      else
        L(i, j) = L(j, j) > 0 ? left / L(j, j) : 0;
    }
  return L;
}

/// m_k = integral of s^k exp(-2 s) over [0, tau], k = 0 .. 4, without cancellation: the largest k by the series of the
/// incomplete gamma function, the others by m_(k-1) = (2 m_k + tau^k exp(-2 tau)) / k, all terms positive.
std::array<double, 5> moments(double tau) {
  if (tau > 30) return {0.5, 0.25, 0.25, 0.375, 0.75};  // k! / 2^(k+1)
  const double x = 2 * tau, e = std::exp(-x);
  double term = 1.0 / 5, sum = term;
  for (double a = 6; term > 1e-17 * sum; ++a) sum += term *= x / a;
  const double tau2 = tau * tau, tau4 = tau2 * tau2;
  std::array<double, 5> m{};
  m[4] = tau4 * tau * e * sum;
  m[3] = (2 * m[4] + tau4 * e) / 4;
  m[2] = (2 * m[3] + tau2 * tau * e) / 3;
  m[1] = (2 * m[2] + tau2 * e) / 2;
  m[0] = 2 * m[1] + tau * e;
  return m;
}

Small stationary(PathKind kind) {
  const Index p = state_size(kind);
  Small P = Small::Identity(p, p);
  if (kind == PathKind::matern52) P << 1, 0, -1.0 / 3, 0, 1.0 / 3, 0, -1.0 / 3, 0, 1;
  return P;
}

/// The companion form of a Matern process is driven at its last derivative; its impulse response is h(s) = (s, 1 - s)
/// exp(-s) or (s^2 / 2, s - s^2 / 2, 1 - 2 s + s^2 / 2) exp(-s), and Q Q' = q integral of h h'.
PathStep step_over(PathKind kind, double tau) {
  if (kind != PathKind::random_walk)
    tau = std::min(tau, 700.0);  // beyond, exp(-tau) is 0 and powers of tau overflow
  const double e = std::exp(-tau);
  const auto p = state_size(kind);
  Small A(p, p), C(p, p);
  switch (kind) {
    case PathKind::random_walk:
      A << 1;
      C << tau;
      break;
    case PathKind::matern12:
      A << e;
      C << -std::expm1(-2 * tau);
      break;
    case PathKind::matern32: {
      const auto m = moments(tau);
      A << 1 + tau, tau, -tau, 1 - tau;
      A *= e;
      C(0, 0) = 4 * m[2];
      C(1, 0) = C(0, 1) = 4 * (m[1] - m[2]);
      C(1, 1) = 4 * (m[0] - 2 * m[1] + m[2]);
      break;
    }
    case PathKind::matern52: {
      const auto m = moments(tau);
      const double t2 = tau * tau;
      A << 1 + tau + t2 / 2, tau + t2, t2 / 2, -t2 / 2, 1 + tau - t2, tau - t2 / 2, t2 / 2 - tau,
          t2 - 3 * tau, 1 - 2 * tau + t2 / 2;
      A *= e;
      const double q = 16.0 / 3;
      C(0, 0) = q * m[4] / 4;
      C(1, 0) = C(0, 1) = q * (m[3] - m[4] / 2) / 2;
      C(2, 0) = C(0, 2) = q * (m[2] - 2 * m[3] + m[4] / 2) / 2;
      C(1, 1) = q * (m[2] - m[3] + m[4] / 4);
      C(2, 1) = C(1, 2) = q * (m[1] - 2.5 * m[2] + 1.5 * m[3] - m[4] / 4);
      C(2, 2) = q * (m[0] - 4 * m[1] + 5 * m[2] - 2 * m[3] + m[4] / 4);
      break;
    }
  }
  return {A, small_root(C)};
}

double rate(const PathPrior& prior) {
  switch (prior.kind) {
    case PathKind::matern32:
      return std::sqrt(3.0) / prior.ell;
    case PathKind::matern52:
      return std::sqrt(5.0) / prior.ell;
    default:
      return 1 / prior.ell;
  }
}

SmallVector normal(Index p, Rng& rng) {
  SmallVector z(p);
  for (Index i = 0; i < p; ++i) z(i) = rng.normal();
  return z;
}

/// Filtered law of the state after x was seen: mean and covariance, the latter without the first row and column.
struct Filtered {
  SmallVector mean;
  Small covariance;
};

struct Innovation {
  double error, variance;
};

/// One step of the filter: predicts, sees x exactly, corrects. `predicted` gets the covariance before x was seen.
Innovation advance(const PathStep& step, double x, Filtered& now, Small& predicted, bool fresh) {
  const Small root = step.Q;
  predicted = root * root.transpose();
  if (fresh) {
    now.mean = SmallVector::Zero(root.rows());
  } else {
    now.mean = step.A * now.mean;
    predicted += step.A * now.covariance * step.A.transpose();
  }
  const Innovation seen{x - now.mean(0), predicted(0, 0)};
  const SmallVector gain = predicted.col(0) / seen.variance;
  now.mean += gain * seen.error;
  now.mean(0) = x;
  now.covariance = predicted - gain * predicted.row(0);
  now.covariance.row(0).setZero();
  now.covariance.col(0).setZero();
  return seen;
}

bool begins(const PathStep& step) { return step.A.isZero(0); }

}  // namespace

Vector TimeGrid::sorted(VectorIn x) const {
  check_size("TimeGrid::sorted", "size of x", x.size(), "rows", size());
  return x(order);
}

Vector TimeGrid::unsorted(VectorIn sorted) const {
  check_size("TimeGrid::unsorted", "size of x", sorted.size(), "rows", size());
  Vector x(size());
  x(order) = sorted;
  return x;
}

TimeGrid make_time_grid(VectorIn t, const std::vector<Index>& group) {
  const Index N = t.size();
  check_at_least("make_time_grid", "times", N, 1);
  check_finite("make_time_grid", "t", Matrix(t));
  if (!group.empty()) check_size("make_time_grid", "groups", static_cast<Index>(group.size()), "times", N);
  TimeGrid grid{.order = std::vector<Index>(static_cast<std::size_t>(N)), .gap = Vector::Zero(N)};
  std::iota(grid.order.begin(), grid.order.end(), 0);
  const auto group_of = [&](Index n) { return group.empty() ? 0 : group[static_cast<std::size_t>(n)]; };
  std::stable_sort(grid.order.begin(), grid.order.end(), [&](Index a, Index b) {
    return std::pair(group_of(a), t(a)) < std::pair(group_of(b), t(b));
  });
  for (Index i = 1; i < N; ++i) {
    const Index before = grid.order[static_cast<std::size_t>(i - 1)],
                here = grid.order[static_cast<std::size_t>(i)];
    if (group_of(before) != group_of(here)) continue;
    grid.gap(i) = t(here) - t(before);
    if (!(grid.gap(i) > 0))
      throw std::domain_error("make_time_grid: two rows of one group have the same time");
  }
  return grid;
}

LengthScalePrior length_scale_prior(const TimeGrid& grid) {
  std::vector<double> gaps;
  double longest = 0, group = 0;
  for (const double gap : grid.gap) {
    group = gap > 0 ? group + gap : 0;
    longest = std::max(longest, group);
    if (gap > 0) gaps.push_back(gap);
  }
  if (gaps.empty()) return {};
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return {std::sqrt(*middle * longest), std::max(1.0, 0.25 * std::log(longest / *middle))};
}

Index state_size(PathKind kind) {
  return kind == PathKind::matern52 ? 3 : kind == PathKind::matern32 ? 2 : 1;
}

std::vector<PathStep> path_steps(const PathPrior& prior, const TimeGrid& grid) {
  check_positive("path_steps", "ell", prior.ell);
  check_positive("path_steps", "variance", prior.variance);
  const Index p = state_size(prior.kind);
  const PathStep first{Small::Zero(p, p), small_root(stationary(prior.kind))};
  const double lambda = rate(prior);
  std::vector<PathStep> steps(static_cast<std::size_t>(grid.size()), first);
  double gap = 0;
  PathStep step = first;
  for (Index i = 0; i < grid.size(); ++i) {
    if (grid.gap(i) == 0) continue;
    if (grid.gap(i) != gap) {  // most series are regular
      gap = grid.gap(i);
      step = step_over(prior.kind, lambda * gap);
    }
    steps[static_cast<std::size_t>(i)] = step;
  }
  return steps;
}

PathStates draw_states(const std::vector<PathStep>& steps, Rng& rng) {
  const Index p = steps.front().A.rows(), N = static_cast<Index>(steps.size());
  PathStates S(N, p);
  for (Index i = 0; i < N; ++i) {
    const PathStep& step = steps[static_cast<std::size_t>(i)];
    SmallVector s = step.Q * normal(p, rng);
    if (i > 0) s += step.A * S.row(i - 1).transpose();  // A is zero where a group begins
    S.row(i) = s.transpose();
  }
  return S;
}

PathDensity path_density(const std::vector<PathStep>& steps, VectorIn x) {
  check_size("path_density", "size of x", x.size(), "steps", static_cast<Index>(steps.size()));
  Filtered of_x, of_ones;
  Small predicted;
  PathDensity out;
  for (Index i = 0; i < x.size(); ++i) {
    const PathStep& step = steps[static_cast<std::size_t>(i)];
    const Innovation e = advance(step, x(i), of_x, predicted, begins(step));
    const Innovation one = advance(step, 1, of_ones, predicted, begins(step));
    out.log_density -= 0.5 * (log_2pi + std::log(e.variance));
    out.quadratic += e.error * e.error / e.variance;
    out.ones += one.error * one.error / e.variance;
    out.cross += one.error * e.error / e.variance;
  }
  out.log_density -= 0.5 * out.quadratic;
  return out;
}

PathStates draw_states_given(const std::vector<PathStep>& steps, VectorIn x, Rng& rng) {
  const Index N = x.size(), p = steps.front().A.rows();
  PathStates S(N, p);
  S.col(0) = x;
  if (p == 1) return S;
  std::vector<Filtered> filtered(static_cast<std::size_t>(N));
  std::vector<Small> predicted(static_cast<std::size_t>(N));
  for (Index i = 0; i < N; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i > 0) filtered[at] = filtered[at - 1];
    advance(steps[at], x(i), filtered[at], predicted[at], begins(steps[at]));
  }
  for (Index i = N - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    SmallVector mean = filtered[at].mean;
    Small covariance = filtered[at].covariance;
    if (i + 1 < N && !begins(steps[at + 1])) {
      const Small& A = steps[at + 1].A;
      const Small cross = covariance * A.transpose();
      const Small gain = predicted[at + 1].llt().solve(cross.transpose()).transpose();
      mean += gain * (S.row(i + 1).transpose() - A * mean);
      covariance -= gain * cross.transpose();
    }
    const SmallVector s = mean + small_root(covariance) * normal(p, rng);
    S.row(i).tail(p - 1) = s.tail(p - 1).transpose();
  }
  return S;
}

SmoothedPath smooth_path(const std::vector<PathStep>& steps, VectorIn y, double noise) {
  check_size("smooth_path", "size of y", y.size(), "steps", static_cast<Index>(steps.size()));
  check_positive("smooth_path", "noise", noise);
  const Index N = y.size(), p = steps.front().A.rows();
  struct Law {
    SmallVector mean;
    Small covariance;
  };
  std::vector<Law> before(static_cast<std::size_t>(N)), after = before;  // y_n was seen
  SmoothedPath out{.mean = Vector(N)};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const PathStep& step = steps[i];
    before[i] = {SmallVector::Zero(p), step.Q * step.Q.transpose()};
    if (!begins(step)) {
      before[i].mean = step.A * after[i - 1].mean;
      before[i].covariance += step.A * after[i - 1].covariance * step.A.transpose();
    }
    const auto& [mean, covariance] = before[i];
    const double error = y(static_cast<Index>(i)) - mean(0), variance = covariance(0, 0) + noise;
    const SmallVector gain = covariance.col(0) / variance;
    after[i] = {mean + gain * error, covariance - gain * covariance.row(0)};
    out.log_density -= 0.5 * (log_2pi + std::log(variance) + error * error / variance);
  }
  SmallVector smooth(p);
  for (std::size_t i = before.size(); i-- > 0;) {
    const bool last = i + 1 == before.size() || begins(steps[i + 1]);
    SmallVector mean = after[i].mean;
    if (!last)
      mean += after[i].covariance * steps[i + 1].A.transpose() *
              before[i + 1].covariance.llt().solve(smooth - before[i + 1].mean);
    smooth = mean;
    out.mean(static_cast<Index>(i)) = smooth(0);
  }
  return out;
}

PathBridge draw_bridge(const std::vector<PathStep>& steps, const PathStates& states, const TimeGrid& grid,
                       Index begin, Index size, Rng& rng) {
  const Index p = states.cols(), end = begin + size;
  const bool from_left = grid.gap(begin) > 0, to_right = end < grid.size() && grid.gap(end) > 0;
  // Forward from the left neighbour: mean, draw around it, and covariance of every state.
  PathBridge out{PathStates(size, p), PathStates(size, p)};
  std::vector<Small> covariance(static_cast<std::size_t>(size));
  SmallVector mean = from_left ? SmallVector(states.row(begin - 1).transpose()) : SmallVector::Zero(p);
  SmallVector draw = SmallVector::Zero(p);
  Small C = Small::Zero(p, p);
  const auto go = [&](const PathStep& step) {
    mean = step.A * mean;
    draw = step.A * draw + step.Q * normal(p, rng);
    C = Small(step.A * C * step.A.transpose() + step.Q * step.Q.transpose());
  };
  for (Index i = 0; i < size; ++i) {
    go(steps[static_cast<std::size_t>(begin + i)]);
    out.mean.row(i) = mean.transpose();
    out.draw.row(i) = draw.transpose();
    covariance[static_cast<std::size_t>(i)] = C;
  }
  if (!to_right) return out;
  // Both are bent to what is known on the right: x + Cov(x, right) Cov(right)^-1 (known - right).
  go(steps[static_cast<std::size_t>(end)]);
  const Eigen::LLT<Small> llt(C);  // 3 x 3 at most and on the stack: the factors of compute/ would allocate
  SmallVector to_mean = llt.solve(states.row(end).transpose() - mean), to_draw = llt.solve(-draw);
  Small reach = steps[static_cast<std::size_t>(end)].A;  // from state i to the one on the right
  for (Index i = size - 1; i >= 0; --i) {
    const Small cross = covariance[static_cast<std::size_t>(i)] * reach.transpose();
    out.mean.row(i) += (cross * to_mean).transpose();
    out.draw.row(i) += (cross * to_draw).transpose();
    reach = Small(reach * steps[static_cast<std::size_t>(begin + i)].A);
  }
  return out;
}

PathLaw path_between(const PathPrior& prior, const std::optional<KnownState>& before,
                     const std::optional<KnownState>& after) {
  check_positive("path_between", "ell", prior.ell);
  const Index p = state_size(prior.kind);
  const double lambda = rate(prior);
  for (const auto* known : {&before, &after}) {
    if (!*known) continue;
    check_size("path_between", "size of a state", (*known)->state.size(), "derivatives and 1", p);
    if (!((*known)->gap >= 0)) throw std::domain_error("path_between: a gap is negative");
    if ((*known)->gap == 0) return {(*known)->state(0), 0};
  }
  SmallVector mean = SmallVector::Zero(p);
  Small C = stationary(prior.kind);
  if (before) {
    const PathStep step = step_over(prior.kind, lambda * before->gap);
    mean = step.A * before->state;
    C = step.Q * step.Q.transpose();
  }
  if (after) {
    const PathStep step = step_over(prior.kind, lambda * after->gap);
    const Small cross = C * step.A.transpose();
    const Small to_right = step.A * cross + step.Q * step.Q.transpose();
    const Small gain = to_right.llt().solve(cross.transpose()).transpose();
    mean += gain * (after->state - step.A * mean);
    C -= gain * cross.transpose();
  }
  return {mean(0), std::max(0.0, C(0, 0))};
}

}  // namespace bochner
