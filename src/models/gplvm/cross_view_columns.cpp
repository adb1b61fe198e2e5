#include "cross_view_columns.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/linalg/missing_patterns.hpp"
#include "bochner/models/gplvm/cross_view.hpp"

namespace bochner {
namespace {

constexpr Index ratios = 29;
constexpr double first_log10 = -3, step_log10 = 0.25;  // rho from 1e-3 to 1e4
constexpr Index fewest = 4;                            // entries of a column that is regressed
constexpr double rounding = 1e-10;                     // eigenvalues below, against the largest, are none
constexpr std::size_t many_patterns = 16, patterns_to_tune = 8;
constexpr double most_kept = 5e8;   // bytes of eigenvectors that are kept between two passes
constexpr Index small_basis = 128;  // components that remain where each column has its own eigenproblem
constexpr int prior_steps = 50;

/// By pattern of missing values: coordinates in the eigenbasis of the measured rows.
struct Rotated {
  Matrix R;           // k x j, from psi; empty: the identity
  Vector centre;      // k, mean of psi over the rows
  Vector d;           // j
  Matrix z;           // j x columns, coordinates of centred y along unit vectors
  Vector mean, rest;  // columns: of y, and |y|^2 that no coordinate has
};

Rotated rotate(const FeatureBasis& basis, MatrixIn Y, const MissingPattern& pattern, Index k) {
  Rotated out;
  Matrix y = Y(pattern.rows, pattern.columns);
  out.mean = y.colwise().mean().transpose();
  y.rowwise() -= out.mean.transpose();
  const bool all = Index(pattern.rows.size()) == basis.psi.rows() && k == basis.d.size();
  if (all) {
    out.centre = Vector::Zero(k);
    out.d = basis.d;
    out.z = basis.d.cwiseSqrt().cwiseInverse().asDiagonal() * (basis.psi.transpose() * y);
  } else {
    Matrix B = basis.psi(pattern.rows, Eigen::seqN(0, k));
    out.centre = B.colwise().mean().transpose();
    B.rowwise() -= out.centre.transpose();
    const bool dual = B.rows() < k;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(dual ? Eigen::MatrixXd(B * B.transpose())
                                                                     : Eigen::MatrixXd(B.transpose() * B));
    const Vector values = solver.eigenvalues();
    Index j = 0;
    while (j < values.size() && values(values.size() - 1 - j) > rounding * values(values.size() - 1)) ++j;
    out.d = values.tail(j);
    const Vector root = out.d.cwiseSqrt().cwiseInverse();
    const Matrix U = solver.eigenvectors().rightCols(j);
    if (dual) {
      out.R = B.transpose() * U * root.asDiagonal();
      out.z = U.transpose() * y;
    } else {
      out.R = U;
      out.z = root.asDiagonal() * (U.transpose() * (B.transpose() * y));
    }
  }
  out.rest = (y.colwise().squaredNorm() - out.z.colwise().squaredNorm()).transpose().cwiseMax(0.0);
  return out;
}

/// A little more than rounding, so that a column without noise keeps a finite evidence.
constexpr double rounding_squares = 1e-12;

/// Whether |y|^2 of a centred column in scaled units is more than rounding: others have no ratio to find.
bool varies(double squares, Index n) { return squares > 1e-20 * double(n); }

/// Log evidence up to a constant and the sum of squares q = y'(C + rho I)^-1 y, for n entries with log |C + rho I| given.
/// The mean takes a degree of freedom, and the eigenvalue rho of its direction.
double column_evidence(double log_det, double q, Index n) {
  return -0.5 * (log_det + double(n - 1) * std::log(q / double(n - 1)));
}

struct Posterior {
  Matrix p;  // M x G, rows sum to one
  double log_evidence = 0;
};

/// The prior over the grid by expectation maximisation, smoothed at each step over half a decade: with few columns
/// the maximum would be a few spikes.
Posterior share_prior(const Matrix& L) {
  const Index M = L.rows();
  Matrix smooth(ratios, ratios);
  for (Index a = 0; a < ratios; ++a)
    for (Index b = 0; b < ratios; ++b) smooth(a, b) = std::exp(-double((a - b) * (a - b)) / 8);
  smooth = (smooth * smooth.colwise().sum().cwiseInverse().asDiagonal()).eval();
  const Vector top = L.rowwise().maxCoeff();
  const Matrix E = (L.colwise() - top).array().exp();
  Vector prior = Vector::Constant(ratios, 1.0 / ratios);
  Matrix p;
  for (int step = 0; step < prior_steps; ++step) {
    p = E * prior.asDiagonal();
    p = (p.rowwise().sum().cwiseInverse().asDiagonal() * p).eval();
    const Vector share = (p.colwise().sum().transpose().array() + 1.0 / ratios).matrix() / double(M + 1);
    prior = smooth * share;
  }
  p = E * prior.asDiagonal();
  const Vector sums = p.rowwise().sum();
  return {sums.cwiseInverse().asDiagonal() * p, top.sum() + sums.array().log().sum()};
}

}  // namespace

const Vector& cross_view_ratios() {
  static const Vector grid = [] {
    Vector out(ratios);
    for (Index g = 0; g < ratios; ++g) out(g) = std::pow(10.0, first_log10 + step_log10 * double(g));
    return out;
  }();
  return grid;
}

FeatureBasis feature_basis(const Matrix& Phi, const Compute& compute) {
  const Index n = Phi.rows(), F = Phi.cols();
  FeatureBasis out;
  out.centre = Phi.colwise().mean().transpose();
  const Matrix A = Phi.rowwise() - out.centre.transpose();
  const bool dual = n < F;
  const Eigenpairs pairs = top_eigenpairs(
      dual ? outer_gram<double>(A, compute) : inner_gram<double>(A, compute), std::min(n, F), {}, compute);
  Index k = 0;
  while (k < pairs.values.size() && pairs.values(k) > rounding * pairs.values(0)) ++k;
  out.d = pairs.values.head(k);
  out.V = pairs.vectors.leftCols(k);
  if (dual)
    out.V = multiply_transposed<double>(A, out.V, compute) * out.d.cwiseSqrt().cwiseInverse().asDiagonal();
  out.psi = multiply<double>(A, out.V, compute);
  return out;
}

ColumnFits fit_columns(const FeatureBasis& basis, MatrixIn Y, const Compute& compute) {
  const Index n = Y.rows(), M = Y.cols(), k = basis.d.size();
  const Vector& rho = cross_view_ratios();
  const std::vector<MissingPattern> patterns = missing_patterns(Y);
  const Index kept = patterns.size() > many_patterns ? std::min(k, small_basis) : k;
  ColumnFits out{Matrix::Zero(k, M), Vector::Zero(M), Vector::Ones(M), Matrix::Zero(M, ratios)};
  const auto is_regressed = [&](const MissingPattern& pattern) {
    return Index(pattern.rows.size()) >= fewest && k > 0;
  };

  std::vector<Rotated> rotated;
  if (double(patterns.size()) * double(kept) * double(kept) * sizeof(double) < most_kept)
    rotated.resize(patterns.size());
  Matrix L = Matrix::Zero(M, ratios), s2 = Matrix::Zero(M, ratios);
  for_each_block(compute, Index(patterns.size()), 1, [&](Index i, Index) {
    const MissingPattern& pattern = patterns[static_cast<std::size_t>(i)];
    const auto count = Index(pattern.rows.size());
    if (!is_regressed(pattern)) return;
    Rotated own = rotate(basis, Y, pattern, kept);
    if (!rotated.empty()) rotated[static_cast<std::size_t>(i)] = std::move(own);
    const Rotated& at = rotated.empty() ? own : rotated[static_cast<std::size_t>(i)];
    const Index j = at.d.size();
    for (Index g = 0; g < ratios; ++g) {
      const Vector inverse = (at.d.array() + rho(g)).inverse();
      const double log_det = -inverse.array().log().sum() + double(count - 1 - j) * std::log(rho(g));
      const Vector squares = at.z.colwise().squaredNorm().transpose() + at.rest;
      const Vector q = (at.z.cwiseAbs2().transpose() * inverse) + at.rest / rho(g);
      for (Index c = 0; c < q.size(); ++c) {
        const Index m = pattern.columns[static_cast<std::size_t>(c)];
        if (!varies(squares(c), count)) continue;
        const double safe = q(c) + rounding_squares * squares(c);
        L(m, g) = column_evidence(log_det, safe, count);
        s2(m, g) = safe / double(count - 3);  // the variance of Student's t, for a scale that is not known
      }
    }
  });
  const Matrix p = share_prior(L).p;

  for_each_block(compute, Index(patterns.size()), 1, [&](Index i, Index) {
    const MissingPattern& pattern = patterns[static_cast<std::size_t>(i)];
    const auto count = Index(pattern.rows.size());
    if (count == 0) return;
    const double all = double(count) / double(n);
    const auto shift = static_cast<Index>(std::lround(-std::log10(all) / step_log10));
    if (!is_regressed(pattern)) {
      const Matrix y = Y(pattern.rows, pattern.columns);
      for (Index c = 0; c < y.cols(); ++c) {
        const Index m = pattern.columns[static_cast<std::size_t>(c)];
        out.intercept(m) = y.col(c).mean();
        if (count > 1) out.noise(m) = (y.col(c).array() - y.col(c).mean()).square().sum() / double(count - 1);
      }
      return;
    }
    const Rotated at =
        rotated.empty() ? rotate(basis, Y, pattern, kept) : std::move(rotated[static_cast<std::size_t>(i)]);
    for (std::size_t c = 0; c < pattern.columns.size(); ++c) {
      const Index m = pattern.columns[c];
      Vector filter = Vector::Zero(at.d.size());
      for (Index g = 0; g < ratios; ++g) {
        filter.array() += p(m, g) / (at.d.array() + rho(g));
        // sum_j psi_j^2 rho / (d_j n_m / n + rho) is that of the whole table at rho n / n_m
        out.spread(m, std::min(g + shift, ratios - 1)) += p(m, g) * s2(m, g);
      }
      const Vector in_basis = at.z.col(Index(c)).cwiseProduct(at.d.cwiseSqrt()).cwiseProduct(filter);
      if (at.R.size() > 0)
        out.weights.col(m).head(kept).noalias() = at.R * in_basis;
      else
        out.weights.col(m).head(kept) = in_basis;
      out.intercept(m) = at.mean(Index(c)) - out.weights.col(m).head(kept).dot(at.centre);
      out.noise(m) = p.row(m).cwiseProduct(s2.row(m)).dot(rho.transpose()) * (1 + 1 / double(count));
    }
  });
  // Columns with too little to tell have the noise of the others.
  double noise = 0;
  Index known = 0;
  for (const MissingPattern& pattern : patterns)
    if (is_regressed(pattern))
      for (const Index m : pattern.columns) noise += out.noise(m), ++known;
  for (const MissingPattern& pattern : patterns)
    if (!is_regressed(pattern) && known > 0)
      for (const Index m : pattern.columns) out.noise(m) = noise / double(known);
  return out;
}

/// Householder's tridiagonal form Q'CQ serves every rho: determinants and solves in O(n).
double log_evidence(const Matrix& C, MatrixIn Y, const Compute& compute) {
  const Vector& rho = cross_view_ratios();
  std::vector<MissingPattern> patterns;
  for (MissingPattern& pattern : missing_patterns(Y))
    if (Index(pattern.rows.size()) >= fewest) patterns.push_back(std::move(pattern));
  if (patterns.size() > patterns_to_tune) {
    std::vector<MissingPattern> some;
    for (std::size_t i = 0; i < patterns_to_tune; ++i)
      some.push_back(patterns[i * patterns.size() / patterns_to_tune]);
    patterns = std::move(some);
  }
  std::vector<Index> first{0};
  for (const MissingPattern& pattern : patterns)
    first.push_back(first.back() + Index(pattern.columns.size()));
  if (first.back() == 0) return 0;
  Matrix L = Matrix::Zero(first.back(), ratios);
  for_each_block(compute, Index(patterns.size()), 1, [&](Index i, Index) {
    const MissingPattern& pattern = patterns[static_cast<std::size_t>(i)];
    const auto n = Index(pattern.rows.size());
    Eigen::MatrixXd A = C(pattern.rows, pattern.rows), y = Y(pattern.rows, pattern.columns);
    const Vector mean = A.rowwise().mean();
    A.colwise() -= mean;
    A.rowwise() -= mean.transpose();
    A.array() += mean.mean();
    y.rowwise() -= y.colwise().mean().eval();
    const Vector squares = y.colwise().squaredNorm().transpose();
    const Eigen::Tridiagonalization<Eigen::MatrixXd> form(A);
    const Vector diagonal = form.diagonal(), below = form.subDiagonal();
    const Matrix z = form.matrixQ().adjoint() * y;
    for (Index g = 0; g < ratios; ++g) {
      // L D L' of the tridiagonal matrix; u = L^-1 z, q = sum u^2 / D
      double pivot = std::max(diagonal(0) + rho(g), 1e-3 * rho(g)), log_det = std::log(pivot);
      Eigen::RowVectorXd u = z.row(0), q = u.cwiseAbs2() / pivot;
      for (Index r = 1; r < n; ++r) {
        const double l = below(r - 1) / pivot;
        pivot = std::max(diagonal(r) + rho(g) - l * below(r - 1), 1e-3 * rho(g));
        log_det += std::log(pivot);
        u = (z.row(r) - l * u).eval();
        q += u.cwiseAbs2() / pivot;
      }
      for (Index c = 0; c < q.size(); ++c)
        if (varies(squares(c), n))
          L(first[static_cast<std::size_t>(i)] + c, g) =
              column_evidence(log_det - std::log(rho(g)), q(c) + rounding_squares * squares(c), n);
    }
  });
  return share_prior(L).log_evidence;
}

}  // namespace bochner
