#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

enum class InputScaling {
  automatic,    // standardise, or common where a symmetry mixes columns
  standardise,  // each column to mean 0 and variance 1
  common,       // all columns divided by one number: what swaps or turns columns stays what it is
  none
};

/// A column that is an angle: it becomes the two columns cos and sin of 2 pi x / period, on which every kernel is periodic.
struct Circle {
  Index column = 0;
  double period = 1;
};

/// Two columns, longitude and latitude in degrees, that become a point x, y, z of the unit sphere.
struct Sphere {
  Index longitude = 0, latitude = 1;
};

/// From the columns of a table to the inputs of a kernel: circles, spheres, then (x - centre) / scale. The new columns of
/// circles and spheres come first, in their order, and are not scaled; the others follow.
struct InputMap {
  std::vector<std::string> columns;  // of the table
  std::vector<Circle> circles{};
  std::vector<Sphere> spheres{};
  Vector centre{}, scale{};  // of what comes out, D

  std::vector<std::string> names() const;  // "cos hour", "sin hour", "x", "y", "z", ..: D
  Matrix unfold(MatrixIn table) const;     // without centre and scale
  Matrix apply(MatrixIn table) const;      // N x D
};

}  // namespace bochner
