#include "weights.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/nystrom_features.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "column_noise.hpp"
#include "src/features/inducing.hpp"
#include "src/models/latent/sigma_points.hpp"

namespace bochner {
namespace {

/// Variance that inducing latents may leave unexplained, against the prior variance: far below the noise.
double inducing_tolerance(double sigma2) { return std::clamp(0.01 * sigma2, 1e-8, 1e-4); }

constexpr int draws = 8;  // of X for the expectations, in antithetic pairs
constexpr int most_refills = 200;

struct Expectations {
  Matrix mean;    // n x m, E[phi]
  Matrix C, C_w;  // m x m
};

Expectations expect(const NystromFeatures<double>& map, const LatentPosterior& latent, const Vector& weight,
                    Rng rng, const Compute& compute) {
  const Index n = latent.mean.rows(), Q = latent.mean.cols(), m = map.count();
  const Vector root = weight.array().sqrt();
  Expectations out{Matrix::Zero(n, m), Matrix::Zero(m, m), Matrix::Zero(m, m)};
  for (int pair = 0; pair < draws / 2; ++pair) {
    const Matrix eps = rng.normal(n, Q);
    for (const double sign : {1.0, -1.0}) {
      const Matrix X = latent.mean + sign * latent.sd.cwiseProduct(eps);
      const Matrix Phi = feature_matrix(map, X, compute);
      out.mean += Phi / draws;
      out.C += inner_gram<double>(Phi, compute) / draws;
      out.C_w += inner_gram<double>(root.asDiagonal() * Phi, compute) / draws;
    }
  }
  return out;
}

/// A direction with lambda below this share of a ratio tells a column nothing that matters: at the training samples all of
/// them together would lower its variance by far less than a hundredth of its noise.
constexpr double least_share = 0.003;

Eigenpairs eigenpairs(const Matrix& C, const Compute& compute) {
  Eigenpairs out = top_eigenpairs(C, C.rows(), {}, compute);
  out.values = out.values.cwiseMax(0.0);
  return out;
}

/// Number of leading directions that count, at least one. Few columns with tiny noise do not keep all of them.
Index directions(const Vector& lambda, const Vector& ratio, double common) {
  const double least = std::max(least_share * std::max(ratio.minCoeff(), 0.1 * common), 1e-12 * lambda(0));
  return std::max<Index>(1, (lambda.array() > least).count());
}

/// Means and variances over q(X) of functions with weights beta, by sigma points: n x M each.
std::pair<Matrix, Matrix> function_moments(const NystromFeatures<double>& map, const LatentPosterior& at,
                                           const Matrix& beta, const Compute& compute) {
  const Matrix xi = sigma_points(at.mean.cols());
  const double share = 1 / double(xi.rows());
  Matrix mean = Matrix::Zero(at.mean.rows(), beta.cols()), square = mean;
  for (Index j = 0; j < xi.rows(); ++j) {
    const Matrix X = at.mean + at.sd * xi.row(j).asDiagonal();
    const Matrix F = multiply<double>(feature_matrix(map, X, compute), beta, compute);
    mean += share * F;
    square += share * F.cwiseAbs2();
  }
  return {mean, (square - mean.cwiseAbs2()).cwiseMax(0.0)};
}

/// Multiplies the noise of each column by what the latents have taken up of it.
void correct_for_latents(const Matrix& Y, const BoolMatrix& is_missing, const Matrix& mean,
                         const Matrix& variance, double common, const Compute& compute,
                         std::vector<ColumnScale>& scale) {
  for_each_block(compute, Y.cols(), 1, [&](Index m, Index) {
    std::vector<Index> rows;
    for (Index n = 0; n < Y.rows(); ++n)
      if (!is_missing(n, m)) rows.push_back(n);
    const Vector r2 = (Y.col(m) - mean.col(m)).cwiseAbs2()(rows), spread = variance.col(m)(rows);
    scale[static_cast<std::size_t>(m)].noise *= latent_factor(r2, spread, common);
  });
}

/// Noise, amplitude and ratio of all columns of the view from those that vary (`varying`), with what a column of few entries is
/// off by. `entries` are measured ones, of all columns.
void set_scales(GplvmView& view, const std::vector<Index>& varying, const std::vector<ColumnScale>& scale,
                const Vector& ratio, const Vector& entries, double common, double prior, bool by_column) {
  const Index columns = entries.size();
  const double most = entries.maxCoeff();
  const bool own_unit = view.scaling.kind == ScalingKind::standardise;
  view.noise = view.ratio = Vector::Constant(columns, common);
  view.amplitude = Vector::Ones(columns);
  double typical = 0;  // variance of a column that varies
  for (std::size_t i = 0; i < varying.size(); ++i) {
    const Index m = varying[i];
    const ColumnScale& own = scale[i];
    view.noise(m) =
        own.noise + (by_column ? seldom_measured_variance(own, prior, entries(m), most, own_unit) : 0.0);
    view.amplitude(m) = own.amplitude;
    view.ratio(m) = ratio(static_cast<Index>(i));
    typical += (own.noise + own.amplitude * prior) / double(varying.size());
  }
  // A value that was measured once does not vary, and says nothing about how much the column would.
  if (!by_column || view.scaling.kind != ScalingKind::whole_view) return;
  for (const Index m : view.constant)
    if (const double n = std::max(entries(m), 1.0); 2 * n < most)
      view.noise(m) = std::max(common, typical * (1 + 1 / n) / n);
}

}  // namespace

void learn_weights(const ViewTerm& term, const GplvmParameters::View& parameters,
                   const LatentPosterior& latent, MatrixIn measured, bool by_column, const Rng& rng,
                   const Compute& compute, GplvmView& view) {
  const double common = parameters.noise_variance;
  const LatentPosterior at{latent.mean(term.rows(), Eigen::all), latent.sd(term.rows(), Eigen::all)};
  view.kernel = parameters.kernel;
  view.noise_variance = common;
  view.Z = choose_inducing(view.kernel, at.mean, most_inducing, inducing_tolerance(common),
                           rng.split("inducing"), compute);
  const NystromFeatures<double> map = NystromFeatures<double>::make(view.kernel, view.Z, {}, compute);
  const Expectations e = expect(map, at, term.weight(), rng.split("latents"), compute);

  Matrix Y = term.filled();
  const Index M = Y.cols();
  const BoolMatrix is_missing = measured(term.rows(), term.columns()).array().isNaN();
  const Index missing = is_missing.count();
  const Vector count = (!is_missing.array()).cast<double>().colwise().sum().transpose();
  const Vector share = count / term.weight().sum();  // c_m
  const Eigenpairs all = eigenpairs(e.C, compute), weighted = missing > 0 ? eigenpairs(e.C_w, compute) : all;
  const Matrix mean = multiply<double>(e.mean, all.vectors, compute);  // n x m, E[phi] in the basis of C

  std::vector<ColumnScale> scale(static_cast<std::size_t>(M), {.noise = common, .amplitude = 1});
  Matrix B;  // m x M, means of the weights in the basis of C
  const auto solve_columns = [&](bool learn) {
    const Matrix A = multiply_transposed<double>(mean, Y, compute);
    B.resize(A.rows(), M);
    for_each_block(compute, M, 1, [&](Index m, Index) {
      ColumnScale& own = scale[static_cast<std::size_t>(m)];
      if (learn) {
        const Vector squared = A.col(m).cwiseAbs2(), spread = share(m) * weighted.values;
        own = learn_column({all.values, squared, spread, Y.col(m).squaredNorm(), count(m)}, common);
      }
      B.col(m) = A.col(m).array() / (all.values.array() + own.ratio());
    });
  };
  // Noise and amplitude change less and less as missing entries settle: they are learned anew in ever longer intervals.
  const double settled =
      double(Y.size()) > 1e6 ? 1e-3 : 1e-4;  // of an entry, scaled: large tables pay for each refill
  const auto settle = [&](bool learn) {
    int next = 0;
    for (int refill = 0; refill < most_refills; ++refill) {
      const bool now = learn && refill == next;
      if (now) next = 2 * refill + 1;
      solve_columns(now);
      if (missing == 0) return;
      const Matrix F = multiply<double>(mean, B, compute);
      const double change = std::sqrt(is_missing.select(F - Y, 0.0).squaredNorm() / double(missing));
      Y = is_missing.select(F, Y);
      if (change < settled && (now || !learn)) return;
      if (change < settled) next = refill + 1;  // once more, to be sure of the noise too
    }
  };
  settle(by_column);
  if (by_column) {
    const auto [f_mean, f_variance] =
        function_moments(map, at, multiply<double>(all.vectors, B, compute), compute);
    correct_for_latents(Y, is_missing, f_mean, f_variance, common, compute, scale);
    settle(false);
  }

  // The directions are those of C_w: G = L^-T U, W = U'beta. Columns that do not vary have no weights.
  Vector ratio(M);
  for (Index m = 0; m < M; ++m) ratio(m) = scale[static_cast<std::size_t>(m)].ratio() / share(m);
  const Index p = directions(weighted.values, ratio, common), columns = Index(view.columns.size());
  const Matrix U = weighted.vectors.leftCols(p);
  view.lambda = weighted.values.head(p);
  view.G = solve_lower_transposed(map.factor, U, compute);
  view.W = Matrix::Zero(p, columns);
  view.W(Eigen::all, term.columns()) =
      multiply_transposed<double>(U, multiply<double>(all.vectors, B, compute), compute);
  const Vector entries = (!measured.array().isNaN()).colwise().count().transpose().cast<double>();
  set_scales(view, term.columns(), scale, ratio, entries, common, diagonal(view.kernel, at.mean).mean(),
             by_column);
}

// With R = V diag(d) V' and s = 2 max d: G = sqrt(s) V, W = V'alpha / sqrt(s), and lambda_i / (lambda_i + 1) = d_i / s.
void set_functions(GplvmView& view, MatrixIn alpha, MatrixIn R) {
  const Index m = R.rows(), M = alpha.cols();
  const Eigenpairs e = top_eigenpairs(0.5 * (R + R.transpose()), m, {}, Threads(1));
  const double s = e.values(0) > 0 ? 2 * e.values(0) : 1.0;
  const Vector w = e.values.cwiseMax(0.0) / s;
  view.G = std::sqrt(s) * e.vectors;
  view.W = e.vectors.transpose() * alpha / std::sqrt(s);
  view.lambda = w.array() / (1 - w.array());
  view.ratio = view.amplitude = Vector::Ones(M);
  view.noise = Vector::Constant(M, view.noise_variance);
}

}  // namespace bochner
