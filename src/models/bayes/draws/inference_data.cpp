#include "bochner/models/bayes/inference_data.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/assess/convergence.hpp"
#include "bochner/compute/row_plan.hpp"
#include "posterior_variables.hpp"

namespace bochner {

double relative_efficiency(const BayesFit& fit, const BayesDraws& draws, Index n_samples,
                           const Compute& compute) {
  if (draws.chains < 2 || draws.draws < 4) return 1;  // as ArviZ does
  const std::vector<PosteriorVariable> variables = posterior_variables(fit);
  Index all = 0;
  for (const PosteriorVariable& variable : variables) all += variable.size;
  const Index S = draws.chains * draws.draws;
  constexpr Index most_numbers = 10'000'000, most_series = 4000;
  const Index room = std::clamp<Index>(most_numbers / S, 100, most_series);
  const Index every = (all + room - 1) / room;
  Matrix series((all + every - 1) / every, S);
  Vector values(all);
  draws.each([&](const BayesDraw& draw) {
    Index at = 0;
    for (const PosteriorVariable& variable : variables) {
      variable.get(draw, values.data() + at);
      at += variable.size;
    }
    const Index s = draw.chain * draws.draws + draw.number;
    for (Index i = 0; i < series.rows(); ++i) series(i, s) = values(i * every);
  });
  Vector ess(series.rows());
  for_each_block(compute, series.rows(), 16, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) {
      const Vector row = series.row(i).transpose();
      const double own = ess_mean(Eigen::Map<const Matrix>(row.data(), draws.chains, draws.draws));
      ess(i) = std::isnan(own) ? double(S) : own;  // what does not vary is known exactly
    }
  });
  return ess.mean() / double(n_samples);
}

InferenceData make_inference_data(const BayesFit& fit, BayesDraws draws, const BayesData& seen,
                                  const RowFactors& factors, const PointwiseOptions& options,
                                  const Compute& compute) {
  InferenceData out{.fit = fit, .draws = std::move(draws), .seen = &seen};
  out.pointwise =
      pointwise(out.draws, fit, seen, factors, options, Rng(fit.seed).split("pointwise"), compute);
  const Index kept = out.pointwise->chains * static_cast<Index>(out.pointwise->draws.size());
  out.reff = relative_efficiency(fit, out.draws, kept, compute);
  return out;
}

}  // namespace bochner
