#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "bochner/core/errors.hpp"
#include "bochner/core/printable.hpp"

namespace bochner::detail {

/// Refuses a table: "name: why", the name made printable.
[[noreturn]] inline void fail(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("{}: {}", printable(name), why));
}

}  // namespace bochner::detail
