#pragma once
#include <memory>

#include "bochner/backend/engine.hpp"

namespace bochner {

/// The operations by plain loops on the processor, one thread: what tests hold steps and other engines to. No fit is made
/// with it; the processor has faster code of its own.
std::shared_ptr<Engine> make_host_engine();

}  // namespace bochner
