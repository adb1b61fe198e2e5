#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/cayley_adam.hpp"
#include "bochner/infer/stiefel.hpp"
#include "bochner/kernels/gram_sum.hpp"
#include "bochner/linalg/block_eigenpairs.hpp"
#include "source.hpp"

namespace bochner {
namespace {

constexpr Index chunk = 4096;          // rows whose features are in memory at once, on the primal side
constexpr double no_variance = 1e-12;  // of the largest eigenvalue: what rounding leaves of a zero

/// Columns lose their means.
void centre(Matrix& A) { A.rowwise() -= A.colwise().mean().eval(); }

struct Solved {
  Eigenpairs pairs;
  Status status = Status::converged;
  Index steps = 0;
};

/// Top eigenpairs of A by Cayley-Adam: maximise tr(X'AX) / 2 over orthonormal X, Gamma' = X'AX, then rotate to its
/// eigenvectors [achten2023, Alg. 3 and 4]. The gradient A X is divided by its own norm inside Cayley-Adam, so a step of
/// one is that of gradient ascent with the largest stable rate.
Solved on_stiefel(const BlockOperator& A, Matrix start, const KpcaOptions& options, const Compute& compute) {
  double scale = 0;
  const StiefelObjective f = [&](const Matrix& X, Matrix& grad) {
    grad = A(X);
    if (scale == 0) scale = std::max(grad.norm(), 1e-300);
    grad /= scale;
    return 0.5 * X.cwiseProduct(grad).sum();
  };
  const StiefelResult r = maximize(f, std::move(start),
                                   CayleyAdamOptions{.step = 1.0,
                                                     .max_iterations = options.stiefel_steps,
                                                     .gradient_tolerance = options.tolerance,
                                                     .patience = 0,
                                                     .keep_trace = false},
                                   {}, compute);
  const Matrix Gamma = multiply_transposed<double>(r.theta, A(r.theta), compute);
  const Eigenpairs rotation = top_eigenpairs(0.5 * (Gamma + Gamma.transpose()), Gamma.rows(), {}, compute);
  return {{rotation.values, multiply<double>(r.theta, rotation.vectors, compute)}, r.status, r.iterations};
}

/// `centred`: the columns of A V sum to zero. A start with that property keeps it, so that H is centred and orthonormal
/// wherever the iteration stops.
Solved solve(const BlockOperator& A, Index n, Index s, bool stiefel, bool centred, const KpcaOptions& options,
             const Rng& rng, const Compute& compute) {
  if (stiefel) {
    Rng draws = rng.split("stiefel");
    Matrix start = random_orthonormal(n, s, draws);
    if (centred) {
      centre(start);
      start = orthonormalize(start);
    }
    return on_stiefel(A, std::move(start), options, compute);
  }
  return {top_eigenpairs(A, n, s, {.tolerance = options.tolerance}, rng.split("eigenvectors"), compute)};
}

/// Sum of squares that rounding leaves of centred features whose means had this one: eps^2, and some.
double rounding_of(double squares_of_means) { return 1e-29 * squares_of_means; }

/// Leaves out components without variance, or with no more of it than rounding makes.
void cut(KpcaSolution& solution, double rounding = 0) {
  const double least = std::max(no_variance * std::max(solution.lambda(0), 0.0), rounding);
  Index s = 0;
  while (s < solution.lambda.size() && solution.lambda(s) > least) ++s;
  if (s == 0)
    throw InputError(
        "kernel PCA: the samples are all the same in feature space; either no column varies, or the "
        "length-scale is far too large");
  solution.lambda = solution.lambda.head(s).eval();
  if (solution.H.size() > 0) solution.H = solution.H.leftCols(s).eval();
  for (Matrix& U : solution.U)
    if (U.size() > 0) U = U.leftCols(s).eval();
}

/// Features of all views side by side, for `size` rows from `begin`.
Matrix stacked(const std::vector<KpcaSource>& sources, Index begin, Index size, Index F,
               const Compute& compute) {
  Matrix Phi(size, F);
  Index at = 0;
  for (const KpcaSource& s : sources) {
    const Index count = s.map->count();
    Phi.middleCols(at, count) = weighted_features(*s.map, s.weight, s.X.middleRows(begin, size), compute);
    at += count;
  }
  return Phi;
}

KpcaSolution solve_primal(const std::vector<KpcaSource>& sources, Index dims, bool stiefel,
                          const KpcaOptions& options, const Rng& rng, const Compute& compute) {
  const Index n = sources.front().X.rows(), F = *feature_count(sources);
  // Features are made once if they fit, else anew for each of the three passes.
  const bool fits = 8.0 * double(n) * double(F) <= 0.5 * options.keep_bytes;
  const Matrix all = fits ? stacked(sources, 0, n, F, compute) : Matrix();
  const auto chunks = [&](const auto& f) {
    for (Index begin = 0; begin < n; begin += chunk) {
      const Index size = std::min(chunk, n - begin);
      f(begin, fits ? Matrix(all.middleRows(begin, size)) : stacked(sources, begin, size, F, compute));
    }
  };
  Vector mean = Vector::Zero(F);
  chunks([&](Index, const Matrix& Phi) { mean += Phi.colwise().sum().transpose(); });
  mean /= double(n);
  Matrix C = Matrix::Zero(F, F);  // Eq. 10
  chunks([&](Index, Matrix Phi) {
    Phi.rowwise() -= mean.transpose();
    add_shared_inner_gram(Phi, C, compute);
  });
  gather_shared_inner_gram(C, compute);
  mirror_lower<double>(C, compute);

  const BlockOperator A = [&](const Matrix& V) { return multiply<double>(C, V, compute); };
  const Solved solved = solve(A, F, std::min(dims, F), stiefel, false, options, rng, compute);
  KpcaSolution out{.lambda = solved.pairs.values,
                   .total_variance = C.trace(),
                   .status = solved.status,
                   .steps = solved.steps};
  // U = U~ Lambda^(1/2) (Lemma 3.2): without it Eq. 6 and 15 do not hold.
  const Matrix U = solved.pairs.vectors * solved.pairs.values.cwiseMax(0).cwiseSqrt().asDiagonal();
  Index at = 0;
  for (const KpcaSource& s : sources) {
    out.means.push_back(mean.segment(at, s.map->count()));
    out.U.push_back(U.middleRows(at, s.map->count()));
    at += s.map->count();
  }
  cut(out, rounding_of(double(n) * mean.squaredNorm()));
  const Index kept = out.lambda.size();
  const Matrix weights = U.leftCols(kept) * out.lambda.cwiseInverse().asDiagonal();  // Eq. 6
  out.H.resize(n, kept);
  chunks([&](Index begin, Matrix Phi) {
    Phi.rowwise() -= mean.transpose();
    out.H.middleRows(begin, Phi.rows()) = multiply<double>(Phi, weights, compute);
  });
  return out;
}

KpcaSolution solve_dual(const std::vector<KpcaSource>& sources, Index dims, bool stiefel,
                        const KpcaOptions& options, const Rng& rng, const Compute& compute) {
  const Index n = sources.front().X.rows();
  KpcaSolution out;
  std::vector<Matrix> features;  // centred, of views that have them
  std::vector<GramTerm> terms;
  for (const KpcaSource& s : sources) {
    out.means.emplace_back();
    if (s.map) {
      Matrix Phi = weighted_features(*s.map, s.weight, s.X, compute);
      out.means.back() = Phi.colwise().mean();
      Phi.rowwise() -= out.means.back().transpose();
      out.total_variance += squared_norm<double>(Phi, compute);
      features.push_back(std::move(Phi));
    } else {
      features.emplace_back();
      terms.push_back({*s.kernel, s.X, s.weight});
    }
  }
  std::optional<GramSum> gram;
  if (!terms.empty()) {
    gram.emplace(std::move(terms), options.keep_bytes, compute);
    // tr(M K M) = tr K - 1'K1 / n
    out.row_means = gram->times(Matrix::Constant(n, 1, 1.0 / double(n)), compute);
    out.total_variance += gram->trace() - out.row_means.sum();
  }
  const BlockOperator A = [&](const Matrix& V) {  // sum_v M K_v M, Alg. 2 line 4
    Matrix W = V;
    centre(W);
    Matrix sum = gram ? gram->times(W, compute) : Matrix::Zero(n, V.cols());
    for (const Matrix& Phi : features)
      if (Phi.size() > 0) sum += multiply<double>(Phi, multiply_transposed<double>(Phi, W, compute), compute);
    centre(sum);
    return sum;
  };
  Solved solved = solve(A, n, std::min(dims, n - 1), stiefel, true, options, rng, compute);
  out.lambda = solved.pairs.values;
  out.H = std::move(solved.pairs.vectors);
  out.status = solved.status;
  out.steps = solved.steps;
  double constant = 0;  // what centring took out of explicit features
  for (const Vector& mean : out.means) constant += double(n) * mean.squaredNorm();
  cut(out, std::max(gram ? 1e-14 * gram->trace() : 0, rounding_of(constant)));
  centre(out.H);  // as it is but for rounding
  for (const Matrix& Phi : features)
    out.U.push_back(Phi.size() > 0 ? multiply_transposed<double>(Phi, out.H, compute) : Matrix());  // Eq. 5
  return out;
}

/// The largest entry of each component positive, so that no sign depends on the solver.
KpcaSolution with_signs(KpcaSolution solution) {
  for (Index j = 0; j < solution.H.cols(); ++j) {
    Index largest = 0;
    solution.H.col(j).cwiseAbs().maxCoeff(&largest);
    if (solution.H(largest, j) > 0) continue;
    solution.H.col(j) *= -1;
    for (Matrix& U : solution.U)
      if (U.size() > 0) U.col(j) *= -1;
  }
  return solution;
}

}  // namespace

KpcaSolution solve_kpca(const std::vector<KpcaSource>& sources, Index dims, KpcaSolver solver,
                        const KpcaOptions& options, const Rng& rng, const Compute& compute) {
  const bool primal = solver == KpcaSolver::primal || solver == KpcaSolver::primal_stiefel;
  const bool stiefel = solver == KpcaSolver::primal_stiefel || solver == KpcaSolver::dual_stiefel;
  if (!primal) return with_signs(solve_dual(sources, dims, stiefel, options, rng, compute));
  for (const KpcaSource& s : sources)
    if (!s.map)
      throw InputError(
          "view '" + s.name +
          "' has no explicit features, which the primal solver needs; use random Fourier or Nystrom "
          "features, or the dual");
  return with_signs(solve_primal(sources, dims, stiefel, options, rng, compute));
}

}  // namespace bochner
