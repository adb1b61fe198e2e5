#pragma once
#include <string>

#include "bochner/run/any_fit.hpp"

namespace bochner::cli {

/// The commands that a model file has to do with.
struct ModelOrigin {
  const char* made_by;  // "'bochner regress' or 'bochner classify'"
  const char* used_by;  // "'bochner predict'"
};
ModelOrigin origin_of(const AnyFit& fit);

/// InputError that says which command made the model and which one can use it.
[[noreturn]] void refuse_model(const std::string& path, const AnyFit& fit);

/// The model if it is of the family that is needed, else refuse_model.
template <class Fit>
Fit require_fit(const std::string& path, AnyFit fit) {
  if (Fit* own = std::get_if<Fit>(&fit)) return std::move(*own);
  refuse_model(path, fit);
}

}  // namespace bochner::cli
