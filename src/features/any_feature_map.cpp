#include "bochner/features/any_feature_map.hpp"

namespace bochner {

AnyFeatureGradient& AnyFeatureGradient::operator+=(const AnyFeatureGradient& other) {
  std::visit([&](auto& mine) { mine += std::get<std::decay_t<decltype(mine)>>(other.value); }, value);
  return *this;
}

template <class T>
Index AnyFeatureMapT<T>::input_dims() const {
  return std::visit([](const auto& m) { return m.input_dims(); }, map);
}

template <class T>
Index AnyFeatureMapT<T>::count() const {
  return std::visit([](const auto& m) { return m.count(); }, map);
}

template <class T>
AnyFeatureGradient AnyFeatureMapT<T>::zero_gradient() const {
  return std::visit([](const auto& m) { return AnyFeatureGradient{m.zero_gradient()}; }, map);
}

template <class T>
void AnyFeatureMapT<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  std::visit([&](const auto& m) { m.fill(X, Phi); }, map);
}

template <class T>
void AnyFeatureMapT<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                             Gradient& g) const {
  std::visit(
      [&]<class M>(const M& m) { m.pull(X, Phi, dL_dPhi, dL_dX, std::get<typename M::Gradient>(g.value)); },
      map);
}

template <class T>
void AnyFeatureMapT<T>::complete(Gradient& g, const Compute& compute) const {
  std::visit([&]<class M>(const M& m) { m.complete(std::get<typename M::Gradient>(g.value), compute); }, map);
}

template struct AnyFeatureMapT<double>;
template struct AnyFeatureMapT<float>;

static_assert(FeatureMap<AnyFeatureMap>);

}  // namespace bochner
