#include "bochner/assess/convergence.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

void check_draws(const char* function, MatrixIn draws) {
  check_at_least(function, "number of chains", draws.rows(), 1);
  check_at_least(function, "number of draws", draws.cols(), 4);
  check_finite(function, "draws", draws);
}

bool is_constant(MatrixIn draws) { return draws.minCoeff() == draws.maxCoeff(); }

Matrix split_chains(MatrixIn draws) {
  const Index half = draws.cols() / 2;
  Matrix split(2 * draws.rows(), half);
  split << draws.leftCols(half), draws.rightCols(half);
  return split;
}

std::vector<double> sorted(const Matrix& draws) {
  std::vector<double> values(draws.data(), draws.data() + draws.size());
  std::sort(values.begin(), values.end());
  return values;
}

/// Linear between order statistics, R's type 7.
double quantile(const std::vector<double>& ascending, double p) {
  const double at = p * static_cast<double>(ascending.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at), above = std::min(below + 1, ascending.size() - 1);
  return ascending[below] + (at - static_cast<double>(below)) * (ascending[above] - ascending[below]);
}

Matrix rank_normalised(const Matrix& draws) {
  const Index S = draws.size();
  std::vector<Index> order(static_cast<std::size_t>(S));
  std::iota(order.begin(), order.end(), Index{0});
  const double* x = draws.data();
  std::sort(order.begin(), order.end(), [x](Index a, Index b) { return x[a] < x[b]; });
  Matrix z(draws.rows(), draws.cols());
  for (Index first = 0, last; first < S; first = last) {
    for (last = first + 1; last < S && x[order[last]] == x[order[first]]; ++last) {
    }
    const double rank = 0.5 * static_cast<double>(first + 1 + last);  // mean of first + 1 .. last
    const double p = (rank - 0.375) / (static_cast<double>(S) + 0.25);
    for (Index i = first; i < last; ++i)
      z.data()[order[i]] = std::sqrt(2.0) * boost::math::erf_inv(2 * p - 1);
  }
  return z;
}

double sample_variance(const Vector& x) {
  return (x.array() - x.mean()).square().sum() / static_cast<double>(x.size() - 1);
}

/// sqrt(((n - 1) / n W + B / n) / W), between B / n = var(chain means), within W = mean(chain variances).
double plain_rhat(const Matrix& chains) {
  if (is_constant(chains)) return undefined;
  const double n = static_cast<double>(chains.cols());
  const Vector means = chains.rowwise().mean();
  const double within = (chains.colwise() - means).rowwise().squaredNorm().mean() / (n - 1);
  return std::sqrt((n - 1) / n + sample_variance(means) / within);
}

/// Autocovariance at lags 0 .. n-1, divisor n, averaged over chains; by FFT, padded so that it does not wrap
/// around.
Vector mean_autocovariance(const Matrix& chains) {
  const Index n = chains.cols();
  Index padded = 1;
  while (padded < 2 * n) padded *= 2;
  Eigen::FFT<double> fft;
  std::vector<double> x(static_cast<std::size_t>(padded));
  std::vector<std::complex<double>> spectrum, power(static_cast<std::size_t>(padded));
  for (const auto& chain : chains.rowwise()) {
    const double mean = chain.mean();
    std::fill(x.begin(), x.end(), 0.0);
    for (Index t = 0; t < n; ++t) x[t] = chain(t) - mean;
    fft.fwd(spectrum, x);
    for (Index f = 0; f < padded; ++f) power[f] += std::norm(spectrum[f]);
  }
  std::vector<double> covariance;
  fft.inv(covariance, power);
  return Eigen::Map<const Vector>(covariance.data(), n) / static_cast<double>(n * chains.rows());
}

/// Number of draws over the integrated autocorrelation time, whose sum is cut by Geyer's initial monotone
/// sequence [geyer1992; vehtari2021, Eq. 10-14]. `chains` are split already.
double plain_ess(const Matrix& chains) {
  if (is_constant(chains)) return undefined;
  const Index n = chains.cols();
  const double size = static_cast<double>(chains.size()), draws = static_cast<double>(n);
  const Vector autocovariance = mean_autocovariance(chains);
  const double within = autocovariance(0) * draws / (draws - 1);
  const double total = autocovariance(0) + sample_variance(chains.rowwise().mean());  // var+ of Eq. 3
  const auto rho = [&](Index lag) { return lag == 0 ? 1.0 : 1 - (within - autocovariance(lag)) / total; };

  // In theory the sums of neighbouring pairs of lags are positive and decrease. The sum stops at the first
  // pair that is not positive, of which it keeps the even lag, and no pair may exceed the one before.
  double tau = -1, previous = std::numeric_limits<double>::infinity();
  for (Index lag = 0;; lag += 2) {
    const double even = rho(lag), pair = even + rho(lag + 1);
    if (pair <= 0 || lag + 4 >= n) {
      tau += pair >= 0 ? even : std::max(even, 0.0);
      break;
    }
    previous = std::min(previous, pair);
    tau += 2 * previous;
  }
  return size / std::max(tau, 1 / std::log10(size));
}

}  // namespace

double rhat(MatrixIn draws) {
  check_draws("rhat", draws);
  const Matrix chains = split_chains(draws);
  const std::vector<double> ascending = sorted(chains);
  // As the mean of the two middle draws (their number is even), so that both lie at the same distance from
  // it.
  const double median = (ascending[ascending.size() / 2 - 1] + ascending[ascending.size() / 2]) / 2;
  const Matrix folded = (chains.array() - median).abs();
  const double bulk = plain_rhat(rank_normalised(chains)), tail = plain_rhat(rank_normalised(folded));
  return std::isnan(tail) ? bulk : std::max(bulk, tail);  // draws that take two values fold onto one
}

double ess_bulk(MatrixIn draws) {
  check_draws("ess_bulk", draws);
  return plain_ess(rank_normalised(split_chains(draws)));
}

double ess_tail(MatrixIn draws) {
  check_draws("ess_tail", draws);
  if (is_constant(draws)) return undefined;
  const std::vector<double> ascending = sorted(draws);
  const auto ess_below = [&](double p) {
    const Matrix split = split_chains((draws.array() <= quantile(ascending, p)).cast<double>().matrix());
    return is_constant(split) ? static_cast<double>(split.size()) : plain_ess(split);
  };
  return std::min(ess_below(0.05), ess_below(0.95));
}

double ess_mean(MatrixIn draws) {
  check_draws("ess_mean", draws);
  return plain_ess(split_chains(draws));
}

}  // namespace bochner
