#include "bochner/evidence/observations.hpp"

#include <Eigen/QR>
#include <cmath>
#include <stdexcept>
#include <string>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"

namespace bochner {

template <class T>
Observations<T>::Observations(MatrixT<T> Y, const Compute& compute) : Y_(std::move(Y)) {
  const Index N = Y_.rows(), M = Y_.cols();
  const RowPlan plan = RowPlan::make(N);
  Vector norms = Vector::Zero(plan.lanes);
  std::vector<Index> counts(plan.lanes, 0);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i)
      for (Index j = 0; j < M; ++j) {
        const T y = Y_(i, j);
        if (std::isnan(y)) continue;
        if (std::isinf(y))
          throw std::domain_error("Observations: Y(" + std::to_string(i) + ", " + std::to_string(j) +
                                  ") is infinite; leave it out (NaN) or correct it");
        ++counts[lane];
        norms(lane) += double(y) * double(y);
      }
  });
  squared_norm_ = norms.sum();
  for (const Index count : counts) observed_ += count;
  if (observed_ < N * M) {
    patterns_ = missing_patterns(Y_.template cast<double>());
    return;
  }
  if (N < 2 * M) S_ = outer_gram<T>(Y_, compute);
  if (N < M) {  // Y' = Q R, so Y Y' = R'R
    const Eigen::HouseholderQR<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> qr(Y_.transpose());
    compact_ = qr.matrixQR().topRows(N).template triangularView<Eigen::Upper>().toDenseMatrix().transpose();
  }
}

template class Observations<double>;
template class Observations<float>;

}  // namespace bochner
