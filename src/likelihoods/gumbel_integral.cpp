#include "gumbel_integral.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/compute/vector_math.hpp"

namespace bochner {
namespace {

// exp(-exp(t)) is analytic for |Im t| < pi/2, so a trapezoid sum of step h leaves an error of exp(-pi^2 / h): 6e-13.
constexpr double grid_step = 0.35;

// Normal tails are cut where the density has lost exp(-26); exp(-exp(t)) is 0 above t = 3.6 and 1 below -37, to
// rounding; going further down keeps the digits of small probabilities.
constexpr double cut = 26, normal_sds = 7.2, zero_above = 3.6, one_below = -60;

/// first, first + 1, ..
auto integers(Index first, Index count) {
  return Vector::NullaryExpr(count, [first](Index i) { return static_cast<double>(first + i); });
}

constexpr double widest = 400;     // standard deviation that the grid, of 40 nodes each, still spans
constexpr double narrow_sd = 0.2;  // below: ten Gauss-Hermite nodes are exact to 1e-11

}  // namespace

GumbelIntegral::GumbelIntegral() : narrow_(gauss_hermite(10)) {}

/// The grid reaches from where prod g vanishes (one factor does: max over c) to where 1 - g_c is E[x] up to E[x^2]
/// below exp(-cut), E[x^2] = exp(2 (m + v - u)): from there every integrand falls like exp(-u), a geometric series that the
/// weight of the last node sums. For large v these moments live in normal tails of no consequence; the grid then
/// ends where E[x] = exp(m + v/2 - u), or the tail of f itself, is below exp(-cut).
void GumbelIntegral::lay_grid(VectorIn mean, VectorIn var) {
  double low = -std::numeric_limits<double>::infinity(), high = low;
  for (Index c = 0; c < mean.size(); ++c) {
    const double v = var(c), sd = std::sqrt(v);
    const double first_order = v < 2 * cut ? 0.5 * v + cut : std::sqrt(2 * cut) * sd + 1;
    low = std::max(low, mean(c) - normal_sds * sd - zero_above);
    high = std::max(high, mean(c) + std::min(first_order, v + 0.5 * cut));
  }
  high += std::log(static_cast<double>(mean.size()));
  const Index first = static_cast<Index>(std::floor(low / grid_step));
  const Index n = static_cast<Index>(std::ceil(high / grid_step)) - first + 1;
  u_ = grid_step * integers(first, (n + lanes - 1) / lanes * lanes);
  du_.setConstant(u_.size(), grid_step);
  du_(u_.size() - 1) = -grid_step / std::expm1(-grid_step);  // step (1 + e^-step + e^-2step + ..)
}

/// A class that never competes: x is tiny on the whole grid.
void GumbelIntegral::smooth_far(Index c, double m, double v) {
  slope_.row(c) = (m + 0.5 * v - u_.array()).transpose();
  exp(slope_.row(c).data(), slope_.row(c).data(), u_.size());
}

void GumbelIntegral::smooth_narrow(Index c, double m, double sd) {
  const Index n = u_.size();
  x_ = m - u_.array();
  exp(x_.data(), x_.data(), n);
  for (Index j = 0; j < narrow_.nodes.size(); ++j) {
    const double w = narrow_.weights(j);
    xe_ = std::exp(sd * narrow_.nodes(j)) * x_;
    e_ = -xe_;
    exp(e_.data(), e_.data(), n);
    e_ *= w;
    g_.row(c) += e_.transpose();
    e_.array() *= xe_.array();
    slope_.row(c) += e_.transpose();
    square_.row(c) += e_.cwiseProduct(xe_).transpose();
  }
}

/// f_c on a lattice that the grid is part of, so that exp(-exp(f - u)) depends on one index only and the expectation
/// is a convolution. The lattice has `phases` points per step of the grid, as many as the normal density asks for.
void GumbelIntegral::smooth_wide(Index c, double m, double sd) {
  const Index phases = static_cast<Index>(std::ceil(0.6 / sd));
  const double spacing = grid_step / static_cast<double>(phases);
  const Index half = static_cast<Index>(std::ceil(normal_sds * sd / spacing));
  weight_ = (-0.5 * spacing * spacing / (sd * sd) * integers(-half, 2 * half + 1).array().square());
  exp(weight_.data(), weight_.data(), weight_.size());
  weight_ /= weight_.sum();
  for (Index phase = 0; phase < phases; ++phase) {
    // f = m + (q phases + phase) spacing:  f - u_i = t0 - (i - q) step
    const double t0 = m + static_cast<double>(phase) * spacing - u_(0);
    const Index q_first = -((half + phase) / phases), q_last = (half - phase) / phases;
    Lattice lattice{.first = std::max(static_cast<Index>(std::ceil((t0 - zero_above) / grid_step)), -q_last),
                    .last = static_cast<Index>(std::ceil((t0 - one_below) / grid_step))};
    lattice.last = std::max(std::min(lattice.last, u_.size() - 1 - q_first), lattice.first);
    fill_lattice(t0, lattice);
    convolve(c, lattice, q_first, q_last, weight_.data() + half + phase, phases);
  }
}

/// exp(-x), x exp(-x) and x^2 exp(-x) at x = exp(t0 - k step), k = first .. last, with their limits on both sides.
void GumbelIntegral::fill_lattice(double t0, Lattice lattice) {
  const Index count = lattice.last - lattice.first + 1, padded = count + 2 * lanes;
  x_ = t0 - grid_step * integers(lattice.first, count).array();
  exp(x_.data(), x_.data(), count);
  e_.setZero(padded);
  e_.tail(lanes).setOnes();
  e_.segment(lanes, count) = -x_;
  exp(e_.data() + lanes, e_.data() + lanes, count);
  xe_.setZero(padded);
  xe_.segment(lanes, count) = x_.cwiseProduct(e_.segment(lanes, count));
  xxe_.setZero(padded);
  xxe_.segment(lanes, count) = x_.cwiseProduct(xe_.segment(lanes, count));
}

/// g(i) += sum_q w_q e(i - q) and so on, w_q = weight[q stride]; sixteen i at a time, whose sums stay in registers.
void GumbelIntegral::convolve(Index c, Lattice lattice, Index q_first, Index q_last, const double* weight,
                              Index stride) {
  using Block = Eigen::Array<double, lanes, 1>;
  using In = Eigen::Map<const Block>;
  using InOut = Eigen::Map<Block>;
  double ones = 0;  // weight of the f so far below the block that exp(-x) is 1
  Index q_ones = q_first;
  for (Index i = 0; i < u_.size(); i += lanes) {
    for (; q_ones <= q_last && i - q_ones > lattice.last; ++q_ones) ones += weight[q_ones * stride];
    Block g = Block::Constant(ones), slope = Block::Zero(), square = Block::Zero();
    const Index end = std::min(q_last, i + lanes - 1 - lattice.first);
    for (Index q = q_ones; q <= end; ++q) {
      const double w = weight[q * stride];
      const Index at = i - q - lattice.first + lanes;
      g += w * In(e_.data() + at);
      slope += w * In(xe_.data() + at);
      square += w * In(xxe_.data() + at);
    }
    InOut(g_.row(c).data() + i) += g;
    InOut(slope_.row(c).data() + i) += slope;
    InOut(square_.row(c).data() + i) += square;
  }
}

void GumbelIntegral::smooth(Index c, double m, double v) {
  if (m + 1.5 * v - u_(0) < -30) {
    g_.row(c).setOnes();
    smooth_far(c, m, v);
  } else if (v < narrow_sd * narrow_sd) {
    smooth_narrow(c, m, std::sqrt(v));
  } else {
    smooth_wide(c, m, std::sqrt(v));
  }
}

/// d g_c / dm = -E[x e^-x], and d/dv = 1/2 d^2/dm^2 gives d g_c / dv = 1/2 E[(x^2 - x) e^-x].
void GumbelIntegral::integrate(double shift) {
  const Index K = g_.rows(), n = u_.size();
  others_.resize(K, n);
  product_.setOnes(n);
  for (Index c = 0; c < K; ++c) {  // prod over the classes before c, then times those behind
    others_.row(c) = product_.transpose();
    product_.array() *= g_.row(c).transpose().array();
  }
  x_ = shift - u_.array();
  exp(x_.data(), x_.data(), n);
  x_ = -x_;
  exp(x_.data(), x_.data(), n);
  log_sum_ = shift + (x_ - product_).dot(du_);
  product_.setOnes(n);
  for (Index c = K - 1; c >= 0; --c) {
    others_.row(c).array() *= product_.transpose().array();
    product_.array() *= g_.row(c).transpose().array();
    others_.row(c).array() *= du_.transpose().array();
    probability_(c) = slope_.row(c).dot(others_.row(c));
    dvar_(c) = 0.5 * (probability_(c) - square_.row(c).dot(others_.row(c)));
  }
}

/// Far wider marginals than `widest` would need a grid of their width. Their classes hardly ever tie, so that
/// softmax is argmax nearly everywhere, and softmax(f / t) is so too: t E[logsumexp(f / t)], with its own derivatives.
void GumbelIntegral::compute(VectorIn mean, VectorIn var) {
  const Index K = mean.size();
  const double t = std::max(1.0, std::sqrt(var.maxCoeff()) / widest);
  const double origin = std::round(mean.maxCoeff() / t);  // whole: the nodes do not move with the means
  mean_ = mean.array() / t - origin;
  const Vector v = var / (t * t);
  temperature_ = t;
  lay_grid(mean_, v);
  g_.setZero(K, u_.size());
  slope_.setZero(K, u_.size());
  square_.setZero(K, u_.size());
  probability_.resize(K);
  dvar_.resize(K);
  for (Index c = 0; c < K; ++c) smooth(c, mean_(c), v(c));
  integrate(mean_.maxCoeff());
  dvar_ /= t;
}

}  // namespace bochner
