#pragma once
#include "bochner/core/types.hpp"
#include "bochner/likelihoods/gauss_hermite.hpp"

namespace bochner {

/// E[logsumexp(f)] for independent f_c ~ N(m_c, v_c), c < K, with its derivatives, by the integrals of softmax.hpp. An
/// object holds the buffers of one row after another; give each thread its own.
class GumbelIntegral {
 public:
  GumbelIntegral();
  void compute(VectorIn mean, VectorIn var);

  /// E[f_y - logsumexp(f)]
  double expected_log(Index y) const { return temperature_ * (mean_(y) - log_sum_); }
  /// K each: the derivative of E[logsumexp(f)] in m, which is E[softmax(f)], and in v.
  const Vector& probabilities() const { return probability_; }
  const Vector& dvar() const { return dvar_; }

 private:
  void lay_grid(VectorIn mean, VectorIn var);
  void smooth(Index c, double m, double v);
  void smooth_far(Index c, double m, double v);
  void smooth_narrow(Index c, double m, double sd);
  void smooth_wide(Index c, double m, double sd);
  void integrate(double shift);

  static constexpr Index lanes = 16;
  struct Lattice {
    Index first, last;  // exp(-x) is 0 left of first and 1 right of last
  };
  void fill_lattice(double t0, Lattice lattice);
  void convolve(Index c, Lattice lattice, Index q_first, Index q_last, const double* weight, Index stride);

  QuadratureRule narrow_;  // for sd(f_c) below one fifth
  Vector u_, du_;          // nodes, multiples of the step, a multiple of `lanes` of them; weights
  // With x = exp(f_c - u): g = E[exp(-x)], slope = g' = E[x exp(-x)], square = E[x^2 exp(-x)]; K x nodes.
  Matrix g_, slope_, square_, others_;  // others: prod of g over the other classes
  Vector x_, e_, xe_, xxe_, weight_, product_;
  double temperature_ = 1, log_sum_ = 0;
  Vector mean_;  // of f / temperature, from an origin near the largest; log_sum is of these
  Vector probability_, dvar_;
};

}  // namespace bochner
