#include "bochner/infer/generalised_slice.hpp"

#include <cmath>
#include <sstream>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/elliptical_bracket.hpp"

namespace bochner {

EllipsePoint generalised_slice(const EllipseLogDensity& log_density, const ApproximationForms& forms,
                               double degrees, Rng& rng) {
  check_positive("generalised_slice", "degrees", degrees);
  constexpr int max_shrinks = 200;  // the bracket is by then narrower than rounding
  const double size = static_cast<double>(forms.size);
  // The width given the state: of the normal law that both ends of the ellipse are drawn from.
  const double width = std::sqrt(0.5 * (degrees + forms.dd) / rng.gamma(0.5 * (degrees + size)));
  const double dd = forms.dd, dn = width * forms.dn, nn = width * width * forms.nn;
  // log density - log of the approximation, at an angle
  const auto excess = [&](double cosine, double sine) {
    const double distance = cosine * cosine * dd + 2 * cosine * sine * dn + sine * sine * nn;
    return log_density({cosine, sine * width}) + 0.5 * (degrees + size) * std::log1p(distance / degrees);
  };
  const double now = excess(1, 0);
  if (!std::isfinite(now)) {
    std::ostringstream message;
    message << "generalised_slice: the log density of the current state is " << now
            << ", so there is no slice to sample from";
    throw NumericalError(message.str());
  }
  EllipticalBracket bracket(now, rng);
  for (int shrinks = 0; shrinks < max_shrinks; ++shrinks) {
    const double cosine = std::cos(bracket.angle()), sine = std::sin(bracket.angle());
    if (bracket.accepts(excess(cosine, sine))) return {cosine, sine * width};
    bracket.shrink(rng);
  }
  return {};
}

}  // namespace bochner
