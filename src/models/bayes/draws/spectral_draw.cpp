#include "spectral_draw.hpp"

#include <algorithm>
#include <numeric>

namespace bochner {

SpectralDraw spectrum_of(const BayesViewState& view, const Matrix& R) {
  const FrequencyMixture& mixture = view.mixture;
  const auto K = mixture.components.size();
  const Index Q = R.rows();
  std::vector<Index> members(K, 0), order(K);
  for (const Index k : mixture.member) ++members[static_cast<std::size_t>(k)];
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return members[static_cast<std::size_t>(a)] > members[static_cast<std::size_t>(b)];
  });
  std::erase_if(order, [&](Index k) { return members[static_cast<std::size_t>(k)] == 0; });
  const auto used = static_cast<Index>(order.size());
  SpectralDraw out{.weights = Vector(used),
                   .means = Matrix(used, Q),
                   .covariances = Matrix(used, Q * Q),
                   .concentration = mixture.alpha,
                   .amplitude = view.amplitude};
  for (Index i = 0; i < used; ++i) {
    const auto k = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
    const SpectralComponent& own = mixture.components[k];
    const Matrix factor = R.transpose() * own.L;
    const Matrix covariance = factor * factor.transpose();
    out.weights(i) = double(members[k]) / double(mixture.member.size());
    out.means.row(i) = own.mean.transpose() * R;
    out.covariances.row(i) = Eigen::Map<const Eigen::RowVectorXd>(covariance.data(), Q * Q);
  }
  return out;
}

}  // namespace bochner
