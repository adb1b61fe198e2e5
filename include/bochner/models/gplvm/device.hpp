#pragma once
#include <string>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/options.hpp"

namespace bochner {

/// Where a fit runs, with the device open, and in a few words why (`automatic` alone).
struct DeviceChoice {
  Compute compute;
  std::string reason;
};

/// What compute.device stands for. A card takes fits with random features, in double; `automatic` chooses it where there is
/// one with enough memory and the fit would take the processor more than some seconds. InputError if a card is asked for
/// that cannot be had, or for a fit that has no steps for it.
DeviceChoice choose_device(const Dataset& data, const GplvmOptions& options, const Compute& compute);

/// Bytes that the steps of a fit take on a card, roughly; of a fit with random features.
double device_bytes(const Dataset& data, const GplvmOptions& options);

}  // namespace bochner
