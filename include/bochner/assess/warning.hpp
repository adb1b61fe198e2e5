#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

enum class Severity {
  error,   // do not trust the fit
  warning  // worth knowing
};

/// What to change. How an option is called is the business of whoever prints it: `--steps` on the command line, `max_iter`
/// in Python.
enum class Remedy {
  none,
  more_steps,             // of the optimiser
  smaller_step_size,      // of the optimiser
  more_restarts,          // of the optimiser
  estimate_noise,         // instead of fixing it
  smaller_noise_start,    // of the optimiser
  fewer_dims,             // Warning::suggested says how many
  more_dims,              //
  more_draws,             // of the chains
  more_warmup_and_draws,  // of the chains
  shorter_forecast,       // or fewer dimensions, or a rougher path
  negbinom_likelihood,    // for counts that scatter more than Poisson counts
  hold_out_entries,       // nothing was held out to judge by
  hold_out_rows,          // nothing was held out to judge by
  hold_out_samples,       // nothing was held out to judge by
  more_held_out_rows,     // too few were
  backtest,               // nothing was forecast again to judge by
  tune                    // the choices of a forecast
};

/// A reason to doubt a fit, or to look twice.
struct Warning {
  enum class Kind {
    stopped,            // by the user
    not_settled,        // the bound was still rising at the last step
    not_finite,         // the optimiser ended at numbers that are not finite
    homogeneous,        // all latent dimensions collapsed
    collapsed,          // some did
    noise_too_large,    // it was fixed, or began, so that dimensions collapse
    noise_too_small,    // it was fixed so that the latents fit noise
    duplicated,         // dimensions that say the same
    no_better,          // than a constant prediction, on held-out data
    linear_better,      // PCA with as many components is
    neighbours_better,  // the nearest samples are
    coverage,           // 90 % intervals do not hold 90 %
    absent_view,        // a view that a sample lacks is predicted no better than by its column means
    starts_differ,      // the best two starts of the optimiser ended at different bounds
    few_samples,        // fewer than ten for each dimension
    jitter,             // a factorisation needed help
    not_mixed,          // chains do not agree, or have moved too little
    wild_forecast,      // far beyond anything observed
    poor_forecast,      // no better than the simplest
    no_variation,       // held-out rows are all the same
    tuned_on_folds,     // scores are of the stretches that options were chosen by
    not_judged          // nothing was held out
  };
  Kind kind;
  Severity severity = Severity::warning;
  std::string
      message;  // a clause about the fit, "its 90 % intervals hold 71.2 % of view 'rna'"; names no option
  Remedy remedy = Remedy::none;
  Index suggested = 0;  // a number that goes with the remedy
};

/// The name of the enumerator: "more_steps", "not_settled".
const char* to_string(Remedy remedy);
const char* to_string(Warning::Kind kind);

/// Whether the kind says that an optimiser or a sampler has not converged.
bool is_convergence(Warning::Kind kind);

/// What a front end says about a remedy, an imperative: "increase --steps"; empty for none.
using RemedyText = std::function<std::string(const Warning&)>;

/// For readers of the C++ interface: "increase the number of steps".
std::string general_remedy(const Warning& warning);

/// "dimension 2 is unused; 1 dimension suffices (use --dims 1)"
std::string with_remedy(const Warning& warning, const RemedyText& remedy);

}  // namespace bochner
