#pragma once
#include "bochner/core/types.hpp"
#include "bochner/likelihoods/gauss_hermite.hpp"

namespace bochner {

/// P(f_y is the largest of f) for independent f_c ~ N(m_c, v_c), by the panels of robust_max.hpp. An object holds the
/// buffers of one row after another.
class ArgmaxIntegral {
 public:
  ArgmaxIntegral();
  double probability(Index y, VectorIn mean, VectorIn var);  // fills the derivatives as well
  const Vector& dmean() const { return dmean_; }             // K
  const Vector& dvar() const { return dvar_; }               // K

 private:
  double certain(Index y, VectorIn mean) const;
  double add_node(double start, double offset, double weight, Index y, VectorIn mean);

  QuadratureRule rule_;
  Vector sd_, phi_, density_, t_, dmean_, dvar_;
  IndexVector rivals_;  // classes that may still be above f_y
  Index rival_count_ = 0;
};

}  // namespace bochner
