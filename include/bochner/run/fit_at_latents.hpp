#pragma once
#include "bochner/run/any_fit.hpp"

namespace bochner {

/// read_fit without predictors of views that a sample lacks (cross_view.hpp), which are most of the model file of wide tables. A
/// latent variable model then predicts such views at the latents.
AnyFit read_fit_at_latents(const std::string& path);

}  // namespace bochner
