#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/models/gplvm/options.hpp"
#include "bochner/models/latent/options_by_view.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

struct GplvmProgress {
  const GplvmStep& step;
  /// Everything that the fit carries from one step to the next, made when called: save it, load it, resume from it, and
  /// the result has the bytes of a fit that was never interrupted. It resumes from the beginning if the first guesses
  /// were cut short.
  std::function<ModelGroup()> checkpoint;
  std::function<Matrix()> latents;  // posterior means as they are now (N x Q), made when called
};

struct GplvmHooks {
  /// After each step; false ends the learning, not the fit.
  std::function<bool(const GplvmProgress&)> on_step{};
  /// Asked while first guesses are tried; false ends that.
  std::function<bool()> keep_going{};
  /// A checkpoint to resume from.
  const ModelGroup* resume = nullptr;
  /// Latents to begin with (N x Q), one more first guess. A resumed fit needs the same.
  const Matrix* begin = nullptr;
};

/// Fits the variational multi-view latent variable model [li2024], [yang2025]: views Y_v = f_v(X) + noise with a
/// Gaussian process per column, one latent X shared by all views,
///
///   ELBO = E_q(X) sum_v log p(Y_v | X) - KL(q(X) || N(0, I)),   q(x_n) = N(mean_n, diag(sd_n)^2)
///
/// maximised by Adam over q(X), all kernel parameters and the noise variances, one draw of X (and of the frequencies)
/// each step. Missing entries are left out (evidence/bounded_evidence.hpp), never filled with zeros. Deterministic given the
/// seed, whatever the number of threads.
GplvmFit fit_gplvm(const Dataset& data, const GplvmOptions& options, std::uint64_t seed,
                   const Compute& compute, const GplvmHooks& hooks = {});

}  // namespace bochner
