#include "bochner/priors/path_innovations.hpp"

#include "bochner/core/checks.hpp"

namespace bochner {

namespace {

using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

}  // namespace

Matrix innovations_of(const std::vector<PathStep>& steps, const PathStates& states) {
  check_size("innovations_of", "states", states.rows(), "steps", static_cast<Index>(steps.size()));
  const Index p = states.cols();
  Matrix out(states.rows(), p);
  for (Index n = 0; n < states.rows(); ++n) {
    const PathStep& step = steps[static_cast<std::size_t>(n)];
    SmallVector left = states.row(n).transpose();
    if (n > 0) left -= step.A * states.row(n - 1).transpose();  // A is zero where a group begins
    for (Index i = 0; i < p; ++i) {
      for (Index k = 0; k < i; ++k) left(i) -= step.Q(i, k) * out(n, k);
      out(n, i) = step.Q(i, i) > 0 ? left(i) / step.Q(i, i) : 0;
    }
  }
  return out;
}

PathStates states_of(const std::vector<PathStep>& steps, MatrixIn innovations) {
  check_size("states_of", "innovations", innovations.rows(), "steps", static_cast<Index>(steps.size()));
  PathStates out(innovations.rows(), innovations.cols());
  for (Index n = 0; n < out.rows(); ++n) {
    const PathStep& step = steps[static_cast<std::size_t>(n)];
    SmallVector s = step.Q * SmallVector(innovations.row(n).transpose());
    if (n > 0) s += step.A * SmallVector(out.row(n - 1).transpose());
    out.row(n) = s.transpose();
  }
  return out;
}

Matrix pull_innovations(const std::vector<PathStep>& steps, VectorIn gradient) {
  check_size("pull_innovations", "gradient", gradient.size(), "steps", static_cast<Index>(steps.size()));
  const Index N = gradient.size(), p = steps.front().A.rows();
  Matrix out(N, p);
  SmallVector adjoint = SmallVector::Zero(p);  // of the state of the row
  for (Index n = N - 1; n >= 0; --n) {
    const PathStep& step = steps[static_cast<std::size_t>(n)];
    adjoint(0) += gradient(n);
    out.row(n) = (step.Q.transpose() * adjoint).transpose();
    adjoint = SmallVector(step.A.transpose() * adjoint);
  }
  return out;
}

}  // namespace bochner
