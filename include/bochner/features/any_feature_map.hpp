#pragma once
#include <variant>

#include "bochner/features/bivariate_sm_features.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/features/linear_features.hpp"
#include "bochner/features/network_features.hpp"
#include "bochner/features/nystrom_features.hpp"
#include "bochner/features/polynomial_features.hpp"

namespace bochner {

/// The gradient of an AnyFeatureMap: the alternative of the map it belongs to.
struct AnyFeatureGradient {
  std::variant<Frequencies, LinearGradient, NystromGradient, BivariateSmGradient, PolynomialGradient,
               NetworkGradient>
      value;
  AnyFeatureGradient& operator+=(const AnyFeatureGradient& other);  // both hold the same alternative
};

/// Any feature map, chosen at run time; itself a FeatureMap, so that streams take it as they take the others. One visit
/// per block of rows. Joining the variant is joining the tests of tests/features/every_feature_map_test.cpp.
template <class T>
struct AnyFeatureMapT {
  using Scalar = T;
  using Gradient = AnyFeatureGradient;
  using Variant = std::variant<FourierFeatures<T>, LinearFeatures<T>, NystromFeatures<T>,
                               BivariateSmFeatures<T>, PolynomialFeatures<T>, NetworkFeatures<T>>;

  Variant map;

  Index input_dims() const;
  Index count() const;
  Gradient zero_gradient() const;
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient& g, const Compute& compute) const;
};

using AnyFeatureMap = AnyFeatureMapT<double>;

extern template struct AnyFeatureMapT<double>;
extern template struct AnyFeatureMapT<float>;

}  // namespace bochner
