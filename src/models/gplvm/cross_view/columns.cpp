#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/data/fills.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/linalg/missing_patterns.hpp"
#include "ratios.hpp"
#include "src/linalg/dense_eigenpairs.hpp"

namespace bochner {
namespace {

constexpr Index ratios = cross_view_ratio_count;
constexpr double rounding = 1e-10;  // eigenvalues below, against the largest, are none
constexpr int refill_prior_steps = 5, most_refills_of_columns = 30;
constexpr double little_change = 2e-3;  // of what is filled in, scaled units
// Share of entries that a column has: with fewer, what is filled in would be taken for data.
constexpr double few_missing = 0.7;
constexpr Index small_basis = 64;  // components that remain where each column has its own eigenproblem

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

/// Columns of which many entries are missing, in the eigenbasis of the rows that they have.
struct ExactColumns {
  std::vector<Index> columns;
  Matrix R;           // k x j, from psi
  Vector centre;      // k, mean of psi over the rows
  Vector d;           // j
  Matrix z;           // j x columns, coordinates of centred y along unit vectors
  Vector mean, rest;  // of y, and |y|^2 that no coordinate has
};

ExactColumns exact_columns(const FeatureBasis& basis, MatrixIn Y, const MissingPattern& pattern) {
  const Index k = std::min(basis.d.size(), small_basis);
  ExactColumns out{.columns = pattern.columns};
  Matrix y = Y(pattern.rows, pattern.columns);
  out.mean = y.colwise().mean().transpose();
  y.rowwise() -= out.mean.transpose();
  Matrix B = basis.psi(pattern.rows, Eigen::seqN(0, k));
  out.centre = B.colwise().mean().transpose();
  B.rowwise() -= out.centre.transpose();
  const bool dual = B.rows() < k;
  const Eigenpairs pairs =
      dense_eigenpairs(dual ? Matrix(B * B.transpose()) : Matrix(B.transpose() * B), std::min(B.rows(), k));
  Index j = 0;
  while (j < pairs.values.size() && pairs.values(j) > rounding * pairs.values(0)) ++j;
  out.d = pairs.values.head(j);
  const Vector root = out.d.cwiseSqrt().cwiseInverse();
  const Matrix U = pairs.vectors.leftCols(j);
  out.R = dual ? Matrix(B.transpose() * U * root.asDiagonal()) : U;
  out.z =
      dual ? Matrix(U.transpose() * y) : Matrix(root.asDiagonal() * (U.transpose() * (B.transpose() * y)));
  out.rest = (y.colwise().squaredNorm() - out.z.colwise().squaredNorm()).transpose().cwiseMax(0.0);
  return out;
}

/// Regressions of all columns on one basis.
class ColumnRegressions {
 public:
  ColumnRegressions(const FeatureBasis& basis, MatrixIn measured, const Compute& compute)
      : basis_(basis),
        compute_(compute),
        is_missing_(measured.array().isNaN()),
        count_((!is_missing_.array()).cast<double>().colwise().sum().transpose()),
        Y_(fill_column_means(measured)),
        U_(basis.psi * basis.d.cwiseSqrt().cwiseInverse().asDiagonal()),
        inverse_(ratios, basis.d.size()),
        log_det_(log_determinants(basis.d, count_, measured.rows())),
        is_filled_(VectorT<bool>::Constant(measured.cols(), false)),
        L_(Matrix::Zero(measured.cols(), ratios)),
        s2_(L_),
        prior_(flat_prior()) {
    const Index M = measured.cols(), n = measured.rows(), k = basis.d.size();
    for (Index g = 0; g < ratios; ++g)
      inverse_.row(g) = (basis.d.array() + cross_view_ratios()(g)).inverse().transpose();
    fits_ = {Matrix::Zero(k, M), Y_.colwise().mean().transpose(), Vector::Ones(M), Matrix::Zero(M, ratios)};
    if (k == 0) {
      fits_.noise = (Y_.rowwise() - fits_.intercept.transpose()).cwiseAbs2().colwise().mean().transpose();
      fits_.noise = fits_.noise.cwiseMax(fits_.noise.mean() > 0 ? 1e-3 * fits_.noise.mean() : 1.0);
      return;
    }
    Matrix heavy = measured;  // NaN but in the columns with many missing entries
    for (Index m = 0; m < M; ++m) {
      const bool any = count_(m) >= double(cross_view_fewest) &&
                       varies((Y_.col(m).array() - Y_.col(m).mean()).square().sum(), n);
      is_filled_(m) = any && count_(m) >= few_missing * double(n);
      if (!any || is_filled_(m)) heavy.col(m).setConstant(std::nan(""));
      if (!is_filled_(m)) is_missing_.col(m).setConstant(false);  // nothing there is filled in
    }
    learn_exact(heavy);
  }

  /// The evidence of each ratio, the shared prior, weights averaged over the ratios.
  void solve() {
    const Vector mean = Y_.colwise().mean().transpose();
    const Matrix centred = Y_.rowwise() - mean.transpose();
    const Matrix z = multiply_transposed<double>(U_, centred, compute_), z2 = z.cwiseAbs2();  // k x M
    const Matrix q = multiply<double>(inverse_, z2, compute_);                                // G x M
    for (Index m = 0; m < Y_.cols(); ++m) {
      if (!is_filled_(m)) continue;
      const double squares = centred.col(m).squaredNorm(), rest = std::max(0.0, squares - z2.col(m).sum());
      add_evidence(m, log_det_.at(count_(m)), q.col(m), rest, squares);
    }
    RatioPosterior now = share_prior(L_, prior_, solved_ ? refill_prior_steps : prior_steps);
    p_ = std::move(now.p);
    prior_ = std::move(now.prior);
    solved_ = true;
    const Matrix filter = multiply<double>(inverse_.transpose(), p_.transpose(), compute_);
    for (Index m = 0; m < Y_.cols(); ++m) {
      if (!is_filled_(m)) continue;
      fits_.intercept(m) = mean(m);
      fits_.weights.col(m) = basis_.d.cwiseSqrt().cwiseProduct(z.col(m)).cwiseProduct(filter.col(m));
    }
  }

