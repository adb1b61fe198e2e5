#pragma once
#include <memory>

#include "bochner/backend/engine.hpp"
#include "bochner/compute/compute.hpp"

namespace bochner {

/// Opens a card. Its code is a plugin, libbochner_cuda.so, which is loaded here and nowhere else: named by the environment
/// variable BOCHNER_CUDA, or beside the program or the Python module, in ../lib from there, or where the loader looks. A
/// plugin of another version is refused. InputError says what is missing and what to do.
std::shared_ptr<Engine> open_cuda(int ordinal);

/// The same with the device open, if it is a card and was not yet; `automatic` is the processor here.
Compute opened(Compute compute);

}  // namespace bochner
