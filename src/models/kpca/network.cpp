#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/adam.hpp"
#include "bochner/infer/cayley_adam.hpp"
#include "bochner/infer/stiefel.hpp"
#include "source.hpp"

namespace bochner {
namespace {

using Network = NetworkFeatures<double>;

/// One view during training: a feature network with its pre-image network, or a fixed map.
struct Trained {
  Network phi, psi;
  bool trainable = false;
  Index begin = 0, count = 0;  // place of its features among all
};

/// Feature spaces may shrink or grow together with U~ fixed; only their directions matter to the projection, so the error
/// of feature space is measured against their variance.
class Trainer {
 public:
  Trainer(std::vector<KpcaSource>& sources, Index dims, const KpcaTraining& training, const Rng& rng,
          const Compute& compute)
      : sources_(sources), training_(training), compute_(compute) {
    for (std::size_t v = 0; v < sources.size(); ++v) {
      const KpcaSource& s = sources[v];
      if (!s.map)
        throw InputError(
            "view '" + s.name +
            "' has no explicit features, which networks in other views need to be trained with; give "
            "it random Fourier, Nystrom or network features");
      Trained t{.begin = features_, .count = s.map->count()};
      if (const auto* network = std::get_if<Network>(&s.map->map)) {
        t.trainable = true;
        t.phi = *network;
        t.psi = Network::random({t.count, training.hidden, s.X.cols()}, rng.split("inverse").split(v));
        parameters_ += t.phi.parameter_count() + t.psi.parameter_count();
      }
      features_ += t.count;
      views_.push_back(std::move(t));
    }
    Rng start = rng.split("directions");
    U_ = random_orthonormal(features_, std::min(dims, features_), start);
  }

  Vector pack() const {
    Vector theta(parameters_);
    Index at = 0;
    const auto put = [&](const Network& n) {
      theta.segment(at, n.parameter_count()) = n.parameters();
      at += n.parameter_count();
    };
    for (const Trained& t : views_)
      if (t.trainable) put(t.phi), put(t.psi);
    return theta;
  }
  void unpack(const Vector& theta) {
    Index at = 0;
    const auto get = [&](Network& n) {
      n = n.with_parameters(theta.segment(at, n.parameter_count()));
      at += n.parameter_count();
    };
    for (Trained& t : views_)
      if (t.trainable) get(t.phi), get(t.psi);
  }

  /// On a batch of b rows, with centred features Phi and P = Phi U~ U~':
  ///
  ///   J = |Phi - P|^2 / |Phi|^2 + reconstruction * sum_v |X_v - psi_v(P_v)|^2 / (b M_v)
  ///
  /// Eq. 8 is |Phi - P|^2 / 2. As it stands shrinking features would minimise it, hence the ratio.
  double value(const std::vector<Index>& rows, Matrix& dU, Vector& dtheta) const {
    const Index b = Index(rows.size());
    Matrix Phi(b, features_);
    std::vector<Matrix> X;
    for (std::size_t v = 0; v < views_.size(); ++v) {
      X.push_back(sources_[v].X(rows, Eigen::all));
      const Trained& t = views_[v];
      Phi.middleCols(t.begin, t.count) =
          t.trainable ? std::sqrt(sources_[v].weight) * feature_matrix(t.phi, X[v], compute_)
                      : weighted_features(*sources_[v].map, sources_[v].weight, X[v], compute_);
    }
    const Matrix raw = Phi;
    Phi.rowwise() -= Phi.colwise().mean().eval();
    const Matrix Z = Phi * U_, P = Z * U_.transpose(), R = Phi - P;
    const double all = Phi.squaredNorm() + 1e-12, left = R.squaredNorm();
    double J = left / all;
    Matrix dP = -2 / all * R;
    Matrix dPhi = 2 / all * R - 2 * left / (all * all) * Phi;
    std::vector<Vector> dpsi(views_.size());
    for (std::size_t v = 0; v < views_.size(); ++v) {
      const Trained& t = views_[v];
      if (!t.trainable) continue;
      const Matrix Pv = P.middleCols(t.begin, t.count);
      const Matrix back = feature_matrix(t.psi, Pv, compute_);
      const double scale = training_.reconstruction / double(back.size());
      J += scale * (back - X[v]).squaredNorm();
      const auto pulled = feature_pullback(t.psi, Pv, back, 2 * scale * (back - X[v]), compute_);
      dP.middleCols(t.begin, t.count) += pulled.dX;
      dpsi[v] = Network::flat(pulled.gradient);
    }
    // P = Phi U U'
    const Matrix dPU = dP * U_;
    dPhi += dPU * U_.transpose();
    dU = Phi.transpose() * dPU + dP.transpose() * Z;
    dPhi.rowwise() -= dPhi.colwise().mean().eval();
    Index at = 0;
    for (std::size_t v = 0; v < views_.size(); ++v) {
      const Trained& t = views_[v];
      if (!t.trainable) continue;
      const Matrix own = std::sqrt(sources_[v].weight) * dPhi.middleCols(t.begin, t.count);
      const auto pulled = feature_pullback(t.phi, X[v], raw.middleCols(t.begin, t.count), own, compute_);
      dtheta.segment(at, t.phi.parameter_count()) = Network::flat(pulled.gradient);
      at += t.phi.parameter_count();
      dtheta.segment(at, t.psi.parameter_count()) = dpsi[v];
      at += t.psi.parameter_count();
    }
    return J;
  }

