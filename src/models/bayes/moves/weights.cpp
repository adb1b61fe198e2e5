#include "weights.hpp"

#include <cmath>

#include "bochner/compute/batched.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/random/polya_gamma.hpp"
#include "precisions.hpp"

namespace bochner {

namespace {

/// Weights of a column given normal terms: P^-1 rhs + P^-1/2 noise, where the lower triangle of P counts.
struct NormalWeights {
  NormalWeights(const Columns& P, const Vector& rhs, const Vector& noise)
      : factor(P, "the precision of the weights of a column"), u(factor.solve_lower(rhs)) {
    beta = factor.solve_lower_transposed(u + noise);
  }

  /// What the integral of likelihood and prior over the weights has of P, logarithmically.
  double log_integral() const { return 0.5 * u.squaredNorm() - factor.half_log_determinant(); }

  SmallCholesky factor;
  Vector u, beta;
};

}  // namespace

NormalTerms normal_terms(const BayesTable& t, const BayesViewState& view, MatrixIn F, const Rng& rng,
                         const Compute& compute) {
  NormalTerms out{Matrix(t.rows(), t.cols()), Matrix(t.rows(), t.cols())};
  if (t.likelihood == BayesLikelihood::gaussian) {
    const Vector precision = view.scale.cwiseInverse();
    out.Omega = t.seen * precision.asDiagonal();
    out.K = t.Y * precision.asDiagonal();
    return out;
  }
  const bool counts = t.likelihood == BayesLikelihood::negbinom;
  for_each_block(compute, t.rows(), 16, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n) {
      Rng own = rng.split(static_cast<std::uint64_t>(n));
      const double offset = t.offset.size() > 0 ? t.offset(n) : 0;
      for (Index j = 0; j < t.cols(); ++j) {
        const double shape = counts ? t.Y(n, j) + view.scale(j) : t.trials(n, j);
        const bool seen = t.seen(n, j) > 0 && shape > 0;
        out.Omega(n, j) = seen ? polya_gamma(shape, F(n, j) + offset, own) : 0;
        // K (f + o) - Omega (f + o)^2 / 2 as terms of f.
        out.K(n, j) = seen ? t.Y(n, j) - 0.5 * shape - out.Omega(n, j) * offset : 0;
      }
    }
  });
  return out;
}

void draw_weights(const BayesTable& t, const NormalTerms& terms, MatrixIn Phi, double intercept_sd,
                  BayesViewState& view, AmplitudeTrial& trial, const Rng& rng, const Compute& compute) {
  const Index J = t.cols(), F = Phi.cols(), waves = 2 * view.W.rows();  // whose weights have the amplitude
  const double log_amplitudes = trial.tried() ? std::log(trial.amplitude / view.amplitude) : 0;
  const Vector precision = prior_precision(F, t.covariates.cols(), view.amplitude, intercept_sd);
  Matrix rhs = multiply_transposed<double>(Phi, terms.K, compute);  // F x J
  rhs.row(F - 1) += precision(F - 1) * t.intercept.transpose();
  // Without missing values all columns of Gaussian noise share one Gram matrix.
  const bool shared = t.likelihood == BayesLikelihood::gaussian && t.complete;
  const Matrix gram = shared ? inner_gram<double>(Phi, compute) : Matrix();
  for_each_block(compute, J, columns_together, [&](Index begin, Index size) {
    std::vector<Columns> P(static_cast<std::size_t>(size));
    if (!shared) P = weighted_grams(Phi, terms.Omega.middleCols(begin, size), precision);
    for (Index c = 0; c < size; ++c) {
      const Index j = begin + c;
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      Columns& of_column = P[static_cast<std::size_t>(c)];
      if (shared) {
        of_column = gram / view.scale(j);
        of_column.diagonal() += precision;
      }
      const Vector noise = own.normal(F);
      const NormalWeights now(of_column, rhs.col(j), noise);
      view.B.col(j) = now.beta;
      if (!trial.tried()) continue;
      of_column.diagonal().head(waves).array() += 1 / trial.amplitude - 1 / view.amplitude;
      const NormalWeights other(of_column, rhs.col(j), noise);
      trial.B.col(j) = other.beta;
      trial.log_ratio(j) = other.log_integral() - now.log_integral() - 0.5 * double(waves) * log_amplitudes;
    }
  });
}

void draw_common(const BayesTable& t, double intercept_sd, BayesViewState& view, Rng& rng) {
  const Index F = view.B.rows(), weights = 2 * view.W.rows();
  for (std::size_t g = 0; g + 1 < t.groups.size(); ++g) {
    const Index begin = t.groups[g], C = t.groups[g + 1] - begin;
    const double centre = t.intercept.segment(begin, C).mean();
    for (Index r = 0; r < F; ++r) {
      auto row = view.B.row(r).segment(begin, C);
      const bool intercept = r == F - 1;
      const double sd = intercept ? intercept_sd : r < weights ? std::sqrt(view.amplitude) : 1;
      row.array() += (intercept ? centre : 0) + sd / std::sqrt(double(C)) * rng.normal() - row.mean();
    }
  }
}

Matrix draw_offsets(const BayesTable& t, MatrixIn F, const Rng& rng, const Compute& compute) {
  if (t.offset.size() > 0) return t.offset.replicate(1, t.cols());
  if (!is_softmax(t.likelihood)) return {};
  Matrix out(t.rows(), t.cols());
  for_each_block(compute, t.rows(), 64, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n) {
      Rng own = rng.split(static_cast<std::uint64_t>(n));
      for (Index g = 0; g < t.totals.cols(); ++g) {
        const Index first = t.groups[static_cast<std::size_t>(g)],
                    width = t.groups[static_cast<std::size_t>(g + 1)] - first;
        const auto f = F.row(n).segment(first, width).array();
        const double top = f.maxCoeff(),
                     sum = ((f - top).exp() * t.seen.row(n).segment(first, width).array()).sum();
        // A row without counts says nothing: u = 0, of which no logarithm is taken.
        const double u = t.totals(n, g) > 0 ? own.log_gamma(t.totals(n, g)) - top - std::log(sum) : -1e4;
        out.row(n).segment(first, width).setConstant(u);
      }
    }
  });
  return out;
}

}  // namespace bochner
