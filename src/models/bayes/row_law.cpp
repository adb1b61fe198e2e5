#include "row_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/random/count_draws.hpp"
#include "bochner/random/count_log_pmf.hpp"
#include "bochner/random/log_gamma.hpp"

namespace bochner {

namespace {

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

}  // namespace

std::vector<Index> softmaxes(const BayesViewFit& view) {
  std::vector<Index> out{0};
  if (view.likelihood == BayesLikelihood::multinomial) out.push_back(view.functions());
  if (view.likelihood == BayesLikelihood::categorical)
    for (const Index C : view.classes) out.push_back(out.back() + C);
  return out;
}

Vector functions_at(const BayesFunctions& draw, VectorIn phi, VectorIn covariates) {
  Vector out = draw.B.transpose() * phi;
  if (covariates.size() > 0) out += draw.covariates.transpose() * covariates;
  return out;
}

RowKnown known_row(const BayesKnown& rows, Index n, Index functions) {
  RowKnown out;
  if (rows.Y.rows() > 0) out.y = rows.Y.row(n).transpose();
  if (rows.trials.size() == 1) out.trials = Vector::Constant(functions, rows.trials(0, 0));
  if (rows.trials.size() > 1) out.trials = rows.trials.row(n).transpose();
  if (rows.exposure.size() > 0) out.exposure = rows.exposure(n);
  return out;
}

RowLaw law_of(const BayesViewFit& view, const BayesFunctions& draw, const Vector& f, const RowKnown& known) {
  // By its logarithm, as in the fit: exp(f) times an exposure may overflow where neither does.
  const double offset = std::log(known.exposure > 0 ? known.exposure : view.typical_exposure);
  switch (view.likelihood) {
    case BayesLikelihood::gaussian:
      return {f, draw.scale, {}};
    case BayesLikelihood::poisson: {
      const Vector rate = (f.array() + offset).min(300).exp();
      return {rate, rate, {}};
    }
    case BayesLikelihood::negbinom:
      return overdispersed(draw.scale.array(), (f.array() + offset).min(300).exp());
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

double share_of(const RowLaw& law, Index j) { return law.size(j) > 0 ? law.mean(j) / law.size(j) : 0; }

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
      const double r = law.size(j), odds = share_of(law, j);
      return log_gamma(y + r) - log_gamma(r) - log_gamma(y + 1) +
             (y > 0 ? y * (std::log(odds) - std::log1p(odds)) : 0) - r * std::log1p(odds);
    }
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      if (y > law.size(j)) return -std::numeric_limits<double>::infinity();
      return binomial_log_pmf(static_cast<Index>(y), static_cast<Index>(law.size(j)), share_of(law, j));
    case BayesLikelihood::categorical:
      return std::log(std::max(law.mean(j), 1e-300));
  }
  return 0;
}

double draw_entry(const BayesViewFit& view, const RowLaw& law, Index j, Rng& rng) {
  constexpr double most = 1e12;  // a count beyond is its mean
  switch (view.likelihood) {
    case BayesLikelihood::gaussian:
      return law.mean(j) + std::sqrt(law.variance(j)) * rng.normal();
    case BayesLikelihood::poisson:
      return law.mean(j) < most ? double(poisson(law.mean(j), rng)) : law.mean(j);
    case BayesLikelihood::negbinom:
    case BayesLikelihood::multinomial:
      return law.mean(j) < most ? double(negative_binomial(law.size(j), share_of(law, j), rng)) : law.mean(j);
    case BayesLikelihood::binomial:
    case BayesLikelihood::bernoulli:
      return double(binomial(static_cast<Index>(law.size(j)), share_of(law, j), rng));
    case BayesLikelihood::categorical:
      return rng.uniform() < law.mean(j) ? 1 : 0;
  }
  return 0;
}

}  // namespace bochner
