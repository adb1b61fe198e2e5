#include "bochner/kernels/any_kernel.hpp"

#include <stdexcept>
#include <type_traits>

namespace bochner {
namespace {

/// f(k) for the alternative k that `any` holds, if its frequencies can be drawn.
template <class F>
auto visit_spectral(const char* function, const AnyKernel& any, const F& f) {
  using Result = std::invoke_result_t<F, const Rbf&>;
  return std::visit(
      [&](const auto& k) -> Result {
        if constexpr (SpectralKernel<std::decay_t<decltype(k)>>) {
          if (has_spectrum(any)) return f(k);
        }
        throw std::invalid_argument(std::string(function) + ": the kernel " + kernel_name(any) +
                                    " has no spectral density to draw frequencies from");
      },
      any);
}

}  // namespace

Index input_dims(const AnyKernel& any) {
  return std::visit([](const auto& k) { return k.input_dims(); }, any);
}

Index parameter_count(const AnyKernel& any) {
  return std::visit([](const auto& k) { return k.parameter_count(); }, any);
}

std::vector<std::string> parameter_names(const AnyKernel& any) {
  return std::visit([](const auto& k) { return k.parameter_names(); }, any);
}

Vector parameters(const AnyKernel& any) {
  return std::visit([](const auto& k) { return k.parameters(); }, any);
}

AnyKernel with_parameters(const AnyKernel& any, VectorIn theta) {
  return std::visit([&](const auto& k) -> AnyKernel { return k.with_parameters(theta); }, any);
}

double evaluate(const AnyKernel& any, VectorIn x, VectorIn y) {
  return std::visit([&](const auto& k) { return k(x, y); }, any);
}

Vector gradient(const AnyKernel& any, VectorIn x, VectorIn y) {
  return std::visit([&](const auto& k) { return k.gradient(x, y); }, any);
}

Vector input_gradient(const AnyKernel& any, VectorIn x, VectorIn y) {
  return std::visit([&](const auto& k) { return k.input_gradient(x, y); }, any);
}

Matrix gram(const AnyKernel& any, MatrixIn X, MatrixIn Z, const Compute& compute) {
  return std::visit([&](const auto& k) { return gram(k, X, Z, compute); }, any);
}

Matrix gram(const AnyKernel& any, MatrixIn X, const Compute& compute) {
  return std::visit([&](const auto& k) { return gram(k, X, compute); }, any);
}

GramPullback gram_pullback(const AnyKernel& any, MatrixIn X, MatrixIn Z, MatrixIn G, MatrixIn dL_dG,
                           const Compute& compute) {
  return std::visit([&](const auto& k) { return gram_pullback(k, X, Z, G, dL_dG, compute); }, any);
}

GramPullback gram_pullback(const AnyKernel& any, MatrixIn X, MatrixIn G, MatrixIn dL_dG,
                           const Compute& compute) {
  return std::visit([&](const auto& k) { return gram_pullback(k, X, G, dL_dG, compute); }, any);
}

void gram_block(const AnyKernel& any, MatrixIn X, MatrixIn Z, MatrixOut K) {
  std::visit([&](const auto& k) { k.gram_block(X, Z, K); }, any);
}

void pull_block(const AnyKernel& any, MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK,
                KernelAdjoint& adjoint) {
  std::visit([&](const auto& k) { k.pull_block(X, Z, K, dL_dK, adjoint); }, any);
}

Vector diagonal(const AnyKernel& any, MatrixIn X) {
  return std::visit([&](const auto& k) { return k.diagonal(X); }, any);
}

void pull_diagonal(const AnyKernel& any, MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) {
  std::visit([&](const auto& k) { k.pull_diagonal(X, dL_dd, dtheta, dX); }, any);
}

bool has_spectrum(const AnyKernel& any) {
  return std::visit(
      [](const auto& k) {
        using K = std::decay_t<decltype(k)>;
        if constexpr (requires { k.has_spectrum(); }) return k.has_spectrum();
        return SpectralKernel<K>;
      },
      any);
}

bool has_paired_spectrum(const AnyKernel& any) {
  return std::visit(
      [](const auto& k) {
        if constexpr (requires { k.has_paired_spectrum(); }) return k.has_paired_spectrum();
        return std::is_same_v<std::decay_t<decltype(k)>, NgSm>;
      },
      any);
}

SpectralNoise draw_noise(const AnyKernel& any, Index L, Directions directions, Rng& rng) {
  return visit_spectral("draw_noise", any, [&](const auto& k) { return k.draw_noise(L, directions, rng); });
}

Frequencies frequencies(const AnyKernel& any, const SpectralNoise& noise) {
  return visit_spectral("frequencies", any, [&](const auto& k) { return k.frequencies(noise); });
}

Vector frequencies_pullback(const AnyKernel& any, const SpectralNoise& noise, const Frequencies& dL) {
  return visit_spectral("frequencies_pullback", any,
                        [&](const auto& k) { return k.frequencies_pullback(noise, dL); });
}

}  // namespace bochner
