#pragma once
#include "bochner/infer/objective.hpp"
#include "src/models/bayes/model.hpp"

namespace bochner {

/// Latents, frequencies, weights and amplitudes of a state as one vector whose entries are independent N(0, 1) a priori: paths
/// through their innovations, frequencies relative to their component, weights in units of their prior; with logarithms of
/// amplitudes and of factors that stretch all frequencies of a view in one dimension, with their components. What it does not
/// hold (mixtures otherwise, noise, length-scales of paths) stays as it is in the state.
class WhitenedState {
 public:
  /// The derivatives of paths, which a state does not hold, are drawn given the paths.
  WhitenedState(const BayesModel& model, const BayesState& state, const Rng& rng, const Compute& compute);

  const Vector& coordinates() const { return theta_; }

  /// log p(tables, theta), up to a constant, and its gradient.
  double log_density(const Vector& theta, Vector& gradient) const;

  /// Puts the parts that theta holds into a state.
  void restore(const Vector& theta, BayesState& state) const;

 private:
  Matrix latents(const Vector& theta) const;  // N x Q
  void add_latent_gradient(const Matrix& to_X, Vector& gradient) const;
  BayesViewState view_at(const Vector& theta, std::size_t v) const;  // W, B and the amplitude
  double view_density(const Vector& theta, std::size_t v, const Matrix& X, Matrix& to_X,
                      Vector& gradient) const;

  const BayesModel& model_;
  const BayesState& state_;
  Compute compute_;
  std::vector<std::vector<PathStep>> steps_;  // of each dimension of a dynamic prior
  Index per_dimension_ = 0;                   // coordinates of one dimension of the latents
  std::vector<Index> begin_;                  // of each view, and the end
  Vector theta_;
};

}  // namespace bochner
