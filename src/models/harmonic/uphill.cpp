#include "uphill.hpp"

namespace bochner {
namespace {

/// Hands its own state of Adam to each tensor, in the order in which they come.
class Climber {
 public:
  Climber(std::vector<AdamState>& states, double step_size, double factor, const Compute& compute)
      : states_(states), options_{.step = step_size}, factor_(factor), compute_(compute) {}

  void step(VectorOut theta, VectorIn gradient) {
    if (next_ == states_.size()) states_.emplace_back();
    states_[next_++].step(theta, gradient, options_, -factor_, compute_);
  }

  void step(Matrix& A, const Matrix& gradient) {
    step(Eigen::Map<Vector>(A.data(), A.size()), Eigen::Map<const Vector>(gradient.data(), gradient.size()));
  }

  void step(std::vector<Matrix>& list, const std::vector<Matrix>& gradients) {
    for (std::size_t i = 0; i < list.size(); ++i) step(list[i], gradients[i]);
  }

  void step_points(std::vector<Matrix>& Z, const std::vector<Matrix>& dZ, const Vector& unit) {
    for (std::size_t i = 0; i < Z.size(); ++i) {
      Matrix moved = Z[i];
      step(moved, dZ[i]);
      Z[i] += (moved - Z[i]) * unit.asDiagonal();
    }
  }

  void step_kernel(AnyKernel& kernel, const Vector& gradient, const TiedParameters& tied) {
    Vector free = tied.gather(parameters(kernel));
    step(free, tied.pull(gradient));
    kernel = with_parameters(kernel, tied.spread(free));
  }

  void skip() {
    if (next_ == states_.size()) states_.emplace_back();
    ++next_;
  }

 private:
  std::vector<AdamState>& states_;
  AdamOptions options_;
  double factor_;
  Compute compute_;
  std::size_t next_ = 0;
};

void step_layer(HiddenLayer& layer, const HiddenGradient& g, const LayerLearning& learning,
                const HarmonicFitOptions& options, Climber& climber) {
  if (options.learn_kernel) climber.step_kernel(layer.kernel, g.kernel, learning.tied);
  if (options.learn_inducing) climber.step_points(layer.Z, g.Z, learning.unit);
  climber.step(layer.mean, g.mean);
  climber.step(layer.factor, g.factor);
  climber.step(layer.output_factor, g.output_factor);
}

}  // namespace

void step_uphill(HarmonicGp& gp, const HarmonicGradient& g, const Learning& learning,
                 const HarmonicFitOptions& options, bool posterior, double factor,
                 std::vector<AdamState>& states, const Compute& compute) {
  Climber climber(states, options.step_size, factor, compute);
  if (options.learn_kernel)
    climber.step_kernel(gp.kernel, g.kernel, learning.last.tied);
  else
    climber.skip();
  if (g.likelihood.size() > 0) {
    Vector theta = parameters(gp.likelihood);
    climber.step(theta, g.likelihood);
    gp.likelihood = with_parameters(gp.likelihood, theta);
  } else {
    climber.skip();
  }
  if (options.learn_inducing) climber.step_points(gp.Z, g.Z, learning.last.unit);
  if (posterior)
    for (std::size_t h = 0; h < gp.mean.size(); ++h) {
      climber.step(gp.mean[h], g.mean[h]);
      climber.step(gp.factor[h], g.factor[h]);
    }
  if (gp.patch_sum) climber.step(gp.patch_sum->weight, g.patch_weight);
  for (std::size_t l = 0; l < gp.hidden.size(); ++l)
    step_layer(gp.hidden[l], g.hidden[l], learning.hidden[l], options, climber);
}

}  // namespace bochner
