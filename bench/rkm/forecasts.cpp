// Sum of sines and Santa Fe laser [achten2023, Sec. 5].

#include <cmath>
#include <cstdio>

#include "bochner/assess/series_baselines.hpp"
#include "bochner/models/forecast/forecast.hpp"
#include "bochner/simulate/sum_of_sines.hpp"
#include "bochner/tables/read_table.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

double mse(const Matrix& a, const Matrix& b) { return (a - b).squaredNorm() / double(a.size()); }

constexpr KpcaSolver solvers[] = {KpcaSolver::primal, KpcaSolver::dual, KpcaSolver::primal_stiefel,
                                  KpcaSolver::dual_stiefel};
constexpr const char* names[] = {"primal", "dual", "primal, Stiefel", "dual, Stiefel"};

}  // namespace

void sines(const Settings& s) {
  const Vector y = sum_of_sines().y;
  const SeriesTable train{y.head(400), Matrix(400, 0)};
  const Matrix test = y.tail(100);
  std::puts(
      "                 eigenvalues                                components  forecast   MSE        steps");
  ForecastFit first;
  Matrix reference;
  for (int i = 0; i < 4; ++i) {
    const ForecastFit fit = fit_forecast(train,
                                         {.lags = 40,
                                          .dims = 4,
                                          .kernel = "linear",
                                          .solver = solvers[i],
                                          .preimage = Preimage::identity,
                                          .validation = 0},
                                         0, s.threads);
    const Matrix f = forecast(fit, 100, Matrix(100, 0), {}, s.threads).mean;
    if (i == 0) first = fit, reference = f;
    Matrix H = fit.model.H;  // up to signs
    for (Index j = 0; j < H.cols(); ++j)
      if (H.col(j).dot(first.model.H.col(j)) < 0) H.col(j) *= -1;
    const Vector& l = fit.model.lambda;
    std::printf("%-16s %9.4f %9.4f %8.4f %8.4f   %8.1e    %8.1e   %8.1e  %5ld\n", names[i], l(0), l(1), l(2),
                l(3), (H - first.model.H).cwiseAbs().maxCoeff(), (f - reference).cwiseAbs().maxCoeff(),
                mse(f, test), long(fit.model.steps));
  }
}

void laser(const Settings& s) {
  const std::string file = s.data + "/santafe_laser.npz";
  const Matrix y = read_table(file + ":train").values, test = read_table(file + ":test").values;
  const SeriesTable train{y, Matrix(y.rows(), 0)};
  const Matrix none(100, 0);
  const auto ahead = [&](const ForecastOptions& o, ForecastFit* keep = nullptr) {
    const ForecastFit fit = fit_forecast(train, o, 0, s.threads);
    if (keep) *keep = fit;
    return forecast(fit, 100, none, {}, s.threads).mean;
  };
  std::puts("100 steps                                   MSE");
  const ForecastOptions paper{
      .lags = 70, .dims = 144, .lengthscale = 2.1856, .preimage = Preimage::identity, .validation = 0};
  ForecastFit fit;
  const Matrix exact = ahead(paper, &fit);
  std::printf("exact dual, 70 lags, 144 components    %8.2f   eigenvalues", mse(exact, test));
  for (int j = 0; j < 5; ++j) std::printf(" %.4f", fit.model.lambda(j));
  std::puts("");
  ForecastOptions random = paper;
  random.features = {.kind = KpcaFeatures::Kind::fourier, .count = 2500};
  random.solver = KpcaSolver::dual;
  const Matrix dual = ahead(random);
  random.solver = KpcaSolver::primal;
  const Matrix primal = ahead(random);
  std::printf("5000 random features, dual             %8.2f\n", mse(dual, test));
  std::printf("the same, primal                       %8.2f   largest difference %.1e\n", mse(primal, test),
              (primal - dual).cwiseAbs().maxCoeff());
  std::printf("seasonal naive                         %8.2f\n", mse(seasonal_naive(y, 0, 100), test));
  std::printf("linear AR, 70 lags                     %8.2f\n", mse(linear_autoregression(y, 70, 100), test));
  const Stopwatch watch;
  const TuningStep best = tune_forecast(train, paper, {.folds = 5, .steps = 100}, 0, s.threads).front();
  std::printf(
      "tuned by backtest in %4.0f s             %8.2f   %ld lags, length-scale %.3f, %ld components\n",
      watch.seconds(), mse(ahead(best.options), test), long(best.options.lags), best.options.lengthscale,
      long(best.options.dims));
}

}  // namespace bochner::bench
