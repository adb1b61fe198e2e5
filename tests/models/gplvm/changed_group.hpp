#pragma once
#include <optional>
#include <string>

#include "bochner/store/model_file.hpp"

namespace bochner::testing {

/// A copy with the entry at "views/0/Z" replaced, or left out.
inline ModelGroup with(const ModelGroup& group, const std::string& path,
                       const std::optional<ModelValue>& value) {
  const std::size_t slash = path.find('/');
  const std::string head = path.substr(0, slash);
  ModelGroup out;
  for (const ModelEntry& entry : group.entries()) {
    if (entry.name != head)
      out.set(entry.name, entry.value);
    else if (slash != std::string::npos)
      out.set(entry.name, with(std::get<ModelGroup>(entry.value), path.substr(slash + 1), value));
    else if (value)
      out.set(entry.name, *value);
  }
  return out;
}

}  // namespace bochner::testing
