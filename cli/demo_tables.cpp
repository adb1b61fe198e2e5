#include "demo_tables.hpp"

#include <fmt/format.h>

#include "bochner/data/dataset.hpp"
#include "bochner/simulate/emissions.hpp"
#include "bochner/simulate/gp_draw.hpp"
#include "bochner/simulate/holes.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> sample_names(const char* prefix, Index n) {
  std::vector<std::string> names;
  for (Index i = 1; i <= n; ++i) names.push_back(fmt::format("{}{:04}", prefix, i));
  return names;
}

}  // namespace

DemoTables make_demo_tables(const DemoSettings& settings, const DemoTruth& truth, const Rng& rng,
                            const Threads& threads) {
  const Index N = settings.samples, N_new = settings.new_samples, D = truth.kernel.input_dims(),
              P = truth.offset.size();
  Rng places = rng.split("inputs");
  const Vector u = places.uniform((N + N_new) * D);
  const Matrix X = 6 * Eigen::Map<const Matrix>(u.data(), N + N_new, D).array() - 3;

  const Matrix F = draw_functions(truth.kernel, X, P, rng.split("functions"), threads).rowwise() +
                   truth.offset.transpose();
  const GaussianEmission noise{.noise_variance = truth.noise_sd * truth.noise_sd};
  const Matrix Y = draw_emission(noise, F, rng.split("noise"));

  const std::vector<std::string> inputs{"x1", "x2"}, targets{"y1", "y2"};
  const std::vector<std::string> ids = sample_names("s", N), new_ids = sample_names("new", N_new);
  const Dataset measured =
      with_holes({{"targets", ids, targets, Y.topRows(N)}}, {.entries = settings.holes}, rng.split("holes"));
  return {.inputs = {ids, inputs, X.topRows(N)},
          .targets = {ids, targets, measured.view(0).Y},
          .new_inputs = {new_ids, inputs, X.bottomRows(N_new)},
          .new_targets = {new_ids, targets, Y.bottomRows(N_new)},
          .new_truth = {new_ids, targets, F.bottomRows(N_new)}};
}

}  // namespace bochner::cli
