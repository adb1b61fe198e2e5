#include "whitened.hpp"

#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/priors/path_innovations.hpp"
#include "path_priors.hpp"

namespace bochner {

namespace {

// Coordinates of a view: log amplitude, Q logarithms of stretches, L x Q frequencies, (2L + C + 1) x J weights, each matrix row
// by row.
Index size_of(const BayesViewState& view) { return 1 + view.W.cols() + view.W.size() + view.B.size(); }

using ConstMap = Eigen::Map<const Matrix>;
using Map = Eigen::Map<Matrix>;

}  // namespace

WhitenedState::WhitenedState(const BayesModel& model, const BayesState& state, const Rng& rng,
                             const Compute& compute)
    : model_(model), state_(state), compute_(compute) {
  const Index N = state.X.rows(), Q = state.X.cols();
  const Index p = model.latent.dynamic ? state_size(model.latent.kind) : 1;
  per_dimension_ = N * p;
  Index end = Q * per_dimension_;
  for (const BayesViewState& view : state.views) {
    begin_.push_back(end);
    end += size_of(view);
  }
  begin_.push_back(end);
  theta_.resize(end);
  for (Index q = 0; q < Q; ++q) {
    auto own = theta_.segment(q * per_dimension_, per_dimension_);
    if (!model.latent.dynamic) {
      own = state.X.col(q);
      continue;
    }
    const PathPrior& path = state.paths[static_cast<std::size_t>(q)];
    steps_.push_back(path_steps(path, model.grid));
    Rng draw = rng.split(static_cast<std::uint64_t>(q));
    const PathStates states =
        draw_states_given(steps_.back(), model.grid.sorted(state.X.col(q)) / std::sqrt(path.variance), draw);
    Map(own.data(), N, p) = innovations_of(steps_.back(), states);
  }
  for (std::size_t v = 0; v < state.views.size(); ++v) {
    const BayesViewState& view = state.views[v];
    const Index L = view.W.rows(), J = view.B.cols();
    double* const at = theta_.data() + begin_[v];
    at[0] = std::log(view.amplitude);
    Eigen::Map<Vector>(at + 1, Q).setZero();
    Map W(at + 1 + Q, L, Q), B(at + 1 + Q + L * Q, view.B.rows(), J);
    for (Index l = 0; l < L; ++l) {
      const SpectralComponent& component = view.mixture.of(l);
      W.row(l) = component.L.triangularView<Eigen::Lower>()
                     .solve(view.W.row(l).transpose() - component.mean)
                     .transpose();
    }
    B = view.B;  // coefficients of covariates are in these units
    B.topRows(2 * L) /= std::sqrt(view.amplitude);
    B.bottomRows(1) =
        (view.B.bottomRows(1) - model.tables[v].intercept.transpose()) / model.priors.intercept_sd;
  }
}

Matrix WhitenedState::latents(const Vector& theta) const {
  const Index N = state_.X.rows(), Q = state_.X.cols();
  Matrix X(N, Q);
  for (Index q = 0; q < Q; ++q) {
    const double* const own = theta.data() + q * per_dimension_;
    if (steps_.empty()) {
      X.col(q) = Eigen::Map<const Vector>(own, N);
      continue;
    }
    const auto at = static_cast<std::size_t>(q);
    const PathStates states = states_of(steps_[at], ConstMap(own, N, per_dimension_ / N));
    X.col(q) = model_.grid.unsorted(std::sqrt(state_.paths[at].variance) * states.col(0));
  }
  return X;
}

void WhitenedState::add_latent_gradient(const Matrix& to_X, Vector& gradient) const {
  const Index N = to_X.rows();
  for (Index q = 0; q < to_X.cols(); ++q) {
    auto own = gradient.segment(q * per_dimension_, per_dimension_);
    if (steps_.empty()) {
      own += to_X.col(q);
      continue;
    }
    const auto at = static_cast<std::size_t>(q);
    const Vector to_states = std::sqrt(state_.paths[at].variance) * model_.grid.sorted(to_X.col(q));
    Map(own.data(), N, per_dimension_ / N) += pull_innovations(steps_[at], to_states);
  }
}

BayesViewState WhitenedState::view_at(const Vector& theta, std::size_t v) const {
  const BayesViewState& now = state_.views[v];
  const Index L = now.W.rows(), Q = now.W.cols(), J = now.B.cols();
  const double* const at = theta.data() + begin_[v];
  BayesViewState out{.W = Matrix(L, Q), .amplitude = std::exp(at[0]), .B = Matrix()};
  const ConstMap W(at + 1 + Q, L, Q), B(at + 1 + Q + L * Q, now.B.rows(), J);
  for (Index l = 0; l < L; ++l) {
    const SpectralComponent& component = now.mixture.of(l);
    out.W.row(l) = component.mean.transpose() + W.row(l) * component.L.transpose();
  }
  out.W.array().rowwise() *= Eigen::Map<const Eigen::RowVectorXd>(at + 1, Q).array().exp();
  out.B = B;
  out.B.topRows(2 * L) *= std::sqrt(out.amplitude);
  out.B.bottomRows(1) = model_.tables[v].intercept.transpose() + model_.priors.intercept_sd * B.bottomRows(1);
  return out;
}

double WhitenedState::view_density(const Vector& theta, std::size_t v, const Matrix& X, Matrix& to_X,
                                   Vector& gradient) const {
  const BayesViewState& now = state_.views[v];
  const BayesViewState view = view_at(theta, v);
  const Index L = view.W.rows(), Q = view.W.cols(), J = view.B.cols();
  const Matrix Phi = bayes_features(view.W, X, model_.tables[v].covariates, compute_),
               F = multiply<double>(Phi, view.B, compute_);
  Matrix G;  // d/dF
  double value = likelihood_gradient(model_.tables[v], now.scale, F, G, compute_);
  const Matrix to_B = multiply_transposed<double>(Phi, G, compute_);
  const Matrix to_Phi = multiply<double>(G, Matrix(view.B.topRows(2 * L).transpose()), compute_);
  // Phi = [cos, sin] / sqrt L of X W'.
  const Matrix to_angle = Phi.leftCols(L).cwiseProduct(to_Phi.middleCols(L, L)) -
                          Phi.middleCols(L, L).cwiseProduct(to_Phi.leftCols(L));
  to_X += to_angle * view.W;
  const Matrix to_W = multiply_transposed<double>(to_angle, X, compute_);
  double* const at = gradient.data() + begin_[v];
  Map W(at + 1 + Q, L, Q), B(at + 1 + Q + L * Q, view.B.rows(), J);
  const Eigen::RowVectorXd log_stretch =
                               Eigen::Map<const Eigen::RowVectorXd>(theta.data() + begin_[v] + 1, Q),
                           factor = log_stretch.array().exp();
  for (Index l = 0; l < L; ++l) W.row(l) += to_W.row(l).cwiseProduct(factor) * now.mixture.of(l).L;
  for (Index d = 0; d < Q; ++d) {
    const ComponentStretch own = stretch_of(now.mixture, model_.priors.frequencies, d);
    const double shrunk = own.rate / (factor(d) * factor(d));
    value -= own.power * log_stretch(d) + 0.5 * shrunk;
    at[1 + d] = shrunk - own.power + to_W.col(d).dot(view.W.col(d));
  }
  B.topRows(2 * L) += std::sqrt(view.amplitude) * to_B.topRows(2 * L);
  B.middleRows(2 * L, B.rows() - 2 * L - 1) += to_B.middleRows(2 * L, B.rows() - 2 * L - 1);
  B.bottomRows(1) += model_.priors.intercept_sd * to_B.bottomRows(1);
  // IG(shape, scale) of the amplitude, as a density of its logarithm.
  const double shape = model_.priors.amplitude_shape, scale = model_.priors.amplitude_scale / view.amplitude;
  value += -shape * std::log(view.amplitude) - scale;
  at[0] = scale - shape + 0.5 * to_B.topRows(2 * L).cwiseProduct(view.B.topRows(2 * L)).sum();
  return value;
}

double WhitenedState::log_density(const Vector& theta, Vector& gradient) const {
  gradient = -theta;
  double value = -0.5 * theta.squaredNorm();
  for (std::size_t v = 0; v < state_.views.size(); ++v)  // amplitude and stretches are not N(0, 1)
    value += 0.5 * theta.segment(begin_[v], 1 + state_.X.cols()).squaredNorm();
  const Matrix X = latents(theta);
  Matrix to_X = Matrix::Zero(X.rows(), X.cols());
  for (std::size_t v = 0; v < state_.views.size(); ++v) value += view_density(theta, v, X, to_X, gradient);
  add_latent_gradient(to_X, gradient);
  return value;
}

void WhitenedState::restore(const Vector& theta, BayesState& state) const {
  std::vector<BayesViewState> views;
  for (std::size_t v = 0; v < state_.views.size(); ++v) views.push_back(view_at(theta, v));
  state.X = latents(theta);
  for (std::size_t v = 0; v < views.size(); ++v) {
    state.views[v].W = std::move(views[v].W);
    state.views[v].B = std::move(views[v].B);
    state.views[v].amplitude = views[v].amplitude;
    for (Index d = 0; d < state.X.cols(); ++d)
      stretch(state.views[v].mixture, d, std::exp(theta(begin_[v] + 1 + d)));
  }
}

}  // namespace bochner
