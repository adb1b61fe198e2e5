#include <bochner/data/held_out.hpp>
#include <bochner/models/gplvm/assess.hpp>
#include <bochner/models/gplvm/calibrate.hpp>
#include <bochner/models/gplvm/gplvm.hpp>
#include <bochner/simulate/latent_views.hpp>
#include <cstdio>

int main() {
  using namespace bochner;
  const Threads threads(2);
  const Simulated truth =
      simulate_views({.curve = {.N = 100}, .views = {{.name = "rna", .M = 12}}}, Rng(1), threads);

  // Hide 5 % of the measured entries, learn from the rest, make the intervals hold 90 % of what was hidden, and ask whether
  // the fit may be trusted.
  const std::uint64_t seed = 1;
  const std::vector<BoolMatrix> held_out = held_out_masks(truth.data, 0.05, seed);
  const GplvmFit fit =
      calibrated(fit_gplvm(hide(truth.data, held_out), {.view = {.kernel = "rbf"}}, seed, threads), truth.data,
                 held_out, threads);
  const ViewAssessment assessment = assess(fit, truth.data, held_out, threads);

  for (const ViewScores& s : assessment.scores)
    for (const auto& [name, value] : named_scores(s))
      std::printf("%s %s %.3g\n", s.view.c_str(), name.c_str(), value);
  std::printf("verdict: %s\n", assessment.verdict.message().c_str());
  for (const Warning& warning : assessment.verdict.warnings)
    std::printf("%s: %s\n", to_string(warning.kind), warning.message.c_str());
  return assessment.verdict.kind == VerdictKind::doubtful;
}