  Index parameters() const { return parameters_; }
  Matrix& directions() { return U_; }
  const std::vector<Trained>& views() const { return views_; }

 private:
  const std::vector<KpcaSource>& sources_;
  const KpcaTraining& training_;
  Compute compute_;
  std::vector<Trained> views_;
  Index features_ = 0, parameters_ = 0;
  Matrix U_;  // F x s, orthonormal
};

}  // namespace

std::vector<std::optional<AnyFeatureMap>> train_networks(std::vector<KpcaSource>& sources, Index dims,
                                                         const KpcaTraining& training, const Rng& rng,
                                                         const Compute& compute,
                                                         const std::function<bool(double)>& progress) {
  Trainer trainer(sources, dims, training, rng, compute);
  const Index n = sources.front().X.rows();
  const Index batch = std::min(training.batch, n), batches = std::max<Index>(1, n / batch);
  Vector theta = trainer.pack(), dtheta(trainer.parameters());
  AdamState networks;
  CayleyAdamState directions;
  const AdamOptions adam{.step = training.step};
  const CayleyAdamOptions cayley{.step = training.step / 3};
  const double all = double(training.epochs * batches);
  Index step = 0;
  bool stopped = false;
  for (Index epoch = 0; epoch < training.epochs && !stopped; ++epoch) {
    Rng shuffle = rng.split("batches").split(static_cast<std::uint64_t>(epoch));
    const IndexVector order = shuffle.permutation(n);
    for (Index b = 0; b < batches; ++b, ++step) {
      std::vector<Index> rows(order.begin() + b * batch, order.begin() + (b + 1) * batch);
      std::sort(rows.begin(), rows.end());
      Matrix dU;
      if (!std::isfinite(trainer.value(rows, dU, dtheta)))
        throw NumericalError("network features: the objective is not finite; try a smaller step");
      const double factor = 0.5 * (1 + std::cos(pi * double(step) / all));
      networks.step(theta, dtheta, adam, factor);
      directions.step(trainer.directions(), dU, cayley, factor, compute);
      trainer.unpack(theta);
    }
    stopped = progress && !progress(double(epoch + 1) / double(training.epochs));
  }
  std::vector<std::optional<AnyFeatureMap>> inverses;
  for (std::size_t v = 0; v < sources.size(); ++v) {
    const Trained& t = trainer.views()[v];
    inverses.emplace_back();
    if (!t.trainable) continue;
    sources[v].map = AnyFeatureMap{t.phi};
    inverses.back() = AnyFeatureMap{t.psi};
  }
  return inverses;
}

}  // namespace bochner