  /// Puts missing entries of columns that have few of them at their predictions; the root mean square of the change.
  double refill() {
    const double missing = double(is_missing_.count());
    if (missing == 0) return 0;
    const Matrix F =
        multiply<double>(basis_.psi, fits_.weights, compute_).rowwise() + fits_.intercept.transpose();
    const double change = std::sqrt(is_missing_.select(F - Y_, 0.0).squaredNorm() / missing);
    Y_ = is_missing_.select(F, Y_);
    return change;
  }

  ColumnFits fits() {
    const Vector& rho = cross_view_ratios();
    VectorT<bool> known = is_filled_;
    for (const ExactColumns& own : exact_)
      for (std::size_t c = 0; c < own.columns.size(); ++c) {
        const Index m = own.columns[c], kept = own.R.rows();
        Vector filter = Vector::Zero(own.d.size());
        for (Index g = 0; g < ratios; ++g) filter.array() += p_(m, g) / (own.d.array() + rho(g));
        fits_.weights.col(m).head(kept) =
            own.R * own.z.col(Index(c)).cwiseProduct(own.d.cwiseSqrt()).cwiseProduct(filter);
        fits_.intercept(m) = own.mean(Index(c)) - fits_.weights.col(m).head(kept).dot(own.centre);
        known(m) = true;
      }
    double noise = 0;
    for (Index m = 0; m < Y_.cols(); ++m) {
      if (!known(m)) continue;
      // sum_j psi_j^2 rho / (d_j n_m / n + rho) is that of the whole table at rho n / n_m
      const auto shift =
          static_cast<Index>(std::lround(-std::log10(count_(m) / double(Y_.rows())) / cross_view_ratio_step));
      for (Index g = 0; g < ratios; ++g)
        fits_.spread(m, std::min(g + shift, ratios - 1)) += p_(m, g) * s2_(m, g);
      fits_.noise(m) = p_.row(m).cwiseProduct(s2_.row(m)).dot(rho.transpose()) * (1 + 1 / count_(m));
      noise += fits_.noise(m);
    }
    // Columns with too little to tell have the noise of the others.
    if (known.any()) fits_.noise = known.select(fits_.noise, noise / double(known.count()));
    return fits_;
  }

 private:
  /// q: y'(C + rho I)^-1 y within the basis, for every ratio.
  template <class Q>
  void add_evidence(Index m, const Vector& log_det, const Q& q, double rest, double squares) {
    for (Index g = 0; g < ratios; ++g) {
      const double sum = q(g) + rest / cross_view_ratios()(g) + rounding_squares * squares;
      L_(m, g) = column_evidence(log_det(g), sum, count_(m));
      s2_(m, g) = sum / (count_(m) - 3);  // the variance of Student's t, for a scale that is not known
    }
  }

  void learn_exact(const Matrix& heavy) {
    std::vector<MissingPattern> patterns;
    for (MissingPattern& pattern : missing_patterns(heavy))
      if (!pattern.rows.empty()) patterns.push_back(std::move(pattern));
    exact_.resize(patterns.size());
    for_each_block(compute_, Index(patterns.size()), 1, [&](Index i, Index) {
      ExactColumns& own = exact_[static_cast<std::size_t>(i)];
      own = exact_columns(basis_, heavy, patterns[static_cast<std::size_t>(i)]);
      Matrix inverse(ratios, own.d.size());
      for (Index g = 0; g < ratios; ++g)
        inverse.row(g) = (own.d.array() + cross_view_ratios()(g)).inverse().transpose();
      const auto rows = Index(patterns[static_cast<std::size_t>(i)].rows.size());
      const Vector log_det = log_determinants(own.d, Vector::Constant(1, double(rows)), rows).begin()->second;
      const Matrix z2 = own.z.cwiseAbs2(), q = inverse * z2;
      for (std::size_t c = 0; c < own.columns.size(); ++c)
        add_evidence(own.columns[c], log_det, q.col(Index(c)), own.rest(Index(c)),
                     z2.col(Index(c)).sum() + own.rest(Index(c)));
    });
  }

  const FeatureBasis& basis_;
  const Compute& compute_;
  BoolMatrix is_missing_;  // and filled in
  const Vector count_;     // M, measured entries
  Matrix Y_;               // n x M
  const Matrix U_;         // n x k, unit vectors along psi
  Matrix inverse_;         // G x k, 1 / (d_j + rho_g)
  const std::map<double, Vector> log_det_;
  VectorT<bool>
      is_filled_;  // few entries are missing; others are exact, or have too little and get their mean
  std::vector<ExactColumns> exact_;
  Matrix L_, s2_, p_;  // M x G: evidence, scale of a column, probability of each ratio
  Vector prior_;
  bool solved_ = false;
  ColumnFits fits_;
};

}  // namespace

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
  ColumnRegressions regression(basis, Y, compute);
  regression.solve();
  for (int refill = 0; refill < most_refills_of_columns; ++refill) {
    const double change = regression.refill();
    if (change == 0) break;
    regression.solve();
    if (change < little_change) break;
  }
  return regression.fits();
}

}  // namespace bochner
