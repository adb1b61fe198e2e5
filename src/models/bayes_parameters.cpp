#include "bayes_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/count_draws.hpp"
#include "bochner/infer/slice.hpp"

namespace bochner {

namespace {

double log_inverse_gamma(double x, double shape, double scale) {
  return -(shape + 1) * std::log(x) - scale / x;
}

/// Sum over rows of log likelihoods, for all rows.
double total(const BayesTable& t, VectorIn scale, MatrixIn F, const Threads& threads) {
  Vector by_row = Vector::Zero(t.rows());
  for_each_block(threads, t.rows(), 64, [&](Index begin, Index size) {
    std::vector<Index> rows(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) rows[static_cast<std::size_t>(i)] = begin + i;
    add_log_likelihood(t, scale, rows, F.middleRows(begin, size), by_row.segment(begin, size));
  });
  return by_row.sum();
}

/// Tables of the Chinese restaurants of a column of counts: sum over rows n and t = 1 .. y_n of Bernoulli(r / (r + t -
/// 1)). Rows with y >= t are counted first, which makes one binomial draw for each t.
double draw_tables(const BayesTable& table, Index j, double r, Rng& rng) {
  std::vector<double> y;
  for (Index n = 0; n < table.rows(); ++n)
    if (table.Y(n, j) > 0) y.push_back(table.Y(n, j));
  std::sort(y.begin(), y.end());
  double tables = 0;
  std::size_t below = 0;
  for (double t = 1; below < y.size(); ++t) {
    while (below < y.size() && y[below] < t) ++below;
    if (below == y.size()) break;
    tables += double(binomial(static_cast<Index>(y.size() - below), r / (r + (t - 1)), rng));
  }
  return tables;
}

}  // namespace

void update_amplitude(const BayesTable& t, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                      Rng& rng, const Threads& threads) {
  const Index features = view.B.rows() - 1;
  auto weights = view.B.topRows(features);
  view.amplitude = (priors.amplitude_scale + 0.5 * weights.squaredNorm()) /
                   rng.gamma(priors.amplitude_shape + 0.5 * double(weights.size()));
  // f = b + sqrt(amplitude) g with g and b fixed.
  const Eigen::RowVectorXd b = view.B.row(features);
  const Matrix g = F.rowwise() - b;
  const double from = std::log(view.amplitude);
  const auto log_density = [&](double log_amplitude) {
    const Matrix f = (std::exp(0.5 * (log_amplitude - from)) * g).rowwise() + b;
    return log_inverse_gamma(std::exp(log_amplitude), priors.amplitude_shape, priors.amplitude_scale) +
           log_amplitude + total(t, view.scale, f, threads);
  };
  const double to = slice_sample(log_density, from, log_density(from), rng, {.width = 0.1}).x;
  view.amplitude = std::exp(to);
  weights *= std::exp(0.5 * (to - from));
}

void update_scale(const BayesTable& t, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                  const Rng& rng, const Threads& threads) {
  const Index J = t.cols();
  if (t.likelihood == BayesLikelihood::gaussian) {
    const Matrix E = (t.Y - F).cwiseProduct(t.seen);
    for (Index j = 0; j < J; ++j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      view.scale(j) = (priors.noise_scale + 0.5 * E.col(j).squaredNorm()) /
                      own.gamma(priors.noise_shape + 0.5 * t.measured(j));
    }
  }
  if (t.likelihood == BayesLikelihood::negbinom) {
    const Vector exposure = softplus(F).cwiseProduct(t.seen).colwise().sum();
    threads.run(J, [&](Index j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      const double tables = draw_tables(t, j, view.scale(j), own);
      view.scale(j) = std::max(own.gamma(priors.dispersion_shape + tables) / (view.rate + exposure(j)), 1e-8);
    });
    Rng own = rng.split("rate");
    view.rate = own.gamma(priors.rate_shape + double(J) * priors.dispersion_shape) /
                (priors.rate_rate + view.scale.sum());
  }
}

void draw_scale(const BayesTable& t, const BayesPriors& priors, BayesViewState& view, Rng& rng) {
  view.scale.resize(0);
  if (t.likelihood == BayesLikelihood::gaussian) {
    view.scale.resize(t.cols());
    for (double& s : view.scale) s = priors.noise_scale / rng.gamma(priors.noise_shape);
  }
  if (t.likelihood == BayesLikelihood::negbinom) {
    view.rate = rng.gamma(priors.rate_shape) / priors.rate_rate;
    view.scale.resize(t.cols());
    for (double& s : view.scale) s = std::max(rng.gamma(priors.dispersion_shape) / view.rate, 1e-8);
  }
}

}  // namespace bochner
