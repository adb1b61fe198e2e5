#include "bochner/kernels/linear.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/parameters.hpp"

namespace bochner {

std::vector<std::string> Linear::parameter_names() const {
  std::vector<std::string> names = numbered("log weight", weight.size());
  if (offset) names.push_back("log offset");
  return names;
}

Vector Linear::parameters() const {
  Vector theta(parameter_count());
  theta.head(weight.size()) = weight.array().log();
  if (offset) theta(weight.size()) = std::log(*offset);
  return theta;
}

Linear Linear::with_parameters(VectorIn theta) const {
  check_size("Linear::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  Linear k{.weight = theta.head(weight.size()).array().exp()};
  if (offset) k.offset = std::exp(theta(weight.size()));
  return k;
}

double Linear::operator()(VectorIn x, VectorIn y) const {
  return (weight.array() * x.array() * y.array()).sum() + offset.value_or(0);
}

Vector Linear::gradient(VectorIn x, VectorIn y) const {
  Vector g(parameter_count());
  g.head(weight.size()) = weight.array() * x.array() * y.array();
  if (offset) g(weight.size()) = *offset;
  return g;
}

Vector Linear::input_gradient(VectorIn, VectorIn y) const { return weight.cwiseProduct(y); }

void Linear::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  K.noalias() = (X * weight.asDiagonal()) * Z.transpose();
  if (offset) K.array() += *offset;
}

void Linear::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Index D = weight.size();
  const Matrix dU = dL_dK * Z;  // n x D, adjoint of X diag(weight)
  adjoint.dX += dU * weight.asDiagonal();
  adjoint.dZ.noalias() += dL_dK.transpose() * (X * weight.asDiagonal());
  adjoint.dtheta.head(D) += weight.cwiseProduct(X.cwiseProduct(dU).colwise().sum().transpose());
  if (offset) adjoint.dtheta(D) += *offset * dL_dK.sum();
}

Vector Linear::diagonal(MatrixIn X) const {
  return (X.array().square().matrix() * weight).array() + offset.value_or(0);
}

void Linear::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const Index D = weight.size();
  dX += 2 * dL_dd.asDiagonal() * X * weight.asDiagonal();
  dtheta.head(D) += weight.cwiseProduct(X.array().square().matrix().transpose() * dL_dd);
  if (offset) dtheta(D) += *offset * dL_dd.sum();
}

}  // namespace bochner
