#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/input_encoding.hpp"
#include "bochner/data/row_source.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/models/harmonic/gp.hpp"
#include "bochner/models/harmonic/layer_plan.hpp"
#include "bochner/store/model_file.hpp"
#include "bochner/symmetry/input_map.hpp"

namespace bochner {

struct HarmonicFitOptions {
  std::string kernel = "matern32";  // what make_kernel understands
  /// A length-scale for each input column, or one for all. Not told: each column its own where the symmetries allow that, but
  /// one for all pixels of windows and for tables of more than 100 columns.
  std::optional<bool> ard{};
  double lengthscale = 0;               // where it starts; 0: the median distance
  std::string likelihood = "gaussian";  // what make_likelihood understands
  double degrees = 4;                   // of freedom, of Student's t
  double noise = 0.1;                   // where the noise variance starts, outcomes standardised
  /// With gaussian noise: after f, the log of the noise variance as a second function of the inputs; kept if validation rows
  /// agree. Both together are the likelihood heteroscedastic.
  bool noise_by_inputs = false;
  bool calibrate = true;                  // HarmonicCalibration
  std::vector<std::string> symmetries{};  // models/symmetry_spec.hpp; "auto" compares some
  std::vector<Circle> circles{};
  std::vector<Sphere> spheres{};
  InputScaling scaling = InputScaling::automatic;
  std::vector<std::string> layers{};  // models/harmonic/layer_plan.hpp; none: one GP
  std::string image{};  // the shape of a row for layers that look at images, "28x28" or "32x32x3"

  Index inducing = 0;  // m, for each group of harmonics; 0: with_effort
  std::vector<Index>
      hidden_inducing{};           // of hidden layers, from the inputs up; the same m where there is none
  bool shared_inducing = false;    // one set for all groups
  bool shared_covariance = false;  // of q(u), for all outcomes or classes
  bool learn_kernel = true, learn_inducing = true;
  double jitter = 1e-8;

  Index steps = 0, batch = 512;  // 0 steps: with_effort
  double minutes = 3;            // on two usual cores, which inducing points and steps are chosen for
  double step_size = 0;          // of Adam; 0: 0.02, with hidden layers 0.01
  double natural_step = 0.2;     // of natural gradients on q(u), at most; 0: Adam on q(u) as well
  double validation = 0.1;       // share of the rows to stop by, at most 10,000 of them; 0: none
  Index check_every = 100,
        patience = 5;       // steps between checks, and checks without progress before it stops
  double row_memory = 1e9;  // bytes of rows kept in memory; a longer source is read in random windows
  Index draws = 20;         // of hidden layers for a prediction
};

/// One step, as the trace keeps it: every check, and the last one.
struct HarmonicStep {
  Index step = 0;
  double bound = 0;       // nats per row, smoothed
  double validation = 0;  // mean log predictive density per row of the validation rows, NaN without them
};

/// How well inducing points do under some symmetries: the share of the prior variance that they miss [sun2021, Eq. 24].
struct SymmetryScore {
  std::vector<std::string> words;
  Index groups = 1;
  double missed = 0;
};

/// How sure predictions are, as the validation rows want it, with those that the model learned from in small tables
/// (src/models/harmonic/answers/calibrate.hpp, left_out.hpp): one number for the classes,
/// and for each outcome with noise a factor of its variance, which the likelihood already has, and what the inputs do not tell
/// of that variance. Rows to judge by have no part in it.
struct HarmonicCalibration {
  double temperature = 1;  // that latent functions of classes are divided by
  Vector noise{};          // P; none: not calibrated
  Vector spread{};         // P, sd of the log noise variance at each row, beside that of the latent function
};

/// The immutable result of fit_harmonic: all that predictions need, no training data but the inducing points.
struct HarmonicFit {
  HarmonicGp gp;  // in scaled units
  InputMap inputs;
  Scaling outputs;                        // identity unless outcomes are numbers with noise
  std::vector<std::string> outcomes;      // names of the columns of Y
  std::vector<std::string> classes{};     // of a likelihood of classes, in the order of their numbers
  std::vector<std::string> symmetries{};  // as resolved
  std::vector<SymmetryScore> compared{};  // when they were chosen by comparison

  Index rows = 0, steps = 0;  // learned from, and taken
  double bound = 0;           // nats per row, smoothed, at the last step
  Status status = Status::iteration_limit;
  std::vector<HarmonicStep> trace{};
  std::vector<std::string> notes{};  // what the user should know
  HarmonicFitOptions options{};
  std::uint64_t seed = 0;
  /// From the table of the user to the columns of `inputs`; no columns where they are the same.
  InputEncoding encoding{};
  HarmonicCalibration calibration{};

