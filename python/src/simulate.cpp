#include "bochner/kernels/make_kernel.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "bochner/simulate/lorenz.hpp"
#include "bochner/simulate/regression.hpp"
#include "bochner/simulate/sum_of_sines.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "threads.hpp"

namespace bochner::python {

namespace {

/// Name, columns, kernel ("rbf" or "gibbs"), emission.
using ViewWords = std::tuple<std::string, Index, std::string, std::string>;

Emission emission_of(const std::string& word) {
  if (word == "gaussian") return GaussianEmission{};
  if (word == "poisson") return PoissonEmission{};
  if (word == "negbinom") return NegativeBinomialEmission{};
  throw std::invalid_argument("likelihood is '" + word + "', but must be gaussian, poisson or negbinom");
}

using Truth = std::tuple<std::vector<MatrixResult>, std::vector<MatrixResult>, MatrixResult, VectorResult>;

/// Tables with missing values, tables without, latents, positions.
Truth results(Simulated s) {
  std::vector<MatrixResult> tables, whole;
  for (Index v = 0; v < s.data.view_count(); ++v) {
    tables.push_back(to_numpy(s.data.view(v).Y));
    whole.push_back(to_numpy(std::move(s.truth[static_cast<std::size_t>(v)].Y)));
  }
  return {tables, whole, to_numpy(std::move(s.X)), to_numpy(std::move(s.t))};
}

Truth s_curve_views(Index rows, const std::vector<ViewWords>& views, double absent, double missing,
                    std::uint64_t seed, int threads) {
  SCurveViews recipe{.curve = {.N = rows}, .views = {}, .missing = {absent, missing}};
  for (const auto& [name, columns, kernel, likelihood] : views) {
    if (kernel != "rbf" && kernel != "gibbs")
      throw std::invalid_argument("kernel is '" + kernel + "', but must be rbf or gibbs");
    ViewRecipe own{.name = name, .M = columns, .emission = emission_of(likelihood)};
    if (kernel == "gibbs") own.kernel = rbf_and_gibbs_views(columns).back().kernel;
    recipe.views.push_back(std::move(own));
  }
  return results(without_lock([&] { return simulate_views(recipe, Rng(seed), make_threads(threads)); }));
}

}  // namespace

void add_simulate(nb::module_& m) {
  m.def("simulate_s_curve", &s_curve_views, nb::arg("rows"), nb::arg("views"), nb::arg("absent"),
        nb::arg("missing"), nb::arg("seed"), nb::arg("threads"));
  m.def(
      "simulate_lorenz",
      [](Index rows, Index columns, double noise, double missing, std::uint64_t seed) {
        return results(simulate_lorenz(
            Rng(seed), {.N = rows, .M = columns, .noise_variance = noise, .missing = {0, missing}}));
      },
      nb::arg("rows"), nb::arg("columns"), nb::arg("noise"), nb::arg("missing"), nb::arg("seed"));
  m.def(
      "simulate_regression",
      [](Index rows, Index inputs, Index outputs, const std::string& kernel, double noise, std::uint64_t seed,
         int threads) {
        SimulatedRegression s =
            simulate_regression(make_kernel(kernel, inputs, Rng(seed).split("kernel")),
                                {.N = rows, .D = inputs, .P = outputs, .noise_variance = noise}, Rng(seed),
                                make_threads(threads));
        return std::tuple(to_numpy(std::move(s.X)), to_numpy(std::move(s.Y)), to_numpy(std::move(s.F)));
      },
      nb::arg("rows"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("kernel"), nb::arg("noise"),
      nb::arg("seed"), nb::arg("threads"));
  m.def(
      "sum_of_sines",
      [](Index rows, double step) {
        Series s = sum_of_sines({.N = rows, .step = step});
        return std::pair(to_numpy(std::move(s.t)), to_numpy(std::move(s.y)));
      },
      nb::arg("rows"), nb::arg("step"));
}

}  // namespace bochner::python
