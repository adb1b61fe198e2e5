#include "bochner/symmetry/input_scaling_names.hpp"

#include <fmt/format.h>

#include <array>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

constexpr std::array<const char*, 5> words{"auto", "standardise", "common", "none",
                                           "pixels"};  // in the order of the enum
static_assert(static_cast<std::size_t>(InputScaling::pixels) + 1 == words.size());

}  // namespace

std::string to_text(InputScaling scaling) { return words.at(static_cast<std::size_t>(scaling)); }

InputScaling parse_input_scaling(const std::string& text) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (text == words[i]) return static_cast<InputScaling>(i);
  throw InputError(fmt::format("there is no scaling of inputs {}, only {}", quote(text),
                               listing({words.begin(), words.end()})));
}

}  // namespace bochner
