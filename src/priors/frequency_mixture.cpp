#include "bochner/priors/frequency_mixture.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/random/wishart.hpp"

namespace bochner {

namespace {

constexpr Index empty_components = 3;  // of Algorithm 8, kept at hand for a frequency to move to

Matrix rows_of(MatrixIn W, const std::vector<Index>& member, Index k) {
  std::vector<Index> rows;
  for (std::size_t l = 0; l < member.size(); ++l)
    if (member[l] == k) rows.push_back(static_cast<Index>(l));
  return W(rows, Eigen::all);
}

/// Every frequency in turn chooses among the components of the others and some empty ones.
void update_members(FrequencyMixture& mixture, MatrixIn W, const FrequencyPrior& prior, Rng& rng) {
  const Index L = W.rows(), Q = W.cols();
  std::vector<SpectralComponent>& components = mixture.components;
  std::vector<Index> count(components.size(), 0);
  for (const Index k : mixture.member) ++count[static_cast<std::size_t>(k)];
  for (Index l = 0; l < L; ++l) {
    Index& own = mixture.member[static_cast<std::size_t>(l)];
    std::vector<SpectralComponent> empty;
    if (--count[static_cast<std::size_t>(own)] == 0) {  // its component becomes the first empty one
      const Index last = static_cast<Index>(components.size()) - 1;
      std::swap(components[static_cast<std::size_t>(own)], components.back());
      std::swap(count[static_cast<std::size_t>(own)], count.back());
      for (Index& k : mixture.member)
        if (k == last) k = own;
      empty.push_back(components.back());
      components.pop_back();
      count.pop_back();
    }
    while (static_cast<Index>(empty.size()) < empty_components)
      empty.push_back(draw_component(prior, Q, rng));
    const auto K = static_cast<Index>(components.size());
    Vector log_weight(K + empty_components);
    for (Index k = 0; k < K; ++k)
      log_weight(k) = std::log(double(count[static_cast<std::size_t>(k)])) +
                      log_density(components[static_cast<std::size_t>(k)], W.row(l).transpose());
    for (Index e = 0; e < empty_components; ++e)
      log_weight(K + e) = std::log(mixture.alpha / double(empty_components)) +
                          log_density(empty[static_cast<std::size_t>(e)], W.row(l).transpose());
    const Index chosen = rng.categorical_log(log_weight);
    if (chosen >= K) {
      components.push_back(empty[static_cast<std::size_t>(chosen - K)]);
      count.push_back(0);
    }
    own = std::min(chosen, K);
    ++count[static_cast<std::size_t>(own)];
  }
}

/// [escobar1995, Eq. 13, 14].
double draw_concentration(double alpha, Index L, Index K, const FrequencyPrior& prior, Rng& rng) {
  const double log_eta = std::log(rng.beta(alpha + 1, double(L)));
  const double rate = prior.alpha_rate - log_eta, shape = prior.alpha_shape + double(K);
  const double odds = (shape - 1) / (double(L) * rate);
  return rng.gamma(rng.uniform() < odds / (1 + odds) ? shape : shape - 1) / rate;
}

}  // namespace

double log_density(const SpectralComponent& component, VectorIn w) {
  const Vector u = component.L.triangularView<Eigen::Lower>().solve(w - component.mean);
  return -0.5 * (u.squaredNorm() + double(w.size()) * log_2pi) - component.L.diagonal().array().log().sum();
}

SpectralComponent draw_component(const FrequencyPrior& prior, Index Q, Rng& rng) {
  return draw_component(prior, Matrix(0, Q), rng);
}

SpectralComponent draw_component(const FrequencyPrior& prior, MatrixIn members, Rng& rng) {
  const Index n = members.rows(), Q = members.cols();
  const double lambda0 = prior.lambda_for(Q), lambda = lambda0 + double(n);
  Matrix scale = prior.scale * Matrix::Identity(Q, Q);
  Vector mean = Vector::Zero(Q);
  if (!prior.dirichlet) {
    scale += members.transpose() * members;
  } else if (n > 0) {
    const Vector average = members.colwise().mean();
    const Matrix centred = members.rowwise() - average.transpose();
    scale += centred.transpose() * centred + lambda0 * double(n) / lambda * average * average.transpose();
    mean = double(n) / lambda * average;
  }
  const Matrix root = scale.llt().matrixL();
  SpectralComponent out{mean, inverse_wishart_factor(prior.degrees_for(Q) + double(n), root, rng)};
  if (prior.dirichlet) out.mean = multivariate_normal(mean, out.L / std::sqrt(lambda), rng);
  return out;
}

FrequencyMixture draw_mixture(const FrequencyPrior& prior, Index L, Index Q, Rng& rng) {
  check_at_least("draw_mixture", "L", L, 1);
  check_at_least("draw_mixture", "Q", Q, 1);
  FrequencyMixture out{.member = std::vector<Index>(static_cast<std::size_t>(L), 0)};
  if (!prior.dirichlet) {
    out.components.push_back(draw_component(prior, Q, rng));
    return out;
  }
  out.alpha = rng.gamma(prior.alpha_shape) / prior.alpha_rate;
  std::vector<double> seats;  // of the Chinese restaurant
  for (Index l = 0; l < L; ++l) {
    Vector weight(static_cast<Index>(seats.size()) + 1);
    for (std::size_t k = 0; k < seats.size(); ++k) weight(static_cast<Index>(k)) = seats[k];
    weight(weight.size() - 1) = out.alpha;
    const Index k = rng.categorical(weight);
    if (k == static_cast<Index>(seats.size())) {
      seats.push_back(0);
      out.components.push_back(draw_component(prior, Q, rng));
    }
    ++seats[static_cast<std::size_t>(k)];
    out.member[static_cast<std::size_t>(l)] = k;
  }
  return out;
}

Matrix draw_frequencies(const FrequencyMixture& mixture, Rng& rng) {
  const auto L = static_cast<Index>(mixture.member.size());
  Matrix W(L, mixture.components.front().mean.size());
  for (Index l = 0; l < L; ++l)
    W.row(l) = multivariate_normal(mixture.of(l).mean, mixture.of(l).L, rng).transpose();
  return W;
}

FrequencyMixture update_mixture(FrequencyMixture mixture, MatrixIn W, const FrequencyPrior& prior, Rng& rng) {
  check_size("update_mixture", "members", static_cast<Index>(mixture.member.size()), "rows of W", W.rows());
  if (prior.dirichlet) update_members(mixture, W, prior, rng);
  const auto K = static_cast<Index>(mixture.components.size());
  for (Index k = 0; k < K; ++k)
    mixture.components[static_cast<std::size_t>(k)] =
        draw_component(prior, rows_of(W, mixture.member, k), rng);
  if (prior.dirichlet) mixture.alpha = draw_concentration(mixture.alpha, W.rows(), K, prior, rng);
  return mixture;
}

}  // namespace bochner
