#include <bochner/models/harmonic/fit.hpp>
#include <cmath>
#include <cstdio>

double f(double a, double b, double c) { return std::sin(3 * a) + b * b + 0.3 * std::cos(2 * b + c); }

int main() {
  using namespace bochner;
  const Threads threads(2);

  // A function of three inputs, mostly even in the second; 2,000 noisy rows.
  const Index N = 2000;
  const Matrix X = Rng(1).normal(N, 3), noise = Rng(2).normal(N, 1);
  Matrix Y(N, 1);
  for (Index n = 0; n < N; ++n) Y(n, 0) = f(X(n, 0), X(n, 1), X(n, 2)) + 0.1 * noise(n, 0);

  const HarmonicFit fit =
      fit_harmonic(memory_rows(X, Y), {.inputs = {"a", "b", "c"}, .outcomes = {"y"}},
                   {.symmetries = {"negate:pca:2"}, .inducing = 60, .steps = 300}, 1, threads);

  const Matrix x{{0.5, -0.2, 0.1}};
  const HarmonicPrediction p = predict(fit, x, threads);
  std::printf("%ld groups of %ld inducing points; f(x) = %.2f +- %.2f, in truth %.2f\n",
              long(fit.gp.groups()), long(fit.gp.inducing()), p.f.mean(0, 0), std::sqrt(p.f.variance(0, 0)),
              f(0.5, -0.2, 0.1));
  double sum = fit.outputs.centre(0);  // the mean of the outcomes is in none of the parts
  for (const LatentMarginals& part : predict_parts(fit, x, threads)) sum += part.mean(0, 0);
  std::printf("its parts add up to %.2f\n", sum);
}
