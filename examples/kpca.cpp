#include <bochner/models/forecast/forecast.hpp>
#include <bochner/models/kpca/kpca.hpp>
#include <bochner/simulate/sum_of_sines.hpp>
#include <cstdio>

int main() {
  using namespace bochner;
  const Threads threads(2);

  // Two tables that share two hidden numbers; the last 20 samples lack the second.
  const Matrix x = Rng(1).normal(200, 2);
  const Matrix a = x * Rng(2).normal(2, 6) + 0.1 * Rng(3).normal(200, 6);
  const Matrix b = (x * Rng(4).normal(2, 4)).array().tanh().matrix() + 0.05 * Rng(5).normal(200, 4);
  Matrix seen = b;
  seen.bottomRows(20).setConstant(std::nan(""));
  const Dataset data = join({make_view("a", a), make_view("b", seen)});
  const KpcaFit fit = fit_kpca(data, {.dims = 10}, 1, threads);
  const Matrix guess = predict_from_others(fit, 1, data, threads).bottomRows(20), truth = b.bottomRows(20);
  std::printf("%.0f %% explained; b from a: rmse %.3f, sd of b %.3f\n", 100 * fit.explained().sum(),
              std::sqrt((guess - truth).squaredNorm() / double(truth.size())),
              std::sqrt((truth.rowwise() - truth.colwise().mean()).squaredNorm() / double(truth.size())));

  // A series, 20 times ahead.
  const Vector y = sum_of_sines({.N = 220, .step = 0.02, .frequency = Vector{{1, 3}}}).y;
  const ForecastFit model = fit_forecast({.y = y.head(200), .known = Matrix(200, 0)}, {.lags = 20}, 1, threads);
  const Forecast ahead = forecast(model, 20, Matrix(20, 0), {0.9}, threads);
  std::printf("at step 20: %.3f, 90 %% between %.3f and %.3f, in truth %.3f\n", ahead.mean(19, 0),
              ahead.intervals[0].lower(19, 0), ahead.intervals[0].upper(19, 0), y(219));
}
