#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "bochner/random/count_draws.hpp"
#include "bochner/random/count_log_pmf.hpp"
#include "bochner/random/log_gamma.hpp"
#include "table.hpp"

namespace bochner {

namespace {

constexpr Index block = 16;  // rows at a time: draws of all their entries are in memory

/// Begin of each softmax over the functions of a view, and their number at the end.
std::vector<Index> softmaxes(const BayesViewFit& view) {
  std::vector<Index> out{0};
  if (view.likelihood == BayesLikelihood::multinomial) out.push_back(view.functions());
  if (view.likelihood == BayesLikelihood::categorical)
    for (const Index C : view.classes) out.push_back(out.back() + C);
  return out;
}

/// The entries of one row given f, in scaled units: mean, variance, and the number of trials of binomial entries or the
/// shape of overdispersed counts.
struct RowLaw {
  Vector mean, variance, size;  // J
};

/// What is known of one row; empty where nothing is.
struct RowKnown {
  Vector y, trials;
};

RowLaw overdispersed(const Eigen::ArrayXd& shape, const Eigen::ArrayXd& odds) {
  return {shape * odds, shape * odds * (1 + odds), shape};
}

/// A multinomial row is Poisson counts of rates u exp(f_j); what was counted says u ~ Gamma(counted + 1, weight of what could
/// have been counted + 1 / what u is in an average row), so that the other entries are negative binomial.
RowLaw multinomial_law(const BayesViewFit& view, const Vector& f, const Vector& y) {
  const Eigen::ArrayXd e = (f.array() - f.maxCoeff()).exp();
  double counted = 0, weight = 0;
  for (Index j = 0; j < y.size(); ++j)
    if (!std::isnan(y(j))) counted += y(j), weight += e(j);
  const double rate = weight + e.sum() / view.total;
  return overdispersed(Eigen::ArrayXd::Constant(f.size(), counted + 1), e / rate);
}

RowLaw law_of(const BayesViewFit& view, const BayesFunctions& draw, const Vector& f, const RowKnown& known) {
  switch (view.likelihood) {
    case BayesLikelihood::gaussian:
      return {f, draw.scale, {}};
    case BayesLikelihood::poisson: {
      const Vector rate = f.array().min(300).exp();
      return {rate, rate, {}};
    }
    case BayesLikelihood::negbinom:
      return overdispersed(draw.scale.array(), f.array().min(300).exp());
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli: {
      const double n = view.likelihood == BayesLikelihood::binomial ? view.trials : 1;
      const Vector size = known.trials.size() > 0 ? known.trials : Vector(Vector::Constant(f.size(), n));
      const Eigen::ArrayXd p = 1 / (1 + (-f.array()).exp());
      return {size.array() * p, size.array() * p * (1 - p), size};
    }
    case BayesLikelihood::multinomial:
      return multinomial_law(view, f, known.y);
    case BayesLikelihood::categorical: {
      Vector p(f.size());
      const std::vector<Index> at = softmaxes(view);
      for (std::size_t g = 0; g + 1 < at.size(); ++g) {
        const auto part = f.segment(at[g], at[g + 1] - at[g]).array();
        const Eigen::ArrayXd e = (part - part.maxCoeff()).exp();
        p.segment(at[g], at[g + 1] - at[g]) = e / e.sum();
      }
      return {p, p.array() * (1 - p.array()), {}};
    }
  }
  return {};
}

double share(const RowLaw& law, Index j) { return law.size(j) > 0 ? law.mean(j) / law.size(j) : 0; }

double draw_entry(const BayesViewFit& view, const RowLaw& law, Index j, Rng& rng) {
  constexpr double most = 1e12;  // a count beyond is its mean
  switch (view.likelihood) {
    case BayesLikelihood::gaussian:
      return law.mean(j) + std::sqrt(law.variance(j)) * rng.normal();
    case BayesLikelihood::poisson:
      return law.mean(j) < most ? double(poisson(law.mean(j), rng)) : law.mean(j);
    case BayesLikelihood::negbinom:
    case BayesLikelihood::multinomial:
      return law.mean(j) < most ? double(negative_binomial(law.size(j), share(law, j), rng)) : law.mean(j);
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      return double(binomial(static_cast<Index>(law.size(j)), share(law, j), rng));
    case BayesLikelihood::categorical:
      return rng.uniform() < law.mean(j) ? 1 : 0;
  }
  return 0;
}

double log_entry(const BayesViewFit& view, const RowLaw& law, Index j, double y) {
  switch (view.likelihood) {
    case BayesLikelihood::gaussian: {
      const double e = y - law.mean(j);
      return -0.5 * (log_2pi + std::log(law.variance(j)) + e * e / law.variance(j));
    }
    case BayesLikelihood::poisson:
      return poisson_log_pmf(static_cast<Index>(y), law.mean(j));
    case BayesLikelihood::negbinom:
    case BayesLikelihood::multinomial: {
      const double r = law.size(j), odds = share(law, j);
      return log_gamma(y + r) - log_gamma(r) - log_gamma(y + 1) +
             (y > 0 ? y * (std::log(odds) - std::log1p(odds)) : 0) - r * std::log1p(odds);
    }
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      if (y > law.size(j)) return -std::numeric_limits<double>::infinity();
      return binomial_log_pmf(static_cast<Index>(y), static_cast<Index>(law.size(j)), share(law, j));
    case BayesLikelihood::categorical:
      return std::log(std::max(law.mean(j), 1e-300));
  }
  return 0;
}

/// Calls f(row, draw number, law of the row) for rows begin .. begin + size - 1, draw by draw.
template <class F>
void for_each_law(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known,
                  Index begin, Index size, F&& f) {
  for (std::size_t s = 0; s < view.draws.size(); ++s) {
    const BayesFunctions& draw = view.draws[s];
    const Matrix Phi = bayes_features(draw.W, X[s].middleRows(begin, size), Threads(1));
    for (Index i = 0; i < size; ++i) {
      const Vector row = draw.B.transpose() * Phi.row(i).transpose();  // rows alone: no batch changes them
      RowKnown own;
      if (known.Y.rows() > 0) own.y = known.Y.row(begin + i).transpose();
      if (known.trials.size() == 1) own.trials = Vector::Constant(row.size(), known.trials(0, 0));
      if (known.trials.size() > 1) own.trials = known.trials.row(begin + i).transpose();
      f(begin + i, static_cast<Index>(s), law_of(view, draw, row, own));
    }
  }
}

void check_draws(const BayesViewFit& view, const std::vector<Matrix>& X) {
  check_size("predict", "draws of the latents", static_cast<Index>(X.size()), "draws of the functions",
             static_cast<Index>(view.draws.size()));
}

/// The `low`, 1 - `low` and middle quantiles of the values, which are reordered.
struct Quantiles {
  double low, high, median;
};
Quantiles quantiles(std::vector<double>& values, double low) {
  const double last = double(values.size() - 1);
  const auto at = [&](double share) {
    const auto place = values.begin() + std::ptrdiff_t(std::lround(share * last));
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  return {at(low), at(1 - low), at(0.5)};
}

}  // namespace

const BayesViewFit& BayesFit::view(std::string_view name) const {
  for (const BayesViewFit& v : views)
    if (v.name == name) return v;
  throw InputError("the model has no view '" + std::string(name) + "'");
}

BayesPrediction predict(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known,
                        const BayesPredictOptions& options, const Rng& rng, const Compute& compute) {
  check_draws(view, X);
  if (!(options.interval >= 0 && options.interval < 1))
    throw std::domain_error("predict: interval must be at least 0 and less than 1");
  const Index n = X.front().rows(), J = view.functions(), S = static_cast<Index>(X.size());
  const bool intervals = options.interval > 0;
  // Several measurements for each draw: 5 % of 200 draws alone would be a coarse quantile.
  const Index repeats = options.of_function ? 1 : std::max<Index>(1, (1000 + S - 1) / S);
  BayesPrediction out{Matrix::Zero(n, J), Matrix::Zero(n, J), Matrix::Zero(n, J),
                      Matrix(),           Matrix(),           Matrix()};
  if (intervals) out.low = out.high = out.median = Matrix(n, J);
  for_each_block(compute, n, block, [&](Index begin, Index size) {
    std::vector<std::vector<double>> values(static_cast<std::size_t>(intervals ? size * J : 0));
    std::vector<Rng> rngs;
    // The same numbers for every row: the answer for a sample does not depend on its place among others.
    for (Index i = 0; i < size; ++i) rngs.push_back(rng);
    for_each_law(view, X, known, begin, size, [&](Index row, Index, const RowLaw& law) {
      out.mean.row(row) += law.mean.transpose() / double(S);
      out.f_variance.row(row) += law.mean.cwiseAbs2().transpose() / double(S);
      out.y_variance.row(row) += law.variance.transpose() / double(S);
      for (Index j = 0; j < J && intervals; ++j) {
        std::vector<double>& own = values[static_cast<std::size_t>((row - begin) * J + j)];
        for (Index k = 0; k < repeats; ++k)
          own.push_back(options.of_function
                            ? law.mean(j)
                            : draw_entry(view, law, j, rngs[static_cast<std::size_t>(row - begin)]));
      }
    });
    for (Index i = 0; i < size && intervals; ++i)
      for (Index j = 0; j < J; ++j) {
        const Quantiles q =
            quantiles(values[static_cast<std::size_t>(i * J + j)], 0.5 * (1 - options.interval));
        out.low(begin + i, j) = q.low;
        out.high(begin + i, j) = q.high;
        out.median(begin + i, j) = q.median;
      }
  });
  out.f_variance = (out.f_variance - out.mean.cwiseAbs2()).cwiseMax(0);
  out.y_variance += out.f_variance;
  if (view.likelihood != BayesLikelihood::gaussian) return out;
  out.mean = view.scaling.undo(out.mean);
  out.f_variance = view.scaling.undo_variance(out.f_variance);
  out.y_variance = view.scaling.undo_variance(out.y_variance);
  if (intervals) {
    out.low = view.scaling.undo(out.low);
    out.high = view.scaling.undo(out.high);
    out.median = view.scaling.undo(out.median);
  }
  return out;
}

Matrix log_density(const BayesViewFit& view, const std::vector<Matrix>& X, MatrixIn Y,
                   const BayesKnown& known, const Compute& compute) {
  check_draws(view, X);
  const Index n = Y.rows(), M = Y.cols(), S = static_cast<Index>(X.size());
  const bool gaussian = view.likelihood == BayesLikelihood::gaussian;
  const Matrix scaled = gaussian ? view.scaling.apply(Y) : Matrix(Y);
  const std::vector<Index> at = softmaxes(view);
  Matrix out = Matrix::Constant(n, M, std::nan(""));
  for_each_block(compute, n, block, [&](Index begin, Index size) {
    std::vector<Matrix> logs(static_cast<std::size_t>(size), Matrix(S, M));
    for_each_law(view, X, known, begin, size, [&](Index row, Index s, const RowLaw& law) {
      for (Index m = 0; m < M; ++m) {
        const double y = scaled(row, m);
        if (std::isnan(y)) continue;
        logs[static_cast<std::size_t>(row - begin)](s, m) =
            view.likelihood == BayesLikelihood::categorical
                ? std::log(
                      std::max(law.mean(at[static_cast<std::size_t>(m)] + static_cast<Index>(y)), 1e-300))
                : log_entry(view, law, m, y);
      }
    });
    for (Index i = 0; i < size; ++i)
      for (Index m = 0; m < M; ++m) {
        if (std::isnan(Y(begin + i, m))) continue;
        const auto column = logs[static_cast<std::size_t>(i)].col(m).array();
        const double top = column.maxCoeff();
        out(begin + i, m) = std::isfinite(top) ? top + std::log((column - top).exp().mean()) : top;
        if (gaussian) out(begin + i, m) -= std::log(view.scaling.scale(m));
      }
  });
  return out;
}

Matrix randomised_pit(const BayesViewFit& view, const std::vector<Matrix>& X, MatrixIn Y,
                      const BayesKnown& known, const Rng& rng, const Compute& compute) {
  check_draws(view, X);
  const Index n = Y.rows(), M = Y.cols(), S = static_cast<Index>(X.size());
  const Index repeats = std::max<Index>(1, (1000 + S - 1) / S);
  const bool labels = view.likelihood == BayesLikelihood::categorical;
  const Matrix scaled = view.likelihood == BayesLikelihood::gaussian ? view.scaling.apply(Y) : Matrix(Y);
  const std::vector<Index> at = softmaxes(view);
  Matrix out = Matrix::Constant(n, M, std::nan(""));
  for_each_block(compute, n, block, [&](Index begin, Index size) {
    Matrix below = Matrix::Zero(size, M), same = below;
    std::vector<Rng> rngs;
    for (Index i = 0; i < size; ++i) rngs.push_back(rng.split(static_cast<std::uint64_t>(begin + i)));
    for_each_law(view, X, known, begin, size, [&](Index row, Index, const RowLaw& law) {
      const Index i = row - begin;
      for (Index m = 0; m < M; ++m) {
        const double y = scaled(row, m);
        if (std::isnan(y)) continue;
        if (labels) {
          const Index first = at[static_cast<std::size_t>(m)];
          below(i, m) += law.mean.segment(first, static_cast<Index>(y)).sum() / double(S);
          same(i, m) += law.mean(first + static_cast<Index>(y)) / double(S);
          continue;
        }
        for (Index k = 0; k < repeats; ++k) {
          const double other = draw_entry(view, law, m, rngs[static_cast<std::size_t>(i)]);
          below(i, m) += (other < y) / double(S * repeats);
          same(i, m) += (other == y) / double(S * repeats);
        }
      }
    });
    for (Index i = 0; i < size; ++i)
      for (Index m = 0; m < M; ++m)
        if (!std::isnan(Y(begin + i, m)))
          out(begin + i, m) = below(i, m) + rngs[static_cast<std::size_t>(i)].uniform() * same(i, m);
  });
  return out;
}

LatentPosterior summary(const std::vector<Matrix>& X) {
  LatentPosterior out{Matrix::Zero(X.front().rows(), X.front().cols()), {}};
  Matrix squares = out.mean;
  for (const Matrix& draw : X) {
    out.mean += draw / double(X.size());
    squares += draw.cwiseAbs2() / double(X.size());
  }
  out.sd = (squares - out.mean.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  return out;
}

}  // namespace bochner
