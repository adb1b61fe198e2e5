#include "mixture_density.hpp"

#include <cmath>

namespace bochner {

Matrix mixture_log_predictive(const AnyLikelihood& likelihood, MatrixIn Y,
                              const std::vector<LatentMarginals>& draws) {
  std::vector<Matrix> each;
  for (const LatentMarginals& f : draws) each.push_back(log_predictive(likelihood, Y, f.mean, f.variance));
  if (each.size() == 1) return std::move(each.front());
  Matrix largest = each.front(), sum = Matrix::Zero(largest.rows(), largest.cols());
  for (const Matrix& one : each) largest = largest.cwiseMax(one);
  for (const Matrix& one : each) sum.array() += (one - largest).array().exp();
  return largest.array() + (sum.array() / double(each.size())).log();
}

}  // namespace bochner
