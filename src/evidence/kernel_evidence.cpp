#include "bochner/evidence/kernel_evidence.hpp"

#include <algorithm>
#include <vector>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// One missing pattern: columns Y (n x m, all measured) with the Gram matrix of their rows. `M` counts the columns:
/// Y may be compact, with fewer columns and the same outer product.
KernelEvidence one_pattern(Matrix K, const Matrix& Y, Index M, double sigma2, bool gradient,
                           const Compute& compute) {
  const Index n = K.rows();
  K.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(K), {.what = "the Gram matrix plus noise"}, compute);
  const Matrix P = solve_lower(factor, Y, compute);  // L^-1 Y
  KernelEvidence out;
  out.jitter = factor.jitter;
  out.value = -0.5 * (double(n) * double(M) * log_2pi + double(M) * log_determinant(factor) +
                      squared_norm<double>(P, compute));
  if (!gradient) return out;
  const Matrix V = solve_lower_transposed(factor, P, compute);  // (K + sigma2 I)^-1 Y
  out.dL_dK = outer_gram<double>(V, compute);
  const Matrix inverse_K = inverse(factor, compute);
  for_each_block(compute, n, 64, [&](Index begin, Index size) {
    out.dL_dK.middleRows(begin, size) =
        0.5 * (out.dL_dK.middleRows(begin, size) - double(M) * inverse_K.middleRows(begin, size));
  });
  out.dsigma2 = out.dL_dK.trace();
  return out;
}

/// Patterns run side by side, each lane with its own N x N adjoint, as far as 512 MiB of them allow; a single lane
/// leaves the threads to the factorisation instead. The number of lanes depends on the shapes alone.
Index pattern_lanes(Index N, Index patterns) {
  const double bytes = 8.0 * double(N) * double(N) + 1;
  return std::clamp<Index>(Index(536870912.0 / bytes), 1, std::min<Index>(16, patterns));
}

/// The evidence of several patterns.
struct PatternSum {
  KernelEvidence of_all;

  void add_scalars(const KernelEvidence& other) {
    of_all.value += other.value;
    of_all.dsigma2 += other.dsigma2;
    of_all.jitter = std::max(of_all.jitter, other.jitter);
  }
  PatternSum& operator+=(const PatternSum& other) {
    add_scalars(other.of_all);
    of_all.dL_dK += other.of_all.dL_dK;
    return *this;
  }
};

template <class T>
KernelEvidence with_missing(MatrixIn K, const Observations<T>& observations, double sigma2, bool gradient,
                            const Compute& compute) {
  const Index N = K.rows(), count = Index(observations.patterns().size());
  PatternSum zero;
  if (gradient) zero.of_all.dL_dK = Matrix::Zero(N, N);
  return sum_over_rows<PatternSum>(
             compute, RowPlan::make(count, 1, pattern_lanes(N, count)), zero,
             [&](PatternSum& sum, Index p, Index) {
               const MissingPattern& pattern = observations.patterns()[p];
               if (pattern.rows.empty()) return;
               const KernelEvidence one =
                   one_pattern(K(pattern.rows, pattern.rows),
                               observations.Y()(pattern.rows, pattern.columns).template cast<double>(),
                               Index(pattern.columns.size()), sigma2, gradient, compute);
               sum.add_scalars(one);
               if (gradient) sum.of_all.dL_dK(pattern.rows, pattern.rows) += one.dL_dK;
             })
      .of_all;
}

}  // namespace

template <class T>
KernelEvidence kernel_evidence(MatrixIn K, const Observations<T>& observations, double sigma2, bool gradient,
                               const Compute& compute) {
  check_positive("kernel_evidence", "sigma2", sigma2);
  check_size("kernel_evidence", "columns of K", K.cols(), "rows of K", K.rows());
  check_size("kernel_evidence", "rows of K", K.rows(), "rows of Y", observations.rows());
  if (!observations.complete()) return with_missing(K, observations, sigma2, gradient, compute);
  return one_pattern(K, observations.compact().template cast<double>(), observations.cols(), sigma2, gradient,
                     compute);
}

template KernelEvidence kernel_evidence<double>(MatrixIn, const Observations<double>&, double, bool,
                                                const Compute&);
template KernelEvidence kernel_evidence<float>(MatrixIn, const Observations<float>&, double, bool,
                                               const Compute&);

}  // namespace bochner
