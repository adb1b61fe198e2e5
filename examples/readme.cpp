#include <bochner/kernels/make_kernel.hpp>
#include <bochner/models/gp/gp_regression.hpp>
#include <bochner/simulate/gp_draw.hpp>
#include <cstdio>

int main() {
  using namespace bochner;
  const Threads threads(2);
  const Matrix X = Rng(1).normal(150, 2), X_new = Rng(2).normal(5, 2);             // samples in rows
  const Rbf truth{.ell = Vector::Constant(2, 0.8)};
  Matrix Y = draw_functions(truth, X, 3, Rng(3), threads) + 0.1 * Rng(4).normal(150, 3);
  Y(7, 1) = std::nan("");                                                          // not measured: never filled in
  const GpFit fit = GpRegression{make_kernel("matern52", 2, Rng(5))}.fit(X, Y, {}, Rng(6), threads);
  const Predictive p = fit.predict(X_new, threads);
  std::printf("noise %.4f (truth 0.0100), f(x_1) = %.2f +- %.2f\n", fit.noise_variance(), p.mean(0, 0),
              std::sqrt(p.f_variance(0, 0)));
}
