#include "path_priors.hpp"

#include <cmath>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/infer/slice.hpp"
#include "bochner/priors/path_innovations.hpp"

namespace bochner {

namespace {

ComponentStretch stretch_of(const BayesState& state, const FrequencyPrior& prior, Index d) {
  ComponentStretch out;
  for (const BayesViewState& view : state.views) {
    const ComponentStretch own = stretch_of(view.mixture, prior, d);
    out.power += own.power;
    out.rate += own.rate;
  }
  return out;
}

/// x_d -> c x_d with w_d -> w_d / c.
void stretch(BayesState& state, Index d, double c) {
  state.X.col(d) *= c;
  for (BayesViewState& view : state.views) {
    view.W.col(d) /= c;
    stretch(view.mixture, d, 1 / c);
  }
}

/// Up to a constant.
double log_prior_of_ell(const BayesPriors& priors, double log_ell) {
  const double u = (log_ell - std::log(priors.ell_median)) / priors.log_ell_sd;
  return -0.5 * u * u;
}

double log_likelihood_at(const BayesState& state, const std::vector<BayesTable>& tables, const Matrix& X,
                         const Compute& compute) {
  const LatentLikelihood likelihood(tables, state.views);
  Vector by_row = Vector::Zero(X.rows());
  for_each_block(compute, X.rows(), 64, [&](Index begin, Index size) {
    by_row.segment(begin, size) = likelihood(rows_from(begin, size), X.middleRows(begin, size));
  });
  return by_row.sum();
}

}  // namespace

ComponentStretch stretch_of(const FrequencyMixture& mixture, const FrequencyPrior& prior, Index d) {
  ComponentStretch out;
  for (const SpectralComponent& component : mixture.components) {
    const Index Q = component.mean.size();
    const Vector e = component.L.triangularView<Eigen::Lower>().solve(Vector::Unit(Q, d));
    out.power += prior.degrees_for(Q);
    out.rate += prior.scale * e.squaredNorm();
  }
  return out;
}

void stretch(FrequencyMixture& mixture, Index d, double factor) {
  for (SpectralComponent& component : mixture.components) {
    component.mean(d) *= factor;
    component.L.row(d) *= factor;
  }
}

void update_path_priors(BayesState& state, const TimeGrid& grid, const BayesPriors& priors, Rng& rng) {
  const double shape = priors.path_variance_shape + 0.5 * double(state.X.rows());
  for (Index d = 0; d < state.X.cols(); ++d) {
    PathPrior& path = state.paths[static_cast<std::size_t>(d)];
    const Vector x = grid.sorted(state.X.col(d));
    const auto at = [&](double log_ell) {
      PathPrior other = path;
      other.ell = std::exp(log_ell);
      return path_density(path_steps(other, grid), x);
    };
    // A path says well what variance / ell^(2 nu) is and little about either: the variance is integrated out.
    const auto log_density = [&](double log_ell) {
      const PathDensity density = at(log_ell);
      return density.log_density + 0.5 * density.quadratic + log_prior_of_ell(priors, log_ell) -
             shape * std::log(priors.path_variance_scale + 0.5 * density.quadratic);
    };
    const double from = std::log(path.ell),
                 to = slice_sample(log_density, from, log_density(from), rng, {.width = 0.5}).x;
    path.ell = std::exp(to);
    path.variance = (priors.path_variance_scale + 0.5 * at(to).quadratic) / rng.gamma(shape);
  }
}

void update_scale_and_shift(BayesState& state, const TimeGrid* grid, const BayesPriors& priors, Rng& rng) {
  const Index N = state.X.rows(), Q = state.X.cols();
  for (Index d = 0; d < Q; ++d) {
    // The prior of x_d: -1/2 (quadratic + 2 s cross + s^2 ones) after a shift by s.
    PathDensity of_x{
        .quadratic = state.X.col(d).squaredNorm(), .ones = double(N), .cross = state.X.col(d).sum()};
    if (grid != nullptr) {
      const PathPrior& path = state.paths[static_cast<std::size_t>(d)];
      of_x = path_density(path_steps(path, *grid), grid->sorted(state.X.col(d)));
      of_x.quadratic /= path.variance;
      of_x.ones /= path.variance;
      of_x.cross /= path.variance;
    }
    const double s = (-of_x.cross / of_x.ones) + rng.normal() / std::sqrt(of_x.ones);
    state.X.col(d).array() += s;
    for (BayesViewState& view : state.views) {
      const Index L = view.W.rows();
      for (Index l = 0; l < L; ++l) {
        const double c = std::cos(view.W(l, d) * s), z = std::sin(view.W(l, d) * s);
        const Eigen::RowVectorXd cosine = view.B.row(l), sine = view.B.row(L + l);
        view.B.row(l) = c * cosine - z * sine;
        view.B.row(L + l) = z * cosine + c * sine;
      }
    }
    // After x_d -> c x_d the prior of x_d is exp(-c^2 quadratic / 2) c^N, that of a component (Sigma_dd of scale psi)
    // exp(-c^2 psi (Sigma^-1)_dd / 2) c^degrees, and the measure dc / c: c^2 is a gamma variable.
    const ComponentStretch components = stretch_of(state, priors.frequencies, d);
    const double power = double(N) + components.power,
                 rate = of_x.quadratic + s * (2 * of_x.cross + s * of_x.ones) + components.rate;
    stretch(state, d, std::sqrt(rng.gamma(0.5 * power) / (0.5 * rate)));
  }
}

void stretch_paths(BayesState& state, const BayesPriors& priors, Rng& rng) {
  for (Index d = 0; d < state.X.cols(); ++d) {
    PathPrior& path = state.paths[static_cast<std::size_t>(d)];
    const ComponentStretch components = stretch_of(state, priors.frequencies, d);
    const auto log_density = [&](double log_c) {
      const double square = std::exp(2 * log_c);
      return components.power * log_c - 0.5 * components.rate * square -
             2 * priors.path_variance_shape * log_c - priors.path_variance_scale / (path.variance * square);
    };
    const double c = std::exp(slice_sample(log_density, 0, log_density(0), rng, {.width = 0.5}).x);
    path.variance *= c * c;
    stretch(state, d, c);
  }
}

void bend_paths(BayesState& state, const TimeGrid& grid, const std::vector<BayesTable>& tables,
                const BayesPriors& priors, Rng& rng, const Compute& compute) {
  for (Index d = 0; d < state.X.cols(); ++d) {
    PathPrior& path = state.paths[static_cast<std::size_t>(d)];
    const double sd = std::sqrt(path.variance);
    const std::vector<PathStep> steps = path_steps(path, grid);
    const Matrix e = innovations_of(steps, draw_states_given(steps, grid.sorted(state.X.col(d)) / sd, rng));
    Matrix X = state.X;
    const auto bend = [&](double log_ell) {
      PathPrior other = path;
      other.ell = std::exp(log_ell);
      X.col(d) = grid.unsorted(sd * states_of(path_steps(other, grid), e).col(0));
    };
    const auto log_density = [&](double log_ell) {
      bend(log_ell);
      return log_likelihood_at(state, tables, X, compute) + log_prior_of_ell(priors, log_ell);
    };
    const double from = std::log(path.ell),
                 to = slice_sample(log_density, from, log_density(from), rng, {.width = 0.2}).x;
    if (to == from) continue;  // x stays, to the last bit
    bend(to);
    path.ell = std::exp(to);
    state.X.col(d) = X.col(d);
  }
}

}  // namespace bochner
