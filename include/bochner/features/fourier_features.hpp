#pragma once
#include "bochner/features/feature_map.hpp"
#include "bochner/kernels/frequencies.hpp"

namespace bochner {

/// Random Fourier features of J frequencies [rahimi2007], F = 2 J: first all cosines, then all sines,
///
///   Phi = [c o cos(X Omega1'), c o sin(X Omega1')]                                     one frequency each
///   Phi = [c o (cos X Omega1' + cos X Omega2'), c o (sin X Omega1' + sin X Omega2')]   pairs [yang2025, Thm. 2]
///
/// The mixture stack of [li2024, Prop. 4.2], orthogonal and non-stationary features are this map with other
/// frequencies: see kernels/frequencies.hpp and the frequencies() of each kernel.
///
/// The pullback needs no trigonometry in the first case: d(c cos a) = -(c sin a) da, and both are in Phi.
/// Pairs are computed as 2 c cos(b) [cos a, sin a] with a, b half the sum and half the difference of the two
/// angles: d/da is again in Phi, d/db = -tan(b) Phi, and only b is computed anew.
template <class T>
struct FourierFeatures {
  using Scalar = T;
  using Gradient = Frequencies;  // dL/dOmega1, dL/dOmega2, dL/damplitude: what frequencies_pullback() takes

  MatrixT<T> Omega1;     // J x D angular frequencies
  MatrixT<T> Omega2;     // J x D, or no rows
  VectorT<T> amplitude;  // J, c

  static FourierFeatures from(const Frequencies& frequencies);
  bool paired() const { return Omega2.rows() > 0; }
  Index input_dims() const { return Omega1.cols(); }
  Index count() const { return 2 * Omega1.rows(); }

  Gradient zero_gradient() const;
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient&, const Compute&) const {}
};

Frequencies& operator+=(Frequencies& a, const Frequencies& b);

extern template struct FourierFeatures<double>;
extern template struct FourierFeatures<float>;

}  // namespace bochner
