#include "bochner/features/polynomial_features.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "bochner/core/errors.hpp"
#include "check_blocks.hpp"

namespace bochner {
namespace {

constexpr double most_features = 1e5;

double choose(Index n, Index k) {
  double c = 1;
  for (Index i = 1; i <= k; ++i) c *= double(n - k + i) / double(i);
  return c;
}

}  // namespace

PolynomialGradient& PolynomialGradient::operator+=(const PolynomialGradient& other) {
  dlog_weight += other.dlog_weight;
  dlog_offset += other.dlog_offset;
  return *this;
}

template <class T>
PolynomialFeatures<T> PolynomialFeatures<T>::from(const Polynomial& kernel) {
  const int D = int(kernel.weight.size()), p = kernel.degree;
  const double count = std::round(choose(D + p, p));
  if (!(count <= most_features))
    throw InputError("a polynomial of degree " + std::to_string(p) + " in " + std::to_string(D) +
                     " columns has over 100000 features; use the kernel itself, or fewer columns");
  PolynomialFeatures out{kernel.weight.array().log().matrix().template cast<T>(), T(std::log(kernel.offset)),
                         MatrixT<int>(Index(count), p), VectorT<T>(Index(count))};
  std::vector<int> i(static_cast<std::size_t>(p), 0);
  for (Index f = 0; f < out.count(); ++f) {
    double c = 1;  // p! / prod of factorials: one factor per place over the length of its run so far
    for (int place = 0, run = 0; place < p; ++place) {
      const auto at = static_cast<std::size_t>(place);
      run = place > 0 && i[at] == i[at - 1] ? run + 1 : 1;
      c *= double(place + 1) / run;
      out.entries(f, place) = i[at];
    }
    out.coefficient(f) = T(std::sqrt(c));
    for (int place = p - 1; place >= 0; --place)  // the next multiset
      if (i[static_cast<std::size_t>(place)] < D) {
        const int next = i[static_cast<std::size_t>(place)] + 1;
        std::fill(i.begin() + place, i.end(), next);
        break;
      }
  }
  return out;
}

template <class T>
MatrixT<T> PolynomialFeatures<T>::inputs(MatrixInT<T> X) const {
  MatrixT<T> Z(X.rows(), X.cols() + 1);
  Z.col(0).setConstant(std::exp(T(0.5) * log_offset));
  const VectorT<T> root = (T(0.5) * log_weight.array()).exp();
  Z.rightCols(X.cols()) = X * root.asDiagonal();
  return Z;
}

template <class T>
void PolynomialFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("PolynomialFeatures::fill", *this, X, Phi);
  const MatrixT<T> Z = inputs(X);
  for (Index n = 0; n < X.rows(); ++n)
    for (Index f = 0; f < count(); ++f) {
      T product = coefficient(f);
      for (Index place = 0; place < entries.cols(); ++place) product *= Z(n, entries(f, place));
      Phi(n, f) = product;
    }
}

template <class T>
void PolynomialFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                                 Gradient& g) const {
  check_pull<T>("PolynomialFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  const MatrixT<T> Z = inputs(X);
  const VectorT<T> root = (T(0.5) * log_weight.array()).exp();
  VectorT<T> dz(Z.cols());
  for (Index n = 0; n < X.rows(); ++n) {
    dz.setZero();
    for (Index f = 0; f < count(); ++f) {
      const T scale = coefficient(f) * dL_dPhi(n, f);
      for (Index place = 0; place < entries.cols(); ++place) {
        T others = scale;  // no division: entries may be zero
        for (Index other = 0; other < entries.cols(); ++other)
          if (other != place) others *= Z(n, entries(f, other));
        dz(entries(f, place)) += others;
      }
    }
    for (Index d = 0; d < X.cols(); ++d) {
      dL_dX(n, d) += dz(d + 1) * root(d);
      g.dlog_weight(d) += 0.5 * double(dz(d + 1)) * double(Z(n, d + 1));  // dz/dlog w = z / 2
    }
    g.dlog_offset += 0.5 * double(dz(0)) * double(Z(n, 0));
  }
}

template struct PolynomialFeatures<double>;
template struct PolynomialFeatures<float>;

}  // namespace bochner
