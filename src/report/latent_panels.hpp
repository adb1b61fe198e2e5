#pragma once
#include "bochner/compute/compute.hpp"
#include "samples.hpp"

namespace bochner::detail {

// Panels of latent variable models. Each adds nothing where the run does not have what it shows.

void add_latent_panel(RunFiles& run, const RunSamples& samples, Json& panels);
void add_time_field(RunFiles& run, RunSamples& samples);  // a colour, where there are times
void add_path_panel(RunFiles& run, const RunSamples& samples, Json& panels);  // latents over time
void add_data_map(const RunSamples& samples, Json& panels);
void add_dimension_panels(RunFiles& run, Json& panels);  // variance explained, top columns, response curves

}  // namespace bochner::detail
