#pragma once
#include <algorithm>
#include <type_traits>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// The options of each of so many views: its own (`own`, in the order of the data), or those of all (`view`).
template <class Options>
auto options_by_view(const Options& options, Index views) {
  std::vector<std::remove_cvref_t<decltype(options.view)>> out(static_cast<std::size_t>(views), options.view);
  for (std::size_t v = 0; v < std::min(out.size(), options.own.size()); ++v)
    if (options.own[v]) out[v] = *options.own[v];
  return out;
}

}  // namespace bochner
