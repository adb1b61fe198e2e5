#include "model_kind.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

using Made = std::pair<const char*, const char*>;
constexpr std::array<Made, 8> kinds{
    {{"gplvm", "a model of 'bochner fit'"},
     {"gplvm checkpoint", "the checkpoint of a 'bochner fit' that did not end"},
     {"bayes", "a Bayesian model of 'bochner fit'"},
     {"bayes checkpoint", "the checkpoint of a Bayesian 'bochner fit' that did not end"},
     {"kpca", "a model of 'bochner kpca'"},
     {"forecast", "a model of 'bochner forecast'"},
     {"harmonic", "a model of 'bochner regress' or 'bochner classify'"},
     {"harmonic checkpoint",
      "the checkpoint of a 'bochner regress' or 'bochner classify' that did not end"}}};

std::string what_is(const std::string& kind) {
  for (const auto& [known, made_by] : kinds)
    if (kind == known) return made_by;
  return fmt::format("a model of the kind {}, which this release does not know", quote(kind));
}

}  // namespace

void check_kind(const ModelGroup& group, const char* kind) {
  const std::string& found = group.text("model");
  if (found != kind)
    throw InputError(
        fmt::format("{}: this is {}, but {} is needed", group.where(), what_is(found), what_is(kind)));
}

}  // namespace bochner::detail
