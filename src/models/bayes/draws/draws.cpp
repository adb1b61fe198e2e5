#include "bochner/models/bayes/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bochner {

BayesDraws stored_draws(const BayesFit& fit) {
  BayesDraws out{.chains = fit.chains()};
  const auto S = static_cast<Index>(fit.X.size());
  if (S % out.chains != 0) out.chains = 1;  // a model file of someone else's
  out.draws = S / out.chains;
  // Spread over the chain as fit_bayes does; where a run was stopped, over what it has.
  const Index taken = std::max<Index>(1, fit.log_density.cols()), all = std::max(fit.options.draws, taken);
  const Index wanted = std::clamp<Index>(fit.options.stored / fit.options.chains, 1, all);
  for (Index k = 0; k < out.draws; ++k)
    out.numbers.push_back(std::min(((k + 1) * all + wanted - 1) / wanted - 1, taken - 1));
  out.each = [&fit, chains = out.chains, draws = out.draws,
              numbers = out.numbers](const std::function<void(const BayesDraw&)>& f) {
    const std::vector<PathPrior> none;
    const Matrix unturned = Matrix::Identity(fit.dims(), fit.dims());
    for (Index k = 0; k < draws; ++k)
      for (Index c = 0; c < chains; ++c) {
        const auto s = static_cast<std::size_t>(c * draws + k);
        const Index number = numbers[static_cast<std::size_t>(k)];
        std::vector<BayesFunctions> functions;
        for (const BayesViewFit& view : fit.views) functions.push_back(view.draws[s]);
        const bool known = c < fit.log_density.rows() && number < fit.log_density.cols();
        f({c, k, fit.X[s], functions, fit.paths.empty() ? none : fit.paths[s],
           fit.turns.empty() ? unturned : fit.turns[s],
           known ? fit.log_density(c, number) : std::numeric_limits<double>::quiet_NaN()});
      }
  };
  return out;
}

}  // namespace bochner
