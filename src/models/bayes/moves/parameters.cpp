#include "parameters.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/compute/vector_math.hpp"
#include "bochner/infer/slice.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/random/log_gamma.hpp"

namespace bochner {

namespace {

double log_inverse_gamma(double x, double shape, double scale) {
  return -(shape + 1) * std::log(x) - scale / x;
}

/// The sum over measured rows of each column of something that is made for a block of rows at a time.
Vector sum_columns(const BayesTable& t, const Compute& compute,
                   const std::function<Matrix(Index begin, Index size)>& make) {
  return sum_over_rows<Vector>(
      compute, RowPlan::make(t.rows(), 64), Vector::Zero(t.cols()),
      [&](Vector& sum, Index begin, Index size) {
        sum += make(begin, size).cwiseProduct(t.seen.middleRows(begin, size)).colwise().sum().transpose();
      });
}

/// The counts of a column that are not zero, ascending.
std::vector<double> positive_counts(const BayesTable& table, Index j) {
  std::vector<double> y;
  for (Index n = 0; n < table.rows(); ++n)
    if (table.Y(n, j) > 0) y.push_back(table.Y(n, j));
  std::sort(y.begin(), y.end());
  return y;
}

constexpr double most_tables = 2000;  // counts beyond are too many to go through one by one

/// sum over measured rows of log Gamma(y + r) - log Gamma(r) = sum over t of (rows with y > t) log(r + t).
class GammaRatios {
 public:
  GammaRatios(const BayesTable& table, Index j) {
    const std::vector<double> y = positive_counts(table, j);
    if (!y.empty() && y.back() > most_tables) {
      large_ = Eigen::Map<const Eigen::ArrayXd>(y.data(), static_cast<Index>(y.size()));
      return;
    }
    std::size_t below = 0;
    above_.resize(y.empty() ? 0 : static_cast<Index>(y.back()));
    for (Index t = 0; t < above_.size(); ++t) {
      while (below < y.size() && y[below] <= double(t)) ++below;
      above_(t) = double(y.size() - below);
    }
    terms_.resize(above_.size());
  }

  double operator()(double r) {
    if (large_.size() > 0) {
      double sum = -double(large_.size()) * log_gamma(r);
      for (const double y : large_) sum += log_gamma(y + r);
      return sum;
    }
    for (Index t = 0; t < terms_.size(); ++t) terms_(t) = r + double(t);
    log(terms_.data(), terms_.data(), terms_.size());
    return above_.dot(terms_);
  }

