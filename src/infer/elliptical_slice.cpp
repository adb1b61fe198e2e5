#include "bochner/infer/elliptical_slice.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/elliptical_bracket.hpp"

namespace bochner {

EllipticalSliceMove elliptical_slice(const LogLikelihood& log_likelihood, VectorIn f, double log_likelihood_f,
                                     VectorIn nu, Rng& rng, const EllipticalSliceOptions& options) {
  return elliptical_slice(log_likelihood, f, log_likelihood_f, nu, Vector::Zero(f.size()), rng, options);
}

EllipticalSliceMove elliptical_slice(const LogLikelihood& log_likelihood, VectorIn f, double log_likelihood_f,
                                     VectorIn nu, VectorIn mean, Rng& rng,
                                     const EllipticalSliceOptions& options) {
  check_size("elliptical_slice", "size of nu", nu.size(), "size of f", f.size());
  check_size("elliptical_slice", "size of mean", mean.size(), "size of f", f.size());
  check_at_least("elliptical_slice", "max_shrinks", options.max_shrinks, 1);
  if (!std::isfinite(log_likelihood_f)) {
    std::ostringstream message;
    message << "elliptical_slice: the log likelihood of the current state is " << log_likelihood_f
            << ", so there is no slice to sample from";
    throw NumericalError(message.str());
  }

  EllipticalSliceMove move{.f = f, .log_likelihood = log_likelihood_f};
  EllipticalBracket bracket(log_likelihood_f, rng);
  const Vector centred = f - mean;
  Vector proposal(f.size());
  while (move.shrinks < options.max_shrinks) {
    proposal = mean + std::cos(bracket.angle()) * centred + std::sin(bracket.angle()) * nu;
    double value = -std::numeric_limits<double>::infinity();
    try {
      value = log_likelihood(proposal);
    } catch (const NumericalError&) {
    }
    if (std::isfinite(value) && bracket.accepts(value)) {
      move.f.swap(proposal);
      move.log_likelihood = value;
      move.moved = true;
      return move;
    }
    if (!std::isfinite(value)) ++move.not_finite;
    ++move.shrinks;
    bracket.shrink(rng);
  }
  return move;
}

}  // namespace bochner
