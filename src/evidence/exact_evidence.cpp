#include "bochner/evidence/exact_evidence.hpp"

#include <algorithm>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// Whether the missing rows of a column are factorised, or its measured ones.
bool by_missing(const MissingPattern& pattern, Index N) { return 2 * Index(pattern.rows.size()) >= N; }

/// What the patterns add up to.
struct MissingSum {
  double log_det = 0;  // sum over columns of log|C_oo| - log|C|
  double jitter = 0;
  Matrix S;         // sum_m E_h P_hh^-1 E_h'
  Matrix measured;  // sum_m E_o C_oo^-1 E_o' of columns that are factorised in their measured rows

  MissingSum& operator+=(const MissingSum& other) {
    log_det += other.log_det;
    jitter = std::max(jitter, other.jitter);
    if (other.S.size() > 0) S += other.S;
    if (other.measured.size() > 0) measured += other.measured;
    return *this;
  }
};

/// tr(A B) of symmetric matrices.
double trace_of_product(const Matrix& A, const Matrix& B, const Compute& compute) {
  return sum_over_rows<double>(
      compute, RowPlan::make(A.rows()), 0, [&](double& sum, Index begin, Index size) {
        sum += A.middleRows(begin, size).cwiseProduct(B.middleRows(begin, size)).sum();
      });
}

/// Each lane has N x N sums of its own; their number depends on the shapes alone.
RowPlan pattern_plan(Index N, Index patterns) {
  const double bytes = 16.0 * double(N) * double(N) + 1;
  return RowPlan::make(patterns, 8, std::clamp<Index>(Index(268435456.0 / bytes), 1, 8));
}

}  // namespace

double exact_evidence_operations(const std::vector<MissingPattern>& patterns, Index rows) {
  double sum = 0;
  for (const MissingPattern& pattern : patterns) {
    const double measured = double(pattern.rows.size()), missing = double(rows) - measured;
    const double n = std::min(measured, missing);
    sum += n * n * (n + 10);  // the factor, its inverse, the gather
  }
  return sum;
}

bool exact_evidence_pays(const std::vector<MissingPattern>& patterns, Index rows, Index cols) {
  constexpr double kernel = 800;  // of a mixture with two components and its gradient, for a pair of samples
  constexpr double share = 0.2;
  const double N = double(rows), step = N * N * (N + 2.5 * double(std::min(rows, cols)) + kernel);
  return exact_evidence_operations(patterns, rows) <= share * step;
}

KernelEvidence exact_kernel_evidence(MatrixIn K, FilledTable<double>& table,
                                     const std::vector<MissingPattern>& patterns, double sigma2,
                                     bool gradient, bool refill, const Compute& compute) {
  if (table.complete()) return kernel_evidence(K, table.observations(), sigma2, gradient, compute);
  const char* const f = "exact_kernel_evidence";
  check_positive(f, "sigma2", sigma2);
  check_size(f, "columns of K", K.cols(), "rows of K", K.rows());
  check_size(f, "rows of K", K.rows(), "rows of Y", table.rows());
  const Index N = K.rows();

  Matrix C = K;
  C.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(C, {.what = "the Gram matrix plus noise"}, compute);
  const Matrix P = inverse(factor, compute);
  const double log_det_C = log_determinant(factor);

  Matrix filled, V;
  if (refill) {
    filled = table.Y();
    V = multiply<double>(P, filled, compute);
  }
  MissingSum zero;
  Index by_measured = 0;  // columns
  if (gradient) zero.S = Matrix::Zero(N, N);
  for (const MissingPattern& pattern : patterns)
    if (!by_missing(pattern, N)) by_measured += Index(pattern.columns.size());
  if (gradient && by_measured > 0) zero.measured = Matrix::Zero(N, N);

  const MissingSum sum = sum_over_rows<MissingSum>(
      compute, pattern_plan(N, Index(patterns.size())), zero, [&](MissingSum& lane, Index begin, Index size) {
        for (Index p = begin; p < begin + size; ++p) {
          const MissingPattern& pattern = patterns[static_cast<std::size_t>(p)];
          const std::vector<Index>&columns = pattern.columns, &o = pattern.rows;
          const std::vector<Index> h = missing_rows(pattern, N);
          if (h.empty()) continue;
          const double count = double(columns.size());
          if (by_missing(pattern, N)) {
            const CholeskyFactor small =
                cholesky(P(h, h), {.what = "the precision of missing rows"}, compute);
            lane.jitter = std::max(lane.jitter, small.jitter);
            lane.log_det += count * log_determinant(small);
            if (refill) filled(h, columns) -= solve(small, V(h, columns), compute);
            if (gradient) lane.S(h, h) += count * inverse(small, compute);
          } else {
            const CholeskyFactor small =
                cholesky(C(o, o), {.what = "the Gram matrix of measured rows plus noise"}, compute);
            lane.jitter = std::max(lane.jitter, small.jitter);
            lane.log_det += count * (log_determinant(small) - log_det_C);
            if (refill) filled(h, columns) = K(h, o) * solve(small, filled(o, columns), compute);
            if (gradient) lane.measured(o, o) += count * inverse(small, compute);
          }
        }
      });
  if (refill) {
    table.refill(0, filled);
    table.refilled();
  }
  const Matrix& outer = table.outer(compute);
  const double M = double(table.cols());
  KernelEvidence out{.jitter = std::max(factor.jitter, sum.jitter)};
  out.value = -0.5 * (double(table.observed()) * log_2pi + M * log_det_C + sum.log_det +
                      trace_of_product(P, outer, compute));
  if (!gradient) return out;
  Matrix H = sum.S;
  H += outer;
  out.dL_dK = lower_of_product(multiply<double>(P, H, compute), P, compute);
  mirror_lower<double>(out.dL_dK, compute);
  const double direct = M - double(by_measured);
  for_each_block(compute, N, 64, [&](Index begin, Index size) {
    auto rows = out.dL_dK.middleRows(begin, size);
    rows -= direct * P.middleRows(begin, size);
    if (by_measured > 0) rows -= sum.measured.middleRows(begin, size);
    rows *= 0.5;
  });
  out.dsigma2 = out.dL_dK.trace();
  return out;
}

}  // namespace bochner
