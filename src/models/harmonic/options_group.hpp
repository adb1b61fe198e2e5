#pragma once
#include "bochner/models/harmonic/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// Circles and spheres among the M columns of a table: "circle_columns", "circle_periods", "longitudes" and "latitudes".
void set_circles(ModelGroup& group, const std::vector<Circle>& circles);
void set_spheres(ModelGroup& group, const std::vector<Sphere>& spheres);
std::vector<Circle> circles_from(const ModelGroup& group, Index M);
std::vector<Sphere> spheres_from(const ModelGroup& group, Index M);

/// All options of a fit to a table of M columns.
ModelGroup harmonic_options_group(const HarmonicFitOptions& options);
HarmonicFitOptions harmonic_options_from(const ModelGroup& group, Index M);

}  // namespace bochner::detail
