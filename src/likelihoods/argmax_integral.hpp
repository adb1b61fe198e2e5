#pragma once
#include "bochner/core/types.hpp"
#include "bochner/likelihoods/gauss_hermite.hpp"

namespace bochner {

/// P(f_y is the largest of f) for independent f_c ~ N(m_c, v_c), by the panels of robust_max.hpp. An object holds the
/// buffers of one row after another.
class ArgmaxIntegral {
 public:
  ArgmaxIntegral();
  double probability(Index y, VectorIn mean, VectorIn var);
  double with_derivatives(Index y, VectorIn mean, VectorIn var);  // of the probability, kept below
  const Vector& dmean() const { return dmean_; }                  // K
  const Vector& dvar() const { return dvar_; }                    // K

 private:
  double integrate(Index y, VectorIn mean, VectorIn var, bool derivatives);
  double certain(Index y, VectorIn mean) const;
  double node(double start, double offset, double weight, Index y, VectorIn mean);
  void add_derivatives(double value, Index y);

  QuadratureRule rule_;
  Vector sd_, dmean_, dvar_;
  double z_ = 0;        // of y at the node, in standard deviations
  Vector t_, phi_;      // the same of each rival, and Phi(t)
  IndexVector rivals_;  // classes that may still be above f_y
  Index rival_count_ = 0;
};

}  // namespace bochner