 private:
  Vector above_, terms_;
  Eigen::ArrayXd large_;
};

/// Tables of the Chinese restaurants of a column of counts: sum over rows n and t = 1 .. y_n of Bernoulli(r / (r + t -
/// 1)). Rows with y >= t are counted first, which makes one binomial draw for each t.
double draw_tables(const BayesTable& table, Index j, double r, Rng& rng) {
  const std::vector<double> y = positive_counts(table, j);
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

namespace {

/// What f is without the features: intercepts and covariates, N x J.
Matrix beside_weights(const BayesTable& t, const BayesViewState& view) {
  const Index C = t.covariates.cols();
  Matrix out = view.B.bottomRows(1).replicate(t.rows(), 1);
  if (C > 0) out += t.covariates * view.B.middleRows(2 * view.W.rows(), C);
  return out;
}

}  // namespace

void update_amplitude(const BayesTable& t, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                      Rng& rng, const Compute& compute) {
  auto weights = view.B.topRows(2 * view.W.rows());
  view.amplitude = (priors.amplitude_scale + 0.5 * weights.squaredNorm()) /
                   rng.gamma(priors.amplitude_shape + 0.5 * double(weights.size()));
  // f = b + c' gamma + sqrt(amplitude) g with g, b and gamma fixed.
  const Matrix b = beside_weights(t, view);
  const double from = std::log(view.amplitude);
  const auto log_density = [&](double log_amplitude) {
    const double ratio = std::exp(0.5 * (log_amplitude - from));
    Vector by_row = Vector::Zero(t.rows());
    for_each_block(compute, t.rows(), 64, [&](Index begin, Index size) {
      const auto own = b.middleRows(begin, size);
      const Matrix f = ratio * (F.middleRows(begin, size) - own) + own;
      add_log_likelihood(t, view.scale, rows_from(begin, size), f, by_row.segment(begin, size));
    });
    return log_inverse_gamma(std::exp(log_amplitude), priors.amplitude_shape, priors.amplitude_scale) +
           log_amplitude + by_row.sum();
  };
  const double to = slice_sample(log_density, from, log_density(from), rng, {.width = 0.1}).x;
  view.amplitude = std::exp(to);
  weights *= std::exp(0.5 * (to - from));
}

void update_scale(const BayesTable& t, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                  const Rng& rng, const Compute& compute) {
  const Index J = t.cols();
  if (t.likelihood == BayesLikelihood::gaussian) {
    const Vector squares = sum_columns(t, compute, [&](Index begin, Index size) -> Matrix {
      return (t.Y.middleRows(begin, size) - F.middleRows(begin, size)).cwiseAbs2();
    });
    for (Index j = 0; j < J; ++j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      view.scale(j) =
          (priors.noise_scale + 0.5 * squares(j)) / own.gamma(priors.noise_shape + 0.5 * t.measured(j));
    }
  }
  if (t.likelihood == BayesLikelihood::negbinom) {
    const Vector exposure = sum_columns(t, compute, [&](Index begin, Index size) {
      return softplus(with_offset(t, begin, F.middleRows(begin, size)));
    });
    compute.threads.run(J, [&](Index j) {
      Rng own = rng.split(static_cast<std::uint64_t>(j));
      if (t.Y.col(j).maxCoeff() > most_tables) {  // log r on a slice, everything else as it is
        GammaRatios ratios(t, j);
        const auto log_density = [&](double log_r) {
          const double r = std::exp(log_r);
          return priors.dispersion_shape * log_r - (view.rate + exposure(j)) * r + ratios(r);
        };
        const double from = std::log(view.scale(j));
        view.scale(j) = std::exp(slice_sample(log_density, from, log_density(from), own, {.width = 0.5}).x);
        return;
      }
      const double tables = draw_tables(t, j, view.scale(j), own);
      view.scale(j) = std::max(own.gamma(priors.dispersion_shape + tables) / (view.rate + exposure(j)), 1e-8);
    });
    Rng own = rng.split("rate");
    view.rate = own.gamma(priors.rate_shape + double(J) * priors.dispersion_shape) /
                (priors.rate_rate + view.scale.sum());
  }
}

void slide_dispersions(const BayesTable& t, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                       const Rng& rng, const Compute& compute) {
  const Index intercepts = view.B.rows() - 1;
  const double precision = 1 / (priors.intercept_sd * priors.intercept_sd);
  compute.threads.run(t.cols(), [&](Index j) {
    Rng own = rng.split(static_cast<std::uint64_t>(j));
    GammaRatios ratios(t, j);
    const Vector f = with_offset(t, 0, F.col(j)), y = t.Y.col(j), seen = t.seen.col(j);
    const double from = std::log(view.scale(j)), b = view.B(intercepts, j) - t.intercept(j),
                 counted = y.sum();
    const auto log_density = [&](double log_r) {
      const double r = std::exp(log_r), shift = log_r - from;
      const Vector soft =
          softplus((f.array() - shift).matrix().transpose()).row(0).transpose().cwiseProduct(seen);
      return priors.dispersion_shape * log_r - view.rate * r - 0.5 * precision * (b - shift) * (b - shift) +
             ratios(r) - counted * shift - y.dot(soft) - r * soft.sum();
    };
    const double to = slice_sample(log_density, from, log_density(from), own, {.width = 0.5}).x;
    view.scale(j) = std::max(std::exp(to), 1e-8);
    view.B(intercepts, j) -= to - from;
  });
}

double log_scale_density(const BayesTable& t, const BayesPriors& priors, const BayesViewState& view) {
  double out = 0;
  if (t.likelihood == BayesLikelihood::gaussian)
    for (Index j = 0; j < t.cols(); ++j)
      out += -(0.5 * t.measured(j) + priors.noise_shape) * std::log(view.scale(j)) -
             priors.noise_scale / view.scale(j);
  if (t.likelihood == BayesLikelihood::negbinom) {
    for (Index j = 0; j < t.cols(); ++j)
      out += GammaRatios(t, j)(view.scale(j)) +
             priors.dispersion_shape * std::log(view.rate * view.scale(j)) - view.rate * view.scale(j);
    out += priors.rate_shape * std::log(view.rate) - priors.rate_rate * view.rate;
  }
  return out;
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
