#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

enum class InputScaling {
  automatic,    // standardise, common where a symmetry mixes columns, pixels where layers look at images
  standardise,  // each column to mean 0 and variance 1
  common,       // all columns divided by one number: what swaps or turns columns stays what it is
  none,
  pixels  // each column to mean 0, and all divided by one number
};

/// A column that is an angle: it becomes the two columns cos and sin of 2 pi x / period, on which every kernel is periodic.
struct Circle {
  Index column = 0;
  double period = 1;  // > 0
};

/// Two columns, longitude and latitude in degrees, that become a point of the unit sphere,
/// x = cos lat cos lon, y = cos lat sin lon, z = sin lat: near is near across the date line and at the poles.
struct Sphere {
  Index longitude = 0, latitude = 1;
};

/// From the columns of a table to the inputs of a kernel: circles, spheres, then (x - centre) / scale. The new columns of
/// circles and spheres come first, in their order, and are not scaled (their centre is 0 and their scale 1); the others follow
/// in the order of the table. A row does not depend on the others, NaN stays NaN.
struct InputMap {
  std::vector<std::string> columns;  // of the table
  std::vector<Circle> circles{};
  std::vector<Sphere> spheres{};
  Vector centre{}, scale{};  // of what comes out, D

  /// What comes out, D names: "cos hour", "sin hour", "x", "y", "z" ("x lon", .. where there are several spheres), then
  /// columns of the table. InputError if a column is used twice.
  std::vector<std::string> names() const;
  /// Without centre and scale, N x D. InputError, with row and column, for a latitude beyond 90 degrees; `first_row` is where
  /// the first row stands in the whole table, from 0.
  Matrix unfold(MatrixIn table, Index first_row = 0) const;
  Matrix apply(MatrixIn table) const;  // N x D
};

}  // namespace bochner
