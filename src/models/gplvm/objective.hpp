#pragma once
#include <memory>
#include <vector>

#include "bochner/backend/latent_step.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/random/rng.hpp"
#include "device_point.hpp"
#include "view_term.hpp"

namespace bochner {

/// What the optimiser moves, by its meaning.
struct GplvmParameters {
  struct View {
    AnyKernel kernel;
    double noise_variance = 0.5;
    Matrix Z;  // inducing latents, Nystrom only
  };
  LatentPosterior latent;
  std::vector<View> views;
};

/// The bound of the latent variable model at a flat vector
///
///   theta = (mean of q(X) row by row, log sd of q(X), per view: kernel parameters, log noise, Z row by row)
///
///   ELBO = E_q(X) sum_v log p(Y_v | X) - sum_nq 1/2 (mean^2 + sd^2 - 1 - log sd^2)
///
/// The expectation is taken at one draw X = mean + sd o eps; steps 2k and 2k + 1 use eps and -eps, which cancels the
/// odd part of its noise. Values and gradients are per measured entry, so that "flat" means the same for every table.
class GplvmObjective {
 public:
  /// `start` fixes shapes and kinds of kernels. Noise variances listed in `fixed_noise` do not move.
  GplvmObjective(std::vector<ViewTerm> terms, GplvmParameters start,
                 std::vector<std::optional<double>> fixed_noise, const Rng& rng, const Compute& compute);

  Vector start() const { return pack(start_); }  // where it begins
  const GplvmParameters& begin() const { return start_; }
  Vector pack(const GplvmParameters& p) const;
  GplvmParameters unpack(const Vector& theta) const;

  double operator()(const Vector& theta, Index step, Vector& grad);

  /// Whether all views are evaluated on the device that is open: then the latents may stay there too.
  bool is_on_device() const;
  std::unique_ptr<LatentStep> latent_step();  // of the present form
  /// The same value at latents on the device, which draws them from the same bits.
  double on_device(LatentStep& latents, const DevicePoint& theta, Index step, DevicePoint& grad);

  Index observed() const { return observed_; }
  Index latent_size() const { return start_.latent.mean.size(); }  // N Q: means come first, then log sds
  double jitter() const { return jitter_; }                        // largest so far
  void set_jitter(double jitter) { jitter_ = jitter; }
  /// Other kernels, features and inducing latents: theta changes its length with them, the values in missing entries stay.
  void set_form(const std::vector<GplvmParameters::View>& like, const FeatureSpec& features);
  const std::vector<Index>& offsets() const { return offset_; }  // where the parameters of each view begin
  const std::vector<ViewTerm>& terms() const { return terms_; }
  std::vector<Vector> guesses() const;
  void set_guesses(const std::vector<Vector>& guesses);

 private:
  void lay_out();
  double noise_at(std::size_t v, double u) const;
  Rng latent_draws(Index step) const;
  Rng frequency_draws(Index step) const;
  const std::vector<SpectralNoise>& noise_of_step(Index step);
  double add_view(std::size_t v, const Vector& theta, const Matrix& X, Index step, const Rng& rng,
                  Vector& grad, Matrix& dX);

  std::vector<ViewTerm> terms_;
  GplvmParameters start_;
  std::vector<std::optional<double>> fixed_noise_;
  Rng rng_;
  Compute compute_;
  Index observed_ = 0, size_ = 0;
  std::vector<Index> offset_;  // where the parameters of each view begin
  double jitter_ = 0;
  Index drawn_ = -1;                    // a step of a device whose frequencies have been drawn
  std::vector<SpectralNoise> noise_{};  // for them
};

}  // namespace bochner
