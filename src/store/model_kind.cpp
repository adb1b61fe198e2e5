#include "model_kind.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

void check_kind(const ModelGroup& group, const char* kind) {
  const std::string& found = group.text("model");
  if (found != kind)
    throw InputError(
        fmt::format("{}: this is a model file of the kind {}, but one of the kind {} is required",
                    group.where(), quote(found), quote(kind)));
}

}  // namespace bochner::detail
