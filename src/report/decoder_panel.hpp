#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/report/report.hpp"
#include "samples.hpp"

namespace bochner::detail {

/// Predictions on grids of the latent plane, between which the page interpolates: exact at the knots, and a grid is as fine
/// as the page can show. Adds nothing for models that do not decode.
void add_decoder_panel(RunFiles& run, const RunSamples& samples,
                       const std::map<std::string, PictureShape>& shapes, const Compute& compute,
                       Json& panels);

}  // namespace bochner::detail
