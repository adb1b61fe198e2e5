#include <bochner/evidence/kernel_evidence.hpp>
#include <bochner/kernels/gram.hpp>
#include <bochner/kernels/rbf.hpp>
#include <bochner/random/rng.hpp>
#include <cstdio>

int main() {
  const bochner::Threads threads(2);
  const bochner::Matrix X = bochner::Rng(1).normal(50, 2), Y = bochner::Rng(2).normal(50, 3);
  const bochner::Rbf kernel{.ell = bochner::Vector::Constant(2, 0.7)};
  const auto evidence = bochner::kernel_evidence(
      bochner::gram(kernel, X, threads), bochner::Observations<double>(Y, threads), 0.5, true, threads);
  std::printf("log evidence %.6f\n", evidence.value);
  return evidence.value < 0 ? 0 : 1;
}
