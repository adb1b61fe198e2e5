#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca_fit.hpp"

namespace bochner {

/// e_v(x) = U_v'phi_v(x) of scaled rows, N x s. H is that of the fit; views with explicit features do not need it.
Matrix contribution(const KpcaView& view, MatrixIn X, MatrixIn H, const Threads& threads);

/// (sum of present G_v)^+ , s x s, in the metric of Lambda: directions that the present views do not see become zero.
Matrix inverse_of_present(const KpcaFit& fit, const std::vector<bool>& present);

}  // namespace bochner
