#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "row_law.hpp"
#include "table.hpp"

namespace bochner {

namespace {

constexpr Index block = 16;  // rows at a time: draws of all their entries are in memory

/// Calls f(row, draw number, law of the row) for rows begin .. begin + size - 1, draw by draw.
template <class F>
void for_each_law(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known,
                  Index begin, Index size, F&& f) {
  for (std::size_t s = 0; s < view.draws.size(); ++s) {
    const BayesFunctions& draw = view.draws[s];
    const Matrix Phi = bayes_features(draw.W, X[s].middleRows(begin, size), Threads(1));
    for (Index i = 0; i < size; ++i) {
      const Vector covariates = known.design.size() > 0 ? Vector(known.design.row(begin + i)) : Vector();
      const Vector row =
          functions_at(draw, Phi.row(i).transpose(), covariates);  // rows alone: no batch changes them
      f(begin + i, static_cast<Index>(s), law_of(view, draw, row, known_row(known, begin + i, row.size())));
    }
  }
}

void check_draws(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known) {
  check_size("predict", "draws of the latents", static_cast<Index>(X.size()), "draws of the functions",
             static_cast<Index>(view.draws.size()));
  if (known.exposure.size() > 0)
    check_size("predict", "exposures", known.exposure.size(), "rows", X.front().rows());
  if (known.design.size() == 0) return;
  check_size("predict", "rows of the design", known.design.rows(), "rows", X.front().rows());
  check_size("predict", "columns of the design", known.design.cols(), "coefficients",
             view.draws.front().covariates.rows());
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

std::vector<Index> BayesFit::kept_chains() const {
  std::vector<Index> out;
  for (Index c = 0; c < options.chains; ++c)
    if (std::none_of(left_out.begin(), left_out.end(), [&](const BayesLeftOut& l) { return l.chain == c; }))
      out.push_back(c);
  return out;
}

const BayesViewFit& BayesFit::view(std::string_view name) const {
  for (const BayesViewFit& v : views)
    if (v.name == name) return v;
  throw InputError("the model has no view '" + std::string(name) + "'");
}

BayesKnown known_rows(const BayesData& data, std::size_t v) {
  BayesKnown out{.Y = data.data.views()[v].Y, .design = data.design};
  if (v < data.trials.size()) out.trials = data.trials[v];
  if (v < data.exposure.size()) out.exposure = data.exposure[v];
  return out;
}

BayesPrediction predict(const BayesViewFit& view, const std::vector<Matrix>& X, const BayesKnown& known,
                        const BayesPredictOptions& options, const Rng& rng, const Compute& compute) {
  check_draws(view, X, known);
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

BayesPrediction multiply_rows(BayesPrediction p, const Vector& factors) {
  for (Matrix* own : {&p.mean, &p.low, &p.high, &p.median})
    if (own->size() > 0) *own = multiply_rows(std::move(*own), factors);
  for (Matrix* own : {&p.f_variance, &p.y_variance})
    *own = multiply_rows(multiply_rows(std::move(*own), factors), factors);
  return p;
}

Matrix log_density(const BayesViewFit& view, const std::vector<Matrix>& X, MatrixIn Y,
                   const BayesKnown& known, const Compute& compute) {
  check_draws(view, X, known);
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
  check_draws(view, X, known);
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
