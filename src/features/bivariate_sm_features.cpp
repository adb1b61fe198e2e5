#include "bochner/features/bivariate_sm_features.hpp"

#include <cmath>
#include <utility>

#include "check_blocks.hpp"

namespace bochner {

BivariateSmGradient& BivariateSmGradient::operator+=(const BivariateSmGradient& other) {
  waves += other.waves;
  dDecay += other.dDecay;
  return *this;
}

template <class T>
SpectralNoise BivariateSmFeatures<T>::draw_noise(const BivariateSm& k, Index L, Directions directions,
                                                 Rng& rng) {
  check_at_least("BivariateSmFeatures::draw_noise", "L", L, 1);
  Matrix E(k.components() * L, k.input_dims());
  for (Index r = 0; r < k.components(); ++r)
    E.middleRows(r * L, L) = gaussian_directions(L, k.input_dims(), directions, rng);
  return {.E1 = std::move(E)};
}

template <class T>
BivariateSmFeatures<T> BivariateSmFeatures<T>::from(const BivariateSm& k, const SpectralNoise& noise) {
  const Index R = k.components(), D = k.input_dims(), J = noise.E1.rows(), L = J / R;
  check_size("BivariateSmFeatures::from", "columns of the noise", noise.E1.cols(), "input_dims()", D);
  check_size("BivariateSmFeatures::from", "rows of the noise modulo the components", J % R, "none left", 0);
  Frequencies f{Matrix(J, D), Matrix(J, D), Vector(J)};
  Matrix Damp(R, D);
  for (Index r = 0; r < R; ++r) {
    check_between("BivariateSmFeatures::from", "rho", k.rho(r), 0, 1);
    const Matrix W = std::sqrt(k.rho(r)) * (noise.E1.middleRows(r * L, L) * k.sd.row(r).asDiagonal());
    f.Omega1.middleRows(r * L, L) = W.rowwise() + k.mu1.row(r);
    f.Omega2.middleRows(r * L, L) = W.rowwise() + k.mu2.row(r);
    f.amplitude.segment(r * L, L).setConstant(std::sqrt(k.alpha(r) / double(4 * L)));
    Damp.row(r) = std::sqrt(1 - k.rho(r)) * k.sd.row(r);
  }
  return {FourierFeatures<T>::from(f), Damp.template cast<T>()};
}

template <class T>
BivariateSmGradient BivariateSmFeatures<T>::zero_gradient() const {
  return {waves.zero_gradient(), Matrix::Zero(Decay.rows(), Decay.cols())};
}

template <class T>
void BivariateSmFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("BivariateSmFeatures::fill", *this, X, Phi);
  waves.fill(X, Phi);
  const Index J = waves.amplitude.size(), R = Decay.rows(), L = J / R;
  for (Index r = 0; r < R; ++r) {
    const VectorT<T> envelope =
        (T(-0.5) * (X * Decay.row(r).asDiagonal()).rowwise().squaredNorm().array()).exp();
    Phi.middleCols(r * L, L).array().colwise() *= envelope.array();
    Phi.middleCols(J + r * L, L).array().colwise() *= envelope.array();
  }
}

template <class T>
void BivariateSmFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                                  Gradient& g) const {
  check_pull<T>("BivariateSmFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  // The waves' pullback sees products of Phi and dL/dPhi alone, in which an envelope moved from one to the other
  // cancels: no need to divide it out.
  waves.pull(X, Phi, dL_dPhi, dL_dX, g.waves);
  const Index J = waves.amplitude.size(), R = Decay.rows(), L = J / R;
  for (Index r = 0; r < R; ++r) {
    const VectorT<T> p =  // dL/dlog envelope_i; log envelope = -sum_d (decay_d x_d)^2 / 2
        (Phi.middleCols(r * L, L).cwiseProduct(dL_dPhi.middleCols(r * L, L)) +
         Phi.middleCols(J + r * L, L).cwiseProduct(dL_dPhi.middleCols(J + r * L, L)))
            .rowwise()
            .sum();
    const MatrixT<T> pX = p.asDiagonal() * X;
    dL_dX -= pX * Decay.row(r).cwiseAbs2().asDiagonal();
    g.dDecay.row(r) -= Decay.row(r).cwiseProduct(pX.cwiseProduct(X).colwise().sum()).template cast<double>();
  }
}

Vector bivariate_sm_pullback(const BivariateSm& k, const SpectralNoise& noise, const BivariateSmGradient& g) {
  const Index R = k.components(), D = k.input_dims(), L = noise.E1.rows() / R;
  Vector dtheta(k.parameter_count());
  for (Index r = 0; r < R; ++r) {
    const auto dOmega1 = g.waves.Omega1.middleRows(r * L, L), dOmega2 = g.waves.Omega2.middleRows(r * L, L);
    const Matrix W = std::sqrt(k.rho(r)) * (noise.E1.middleRows(r * L, L) * k.sd.row(r).asDiagonal());
    const Vector dlog_w = (dOmega1 + dOmega2).cwiseProduct(W).colwise().sum();  // D, summed over l
    const Vector dlog_decay = g.dDecay.row(r).cwiseProduct(std::sqrt(1 - k.rho(r)) * k.sd.row(r));
    dtheta(r) = 0.5 * std::sqrt(k.alpha(r) / double(4 * L)) * g.waves.amplitude.segment(r * L, L).sum();
    dtheta.segment(R + r * D, D) = dOmega1.colwise().sum();
    dtheta.segment(R + (R + r) * D, D) = dOmega2.colwise().sum();
    dtheta.segment(R + (2 * R + r) * D, D) = dlog_w + dlog_decay;
    // dlog sqrt(rho) / dlogit rho = (1 - rho) / 2,  dlog sqrt(1 - rho) / dlogit rho = -rho / 2
    dtheta(R + 3 * R * D + r) = 0.5 * ((1 - k.rho(r)) * dlog_w.sum() - k.rho(r) * dlog_decay.sum());
  }
  return dtheta;
}

template struct BivariateSmFeatures<double>;
template struct BivariateSmFeatures<float>;

}  // namespace bochner
