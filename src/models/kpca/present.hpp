#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca/fit.hpp"

namespace bochner {

/// e_v(x) = U_v'phi_v(x) of scaled rows, N x s. H is that of the fit; views with explicit features do not need it.
Matrix contribution(const KpcaView& view, MatrixIn X, MatrixIn H, const Compute& compute);

/// (sum of present G_v)^+ , s x s, in the metric of Lambda: directions that the present views do not see become zero.
Matrix inverse_of_present(const KpcaFit& fit, const std::vector<bool>& present);

/// A pre-image that is linear in the components: x = mean + B'h, scaled columns.
struct LinearPreimage {
  Vector mean;  // M
  Matrix B;     // s x M
};

/// `identity` or `ridge` of view v, whichever it has, for components that came from the present views.
LinearPreimage linear_preimage(const KpcaFit& fit, std::size_t v, const std::vector<bool>& present);

}  // namespace bochner
