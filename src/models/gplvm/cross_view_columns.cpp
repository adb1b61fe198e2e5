#include "cross_view_columns.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/linalg/missing_patterns.hpp"
#include "bochner/models/gplvm/cross_view.hpp"

namespace bochner {
namespace {

constexpr Index ratios = 29;
constexpr double first_log10 = -3, step_log10 = 0.25;  // rho from 1e-3 to 1e4
constexpr Index fewest = 4;                            // entries of a column that is regressed
constexpr double rounding = 1e-10;                     // eigenvalues below, against the largest, are none
constexpr std::size_t patterns_to_tune = 8;
constexpr int prior_steps = 50, most_refills_of_columns = 50;
constexpr double little_change = 2e-3;  // of what is filled in, scaled units

/// A little more than rounding, so that a column without noise keeps a finite evidence.
constexpr double rounding_squares = 1e-12;

/// Whether |y|^2 of a centred column in scaled units is more than rounding: others have no ratio to find.
bool varies(double squares, Index n) { return squares > 1e-20 * double(n); }

/// Log evidence up to a constant and the sum of squares q = y'(C + rho I)^-1 y, for n entries with log |C + rho I| given.
/// The mean takes a degree of freedom, and the eigenvalue rho of its direction.
double column_evidence(double log_det, double q, double n) {
  return -0.5 * (log_det + (n - 1) * std::log(q / (n - 1)));
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

/// For every number of measured entries n_m that occurs: log |C + rho I| of the grid, without the direction of the mean,
/// for n_m rows taken at random from n, d n_m / n.
std::map<double, Vector> log_determinants(const Vector& d, const Vector& count, Index n) {
  const Vector& rho = cross_view_ratios();
  std::map<double, Vector> out;
  for (const double measured : count) {
    Vector& own = out[measured];
    if (own.size() > 0) continue;
    own.resize(ratios);
    for (Index g = 0; g < ratios; ++g)
      own(g) =
          (1 + measured / double(n) / rho(g) * d.array()).log().sum() + (measured - 1) * std::log(rho(g));
  }
  return out;
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

ColumnFits fit_columns(const FeatureBasis& basis, MatrixIn measured, const Compute& compute) {
  const Index n = measured.rows(), M = measured.cols(), k = basis.d.size();
  const Vector& rho = cross_view_ratios();
  const BoolMatrix is_missing = measured.array().isNaN();
  const Vector count = (!is_missing.array()).cast<double>().colwise().sum().transpose();
  ColumnFits out{Matrix::Zero(k, M), Vector::Zero(M), Vector::Ones(M), Matrix::Zero(M, ratios)};
  Matrix Y = fill_column_means(measured);
  Matrix L(M, ratios), s2(M, ratios), p;
  const Matrix U = basis.psi * basis.d.cwiseSqrt().cwiseInverse().asDiagonal();  // n x k, unit vectors
  Matrix inverse(ratios, k);                                                     // 1 / (d_j + rho_g)
  for (Index g = 0; g < ratios; ++g) inverse.row(g) = (basis.d.array() + rho(g)).inverse().transpose();
  const std::map<double, Vector> log_det = log_determinants(basis.d, count, n);
  const auto is_regressed = [&](Index m) { return count(m) >= fewest && k > 0; };

  // One pass: evidence of each ratio, the shared prior, weights at the mean ratio.
  const auto solve = [&] {
    out.intercept = Y.colwise().mean().transpose();
    const Matrix centred = Y.rowwise() - out.intercept.transpose();
    const Matrix z = multiply_transposed<double>(U, centred, compute), z2 = z.cwiseAbs2();  // k x M
    const Matrix q = multiply<double>(inverse, z2, compute);                                // G x M
    L.setZero();
    s2.setZero();
    for (Index m = 0; m < M; ++m) {
      const double squares = centred.col(m).squaredNorm(), rest = std::max(0.0, squares - z2.col(m).sum());
      if (!is_regressed(m) || !varies(squares, Index(count(m)))) continue;
      for (Index g = 0; g < ratios; ++g) {
        const double sum = q(g, m) + rest / rho(g) + rounding_squares * squares;
        L(m, g) = column_evidence(log_det.at(count(m))(g), sum, count(m));
        s2(m, g) = sum / (count(m) - 3);  // the variance of Student's t, for a scale that is not known
      }
    }
    p = share_prior(L).p;
    const Matrix filter = multiply<double>(inverse.transpose(), p.transpose(), compute);
    out.weights = basis.d.cwiseSqrt().asDiagonal() * z.cwiseProduct(filter);
    for (Index m = 0; m < M; ++m)
      if (!is_regressed(m)) out.weights.col(m).setZero();
  };
  solve();
  const double missing = double(is_missing.count());
  for (int refill = 0; missing > 0 && refill < most_refills_of_columns; ++refill) {
    const Matrix F = multiply<double>(basis.psi, out.weights, compute).rowwise() + out.intercept.transpose();
    const double change = std::sqrt(is_missing.select(F - Y, 0.0).squaredNorm() / missing);
    Y = is_missing.select(F, Y);
    solve();
    if (change < little_change) break;
  }

  double noise = 0, known = 0;
  for (Index m = 0; m < M; ++m) {
    if (!is_regressed(m)) continue;
    // sum_j psi_j^2 rho / (d_j n_m / n + rho) is that of the whole table at rho n / n_m
    const auto shift = static_cast<Index>(std::lround(-std::log10(count(m) / double(n)) / step_log10));
    for (Index g = 0; g < ratios; ++g) out.spread(m, std::min(g + shift, ratios - 1)) += p(m, g) * s2(m, g);
    out.noise(m) = p.row(m).cwiseProduct(s2.row(m)).dot(rho.transpose()) * (1 + 1 / count(m));
    noise += out.noise(m), ++known;
  }
  // Columns with too little to tell have the noise of the others.
  for (Index m = 0; m < M; ++m)
    if (!is_regressed(m) && known > 0) out.noise(m) = noise / known;
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
              column_evidence(log_det - std::log(rho(g)), q(c) + rounding_squares * squares(c), double(n));
    }
  });
  return share_prior(L).log_evidence;
}

}  // namespace bochner
