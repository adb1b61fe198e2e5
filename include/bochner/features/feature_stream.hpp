#pragma once
#include <utility>

#include "bochner/compute/compute.hpp"
#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/evidence/feature_evidence.hpp"
#include "bochner/features/feature_map.hpp"

namespace bochner {

/// Adjoints of X and of what the map is made of.
template <FeatureMap M>
struct FeaturePullback {
  MatrixT<typename M::Scalar> dX;  // N x D
  typename M::Gradient gradient;
};

/// A feature map at N points, in the form that the evidence asks for: rows made when needed, adjoints summed per lane
/// and then over lanes (LaneSum), so that the result has the same bytes for any number of threads.
///
///     FeatureStream stream(map, X, evidence_plan(N, options));
///     feature_evidence<double>(stream.rows(), observations, sigma2, stream.pull(), options, threads);
///     const FeaturePullback back = stream.finish(threads);
///
/// Of a shared plan, the ranks have the adjoints of the whole once it is finished.
/// The map and X must outlive the stream; the callbacks point into it, so it stays where it is.
template <FeatureMap M>
class FeatureStream {
 public:
  using T = typename M::Scalar;

  FeatureStream(const M& map, MatrixInT<T> X, const RowPlan& plan)
      : map_(map),
        X_(X),
        dX_(MatrixT<T>::Zero(X.rows(), X.cols())),
        plan_(plan),
        sum_(plan, map.zero_gradient()) {
    check_size("FeatureStream", "columns of X", X.cols(), "the input dimensions of the map",
               map.input_dims());
    check_size("FeatureStream", "rows of the plan", plan.rows, "rows of X", X.rows());
  }
  FeatureStream(const FeatureStream&) = delete;
  FeatureStream& operator=(const FeatureStream&) = delete;

  void fill(Index begin, MatrixOutT<T> Phi) const { map_.fill(X_.middleRows(begin, Phi.rows()), Phi); }

  void pull(Index lane, Index begin, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi) {
    map_.pull(X_.middleRows(begin, Phi.rows()), Phi, dL_dPhi, dX_.middleRows(begin, Phi.rows()), sum_[lane]);
  }

  /// For maps that know what they miss (NystromFeatures): k(x_i, x_i) - |phi_i|^2 of a block, and pull with its adjoint.
  Vector residual(Index begin, MatrixInT<T> Phi) const requires requires(const M& map) {
    map.residual(Phi, Phi);
  }
  { return map_.residual(X_.middleRows(begin, Phi.rows()), Phi); }
  void pull(Index lane, Index begin, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, VectorIn dL_dresidual) requires
      requires(const M& map) {
    map.residual(Phi, Phi);
  }
  {
    MatrixT<T> total = dL_dPhi;
    map_.pull_residual(X_.middleRows(begin, Phi.rows()), Phi, dL_dresidual, total,
                       dX_.middleRows(begin, Phi.rows()), sum_[lane]);
    pull(lane, begin, Phi, total);
  }

  FeatureRows<T> rows() const {
    return {X_.rows(), map_.count(), [this](Index begin, MatrixOutT<T> Phi) { fill(begin, Phi); }};
  }
  PullFeatures<T> pull() {
    return [this](Index lane, Index begin, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi) {
      pull(lane, begin, Phi, dL_dPhi);
    };
  }

  /// The sums so far; the stream starts again at zero.
  FeaturePullback<M> finish(const Compute& compute) {
    FeaturePullback<M> out{std::move(dX_), sum_.total(compute)};
    gather_rows(compute, plan_, out.dX);
    sum_ = Sum(plan_, map_.zero_gradient());
    map_.complete(out.gradient, compute);
    dX_ = MatrixT<T>::Zero(out.dX.rows(), out.dX.cols());
    return out;
  }

 private:
  using Sum = LaneSum<typename M::Gradient>;
  const M& map_;
  const Eigen::Ref<const MatrixT<T>> X_;
  MatrixT<T> dX_;
  RowPlan plan_;
  Sum sum_;
};

/// The whole Phi, N x F, row blocks in parallel.
template <FeatureMap M>
MatrixT<typename M::Scalar> feature_matrix(const M& map, MatrixInT<typename M::Scalar> X,
                                           const Compute& compute, Index block = 256) {
  check_size("feature_matrix", "columns of X", X.cols(), "the input dimensions of the map", map.input_dims());
  MatrixT<typename M::Scalar> Phi(X.rows(), map.count());
  for_each_block(compute, X.rows(), block, [&](Index begin, Index size) {
    map.fill(X.middleRows(begin, size), Phi.middleRows(begin, size));
  });
  return Phi;
}

/// Adjoints of Phi = feature_matrix(map, X).
template <FeatureMap M>
FeaturePullback<M> feature_pullback(const M& map, MatrixInT<typename M::Scalar> X,
                                    MatrixInT<typename M::Scalar> Phi, MatrixInT<typename M::Scalar> dL_dPhi,
                                    const Compute& compute, Index block = 256) {
  check_size("feature_pullback", "rows of Phi", Phi.rows(), "rows of X", X.rows());
  check_size("feature_pullback", "rows of dL_dPhi", dL_dPhi.rows(), "rows of X", X.rows());
  const RowPlan plan = RowPlan::make(X.rows(), block);
  FeatureStream<M> stream(map, X, plan);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    stream.pull(lane, begin, Phi.middleRows(begin, size), dL_dPhi.middleRows(begin, size));
  });
  return stream.finish(compute);
}

}  // namespace bochner
