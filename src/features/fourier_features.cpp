#include "bochner/features/fourier_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "check_blocks.hpp"

namespace bochner {
namespace {

/// angle_j = x'omega_j from Omega transposed (D x J). One order of sums for a row, whatever block it comes in:
/// the pullback must meet the same bits that fill met, or tan(b) blows the difference up.
template <class T, class Row>
void angles(const Row& x, const MatrixT<T>& OmegaT, VectorT<T>& angle) {
  angle = x(0) * OmegaT.row(0).transpose();
  for (Index d = 1; d < OmegaT.rows(); ++d) angle += x(d) * OmegaT.row(d).transpose();
}

/// dL/dc_j by recomputing the waves of one column, for amplitudes so small that Phi / c is meaningless.
template <class T>
double slow_amplitude(const FourierFeatures<T>& f, Index j, MatrixInT<T> X, MatrixInT<T> dL_dPhi) {
  const Index J = f.amplitude.size();
  double sum = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const double a1 = X.row(i).dot(f.Omega1.row(j));
    double c = std::cos(a1), s = std::sin(a1);
    if (f.paired()) {
      const double a2 = X.row(i).dot(f.Omega2.row(j));
      c += std::cos(a2);
      s += std::sin(a2);
    }
    sum += c * double(dL_dPhi(i, j)) + s * double(dL_dPhi(i, J + j));
  }
  return sum;
}

}  // namespace

Frequencies& operator+=(Frequencies& a, const Frequencies& b) {
  a.Omega1 += b.Omega1;
  a.Omega2 += b.Omega2;
  a.amplitude += b.amplitude;
  return a;
}

template <class T>
FourierFeatures<T> FourierFeatures<T>::from(const Frequencies& f) {
  const char* const door = "FourierFeatures::from";
  check_at_least(door, "columns of Omega1", f.Omega1.cols(), 1);
  check_size(door, "size of amplitude", f.amplitude.size(), "rows of Omega1", f.Omega1.rows());
  if (f.paired()) {
    check_size(door, "rows of Omega2", f.Omega2.rows(), "rows of Omega1", f.Omega1.rows());
    check_size(door, "columns of Omega2", f.Omega2.cols(), "columns of Omega1", f.Omega1.cols());
  }
  return {f.Omega1.cast<T>(), f.Omega2.cast<T>(), f.amplitude.cast<T>()};
}

template <class T>
Frequencies FourierFeatures<T>::zero_gradient() const {
  return {Matrix::Zero(Omega1.rows(), Omega1.cols()), Matrix::Zero(Omega2.rows(), Omega2.cols()),
          Vector::Zero(amplitude.size())};
}

template <class T>
void FourierFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("FourierFeatures::fill", *this, X, Phi);
  const Index J = amplitude.size();
  auto A = Phi.leftCols(J);
  if (!paired()) {
    A.noalias() = X * Omega1.transpose();
    for (Index i = 0; i < X.rows(); ++i) {
      T* row = Phi.row(i).data();
      sincos(row, row + J, row, J);
      A.row(i).array() *= amplitude.transpose().array();
      Phi.row(i).tail(J).array() *= amplitude.transpose().array();
    }
    return;
  }
  A.noalias() = X * (T(0.5) * (Omega1 + Omega2)).transpose();
  const MatrixT<T> HalfT = (T(0.5) * (Omega1 - Omega2)).transpose();
  VectorT<T> sine(J), cosine(J);
  for (Index i = 0; i < X.rows(); ++i) {
    T* row = Phi.row(i).data();
    sincos(row, row + J, row, J);
    angles(X.row(i), HalfT, cosine);
    sincos(cosine.data(), sine.data(), cosine.data(), J);
    cosine.array() *= T(2) * amplitude.array();
    A.row(i).array() *= cosine.transpose().array();
    Phi.row(i).tail(J).array() *= cosine.transpose().array();
  }
}

template <class T>
void FourierFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                              Gradient& g) const {
  check_pull<T>("FourierFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  const Index J = amplitude.size(), D = input_dims(), n = X.rows();
  const Index step = std::clamp<Index>(32768 / std::max<Index>(J, 1), 8, 256);  // rows whose dA stay in cache
  const MatrixT<T> Mean = paired() ? MatrixT<T>(T(0.5) * (Omega1 + Omega2)) : Omega1;
  const MatrixT<T> Half = paired() ? MatrixT<T>(T(0.5) * (Omega1 - Omega2)) : MatrixT<T>();
  const MatrixT<T> HalfT = Half.transpose();
  MatrixT<T> dA(step, J), dB(paired() ? step : 0, J);  // adjoints of the angles a and b
  MatrixT<T> dMean = MatrixT<T>::Zero(J, D), dHalf = MatrixT<T>::Zero(Half.rows(), D);
  VectorT<T> power(J), sine(J), cosine(J), total = VectorT<T>::Zero(J);
  for (Index begin = 0; begin < n; begin += step) {
    const Index size = std::min(step, n - begin);
    for (Index k = 0; k < size; ++k) {
      const Index i = begin + k;
      const auto phi_c = Phi.row(i).head(J).array(), phi_s = Phi.row(i).tail(J).array();
      const auto d_c = dL_dPhi.row(i).head(J).array(), d_s = dL_dPhi.row(i).tail(J).array();
      dA.row(k).array() = d_s * phi_c - d_c * phi_s;
      power = (d_c * phi_c + d_s * phi_s).transpose();  // c dL/dc of this row
      total += power;
      if (paired()) {
        angles(X.row(i), HalfT, cosine);
        sincos(cosine.data(), sine.data(), cosine.data(), J);
        dB.row(k).array() = (-power.array() * sine.array() / cosine.array()).transpose();
      }
    }
    const auto x = X.middleRows(begin, size);
    dL_dX.middleRows(begin, size).noalias() += dA.topRows(size) * Mean;
    dMean.noalias() += dA.topRows(size).transpose() * x;
    if (paired()) {
      dL_dX.middleRows(begin, size).noalias() += dB.topRows(size) * Half;
      dHalf.noalias() += dB.topRows(size).transpose() * x;
    }
  }
  if (paired()) {
    g.Omega1 += (T(0.5) * (dMean + dHalf)).template cast<double>();
    g.Omega2 += (T(0.5) * (dMean - dHalf)).template cast<double>();
  } else {
    g.Omega1 += dMean.template cast<double>();
  }
  const T least = std::sqrt(std::numeric_limits<T>::min());
  for (Index j = 0; j < J; ++j)
    g.amplitude(j) += std::abs(amplitude(j)) > least ? double(total(j)) / double(amplitude(j))
                                                     : slow_amplitude<T>(*this, j, X, dL_dPhi);
}

template struct FourierFeatures<double>;
template struct FourierFeatures<float>;

}  // namespace bochner