  /// Names of the columns of the user's table.
  std::vector<std::string> table_columns() const;
};

struct HarmonicProgress {
  Index step = 0;
  double bound = 0;  // nats per row, smoothed
  /// Everything that the fit carries from one step to the next, made when called: resuming from it gives the bytes of a
  /// fit that was never interrupted.
  std::function<ModelGroup()> checkpoint;
};

struct HarmonicHooks {
  std::function<bool(const HarmonicProgress&)>
      on_step{};                       // after each step; false ends the learning, not the fit
  const ModelGroup* resume = nullptr;  // a checkpoint to resume from
};

/// Names that go with the rows.
struct HarmonicNames {
  std::vector<std::string> inputs, outcomes;
  std::vector<std::string> classes{};  // of a likelihood of classes: Y holds their numbers from 0
  InputEncoding encoding{};            // that X has been through; `inputs` are its names then
  Vector
      weights{};  // of the rows, not negative; they multiply expected log densities, divided by their mean. None: 1 each
};

/// Regression (gaussian, heteroscedastic, student, poisson, negbinom) and classification (bernoulli, softmax, robustmax) with harmonic variational GPs
/// [sun2021]: mini-batches, Adam on kernel, likelihood and inducing points, natural gradients on q(u). Reads `data` once for
/// its scale, then in batches. X must be measured throughout, Y may have missing values. Deterministic given the seed, whatever the
/// number of threads.
HarmonicFit fit_harmonic(const RowSource& data, const HarmonicNames& names, const HarmonicFitOptions& options,
                         std::uint64_t seed, const Compute& compute, const HarmonicHooks& hooks = {});

/// What a fit says about rows of a table, in the units of the table. With hidden layers, moments and probabilities of a mixture over
/// `draws` draws of them, the same for every row: a row does not depend on the others.
struct HarmonicPrediction {
  LatentMarginals f;                     // of the latent functions, N x P; of counts the log of their rate
  Outcome y;                             // mean and variance of the outcome; empty for classes
  Matrix probabilities;                  // N x K of classes, N x P of y = 1 for bernoulli; empty for numbers
  std::vector<LatentMarginals> draws{};  // f for each draw of the hidden layers, in the units of the model
};
HarmonicPrediction predict(const HarmonicFit& fit, MatrixIn X, const Compute& compute);

/// q(f) at rows of X in the units of the model: a mixture of equal parts, one without hidden layers.
std::vector<LatentMarginals> latent_draws(const HarmonicFit& fit, MatrixIn X, const Compute& compute);

/// What each group of harmonics adds to f, in the units of the table. The mean of the outcomes is in none of them. Of a deep
/// GP these are the groups of the last layer, averaged over draws of the others; their variances then no longer add up.
std::vector<LatentMarginals> predict_parts(const HarmonicFit& fit, MatrixIn X, const Compute& compute);

/// log p(y | x, data) of each entry in the units of the table, N x columns of Y; NaN where Y is.
Matrix log_density(const HarmonicFit& fit, MatrixIn X, MatrixIn Y, const Compute& compute);

/// Compares symmetries by what m inducing points for each group miss of the prior variance on rows of X; those that the
/// kernel does not have, or would lose by learning, are left out.
std::vector<SymmetryScore> compare_symmetries(const AnyKernel& kernel, MatrixIn X,
                                              const std::vector<std::string>& columns, Index m, bool ard,
                                              const Rng& rng, const Compute& compute);

/// The options with their inducing points and steps as numbers, for a table of `rows` rows to learn from and to validate by:
/// as many points as still leave time for 2,000 to 3,000 steps (at most 500, or a twentieth of the rows up to 1,000, and no more
/// than there are rows), then the steps that `minutes` has time for by the operations of a step, at most 50 passes over the rows or
/// 2,000 steps. Neither looks at a clock, so that results do not depend on the machine.
HarmonicFitOptions with_effort(const HarmonicFitOptions& options, Index rows, Index inputs, Index latents,
                               Index groups);

/// Groups that `auto` may choose, at most.
inline constexpr Index most_compared_groups = 8;

/// Groups of harmonics that the last layer has at most, by the symmetries of `options`, which are not "auto"; `columns` and X
/// as for make_symmetries. InputError for symmetries that a layer cannot have.
Index harmonic_groups(const HarmonicFitOptions& options, const std::vector<std::string>& columns, MatrixIn X);

/// Bytes that a fit needs at its largest, roughly; inducing points and steps are numbers.
double harmonic_memory(Index rows, Index inputs, Index latents, Index groups,
                       const HarmonicFitOptions& options);

/// What the layers of `options` ask of the table: InputError where they are none, or where images have other than `inputs` pixels.
void check_layers(const HarmonicFitOptions& options, Index inputs);

}  // namespace bochner
