#pragma once
#include "bochner/backend/device_vector.hpp"
#include "bochner/infer/adam.hpp"

namespace bochner {

/// Parameters of an objective with its latents on a device: (latents, rest) in the order of GplvmObjective. A gradient knows the
/// norm and the sign of its latents, so that nobody has to read them.
struct DevicePoint {
  DeviceVector latents;
  Vector rest;
  double latent_squares = 0;
  double sign = 1;

  Index rows() const { return latents.size() + rest.size(); }
  Index cols() const { return 1; }
  double squaredNorm() const { return latent_squares + rest.squaredNorm(); }
  void setZero(Index, Index) {}  // every evaluation writes all of it
};

inline void negate(DevicePoint& p) {
  p.rest = -p.rest;
  p.sign = -p.sign;
}

/// AdamState likewise; `rest` counts for both.
struct DeviceAdam {
  DeviceVector m, v;
  AdamState rest;
};

using DeviceRun = Descent<DevicePoint, DeviceAdam>;

}  // namespace bochner
