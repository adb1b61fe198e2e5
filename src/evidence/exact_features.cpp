#include <algorithm>
#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/evidence/exact_evidence.hpp"
#include "feature_forms.hpp"

namespace bochner {
namespace {

/// In the coordinates Z = Phi L^-T of C = L L', where R_h = I - Z_h Z_h'.
struct WhitenedSum {
  double log_det = 0;  // sum over columns of log|R_h|
  double jitter = 0;
  Matrix U;  // N x F, sum over columns of E_h R_h^-1 Z_h

  WhitenedSum& operator+=(const WhitenedSum& other) {
    log_det += other.log_det;
    jitter = std::max(jitter, other.jitter);
    U += other.U;
    return *this;
  }
};

/// Each lane has a U of its own; their number depends on the shapes alone.
RowPlan lanes_of_patterns(Index patterns, Index N, Index F) {
  const double bytes = 8.0 * double(N) * double(F) + 1;
  return RowPlan::make(patterns, 4, std::clamp<Index>(Index(268435456.0 / bytes), 1, 8));
}

}  // namespace

bool exact_feature_evidence_pays(const std::vector<MissingPattern>& patterns, Index rows, Index cols,
                                 Index features) {
  constexpr double kernel = 800, most_numbers = 1.6e7, most_operations = 1e10;
  const double N = double(rows), M = double(cols), F = double(features);
  if (N * F > most_numbers) return false;
  double small = 0;
  for (const MissingPattern& pattern : patterns) {
    const double missing = N - double(pattern.rows.size());
    small += missing * missing * (2 * F + missing);
  }
  const double bound = N * F * (4 * F + std::min(3 * M, N) + kernel) + 4 * F * F * F;
  const double exact = small + N * F * (7 * F + 3 * M + kernel) + 3 * F * F * F;
  return exact <= 2 * bound && exact <= most_operations;
}

FeatureEvidence exact_feature_evidence(const FeatureRows<double>& features, FilledTable<double>& table,
                                       const std::vector<MissingPattern>& patterns, double sigma2,
                                       const PullFeatures<double>& pull, bool refill,
                                       const EvidenceOptions& options, const Compute& compute) {
  if (table.complete())
    return feature_evidence<double>(features, table.observations(), sigma2, pull, options, compute);
  const char* const f = "exact_feature_evidence";
  check_positive(f, "sigma2", sigma2);
  check_size(f, "rows of Phi", features.rows, "rows of Y", table.rows());
  const Index N = features.rows, F = features.cols;
  const double M = double(table.cols()), n_obs = double(table.observed());
  const Matrix Phi = whole(features, options, compute);
  Matrix C = inner_gram<double>(Phi, compute);
  C.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, compute);
  const Matrix Z = solve_lower(factor, Phi.transpose(), compute).transpose();

  Matrix filled, residual;
  if (refill) {
    filled = table.Y();
    const Matrix A = multiply_transposed<double>(Phi, filled, compute);
    residual = filled - multiply<double>(Phi, solve(factor, A, compute), compute);
  }
  const WhitenedSum zero{.U = Matrix::Zero(N, F)};
  const RowPlan lanes = lanes_of_patterns(Index(patterns.size()), N, F);
  const WhitenedSum sum =
      sum_over_rows<WhitenedSum>(compute, lanes, zero, [&](WhitenedSum& lane, Index begin, Index size) {
        for (Index p = begin; p < begin + size; ++p) {
          const MissingPattern& pattern = patterns[static_cast<std::size_t>(p)];
          const std::vector<Index> h = missing_rows(pattern, N);
          if (h.empty()) continue;
          const Matrix Zh = Z(h, Eigen::all);
          Matrix R = -Zh * Zh.transpose();
          R.diagonal().array() += 1;
          const CholeskyFactor small =
              cholesky(std::move(R), {.what = "the precision of missing rows"}, compute);
          const double count = double(pattern.columns.size());
          lane.jitter = std::max(lane.jitter, small.jitter);
          lane.log_det += count * log_determinant(small);
          lane.U(h, Eigen::all) += count * solve(small, Zh, compute);
          if (refill) filled(h, pattern.columns) -= solve(small, residual(h, pattern.columns), compute);
        }
      });
  if (refill) {
    table.refill(0, filled);
    table.refilled();
  }

  const Matrix& Y = table.Y();
  const Matrix P =
      solve_lower(factor, multiply_transposed<double>(Phi, Y, compute), compute);  // tr A'B = |P|^2
  const Matrix B = solve_lower_transposed(factor, P, compute);
  const double squares = squared_norm<double>(Y, compute) - squared_norm<double>(P, compute);
  FeatureEvidence out{.jitter = std::max(factor.jitter, sum.jitter), .form = EvidenceForm::features};
  out.value =
      -0.5 * (n_obs * (log_2pi + std::log(sigma2)) +
              M * (log_determinant(factor) - double(F) * std::log(sigma2)) + sum.log_det + squares / sigma2);
  // C^-1 Phi'U C^-1 of the header is L^-T Z'U L^-1 in these coordinates, and its U C^-1 is U L^-1.
  Matrix G = congruence_solve(factor, multiply_transposed<double>(Z, sum.U, compute), compute);
  G += M * inverse(factor, compute);
  out.dsigma2 = -0.5 * ((n_obs - M * double(F)) / sigma2 + G.trace() - squares / (sigma2 * sigma2) +
                        squared_norm<double>(B, compute) / sigma2);
  if (!pull) return out;

  const Matrix UC = solve_lower_transposed(factor, sum.U.transpose(), compute).transpose();
  const Matrix Bt = B.transpose() / sigma2;
  const RowPlan plan = evidence_plan(N, options, compute);
  std::vector<Matrix> gradients(plan.strands());
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const auto block = Phi.middleRows(begin, size);
    Matrix& dPhi = gradients[plan.strand_of(lane)];
    dPhi = UC.middleRows(begin, size);
    dPhi.noalias() += (Y.middleRows(begin, size) - block * B) * Bt;
    dPhi.noalias() -= block * G;
    pull(lane, begin, block, dPhi);
  });
  return out;
}

}  // namespace bochner
