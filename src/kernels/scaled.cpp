#include "bochner/kernels/scaled.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

const AnyKernel& inner_of(const Scaled& k) {
  check_size("Scaled", "number of inner kernels", static_cast<Index>(k.inner.size()), "the one it scales", 1);
  return k.inner.front();
}

}  // namespace

Index Scaled::input_dims() const { return bochner::input_dims(inner_of(*this)); }
Index Scaled::parameter_count() const { return 1 + bochner::parameter_count(inner_of(*this)); }

std::vector<std::string> Scaled::parameter_names() const {
  std::vector<std::string> names = {"log scale"};
  for (const std::string& name : bochner::parameter_names(inner_of(*this))) names.push_back(name);
  return names;
}

Vector Scaled::parameters() const {
  Vector theta(parameter_count());
  theta << std::log(scale), bochner::parameters(inner_of(*this));
  return theta;
}

Scaled Scaled::with_parameters(VectorIn theta) const {
  check_size("Scaled::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.inner = {bochner::with_parameters(inner_of(*this), theta.tail(theta.size() - 1))},
          .scale = std::exp(theta(0))};
}

double Scaled::operator()(VectorIn x, VectorIn y) const { return scale * evaluate(inner_of(*this), x, y); }

Vector Scaled::gradient(VectorIn x, VectorIn y) const {
  Vector g(parameter_count());
  g << (*this)(x, y), scale * bochner::gradient(inner_of(*this), x, y);
  return g;
}

Vector Scaled::input_gradient(VectorIn x, VectorIn y) const {
  return scale * bochner::input_gradient(inner_of(*this), x, y);
}

void Scaled::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  bochner::gram_block(inner_of(*this), X, Z, K);
  K *= scale;
}

void Scaled::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  adjoint.dtheta(0) += K.cwiseProduct(dL_dK).sum();
  KernelAdjoint rest{adjoint.dtheta.tail(adjoint.dtheta.size() - 1), adjoint.dX, adjoint.dZ};
  const Matrix inner_K = K / scale, dL_dinner = scale * dL_dK;
  bochner::pull_block(inner_of(*this), X, Z, inner_K, dL_dinner, rest);
}

Vector Scaled::diagonal(MatrixIn X) const { return scale * bochner::diagonal(inner_of(*this), X); }

void Scaled::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  dtheta(0) += diagonal(X).dot(dL_dd);
  bochner::pull_diagonal(inner_of(*this), X, scale * dL_dd, dtheta.tail(dtheta.size() - 1), dX);
}

bool Scaled::has_spectrum() const { return bochner::has_spectrum(inner_of(*this)); }
bool Scaled::has_paired_spectrum() const { return bochner::has_paired_spectrum(inner_of(*this)); }

SpectralNoise Scaled::draw_noise(Index L, Directions directions, Rng& rng) const {
  return bochner::draw_noise(inner_of(*this), L, directions, rng);
}

Frequencies Scaled::frequencies(const SpectralNoise& noise) const {
  Frequencies f = bochner::frequencies(inner_of(*this), noise);
  f.amplitude *= std::sqrt(scale);
  return f;
}

Vector Scaled::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const Frequencies f = frequencies(noise);
  check_adjoint("Scaled::frequencies_pullback", dL, f.count(), f.Omega1.cols(), f.paired());
  Frequencies inner_dL = dL;
  inner_dL.amplitude *= std::sqrt(scale);
  Vector g(parameter_count());
  // amplitude = sqrt(scale) times the inner one: damplitude/dlog scale = amplitude / 2
  g << 0.5 * f.amplitude.dot(dL.amplitude), bochner::frequencies_pullback(inner_of(*this), noise, inner_dL);
  return g;
}

}  // namespace bochner
