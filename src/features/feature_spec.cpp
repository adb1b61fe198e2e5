#include "bochner/features/feature_spec.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner {

namespace {

using Kind = FeatureSpec::Kind;

constexpr std::uint64_t most = 1'000'000;  // features

[[noreturn]] void refuse(const std::string& text, const FeatureKinds& possible) {
  throw InputError(fmt::format(
      "the features {} cannot be read: use auto, exact, {}random, a number of frequencies such as 300, "
      "orthogonal:300{}nystrom:500{}",
      quote(text), possible.finite ? "finite, " : "", possible.network ? ", " : " or ",
      possible.network ? " or network:32" : ""));
}

std::string name_of(const FeatureSpec& features) {
  switch (features.kind) {
    case Kind::automatic:
      return "auto";
    case Kind::exact:
      return "exact";
    case Kind::finite:
      return "finite";
    case Kind::random:
      return features.directions == Directions::orthogonal ? "orthogonal" : "random";
    case Kind::nystrom:
      return "nystrom";
    case Kind::network:
      break;
  }
  return "network";
}

bool is_counted(Kind kind) { return kind == Kind::random || kind == Kind::nystrom || kind == Kind::network; }

}  // namespace

std::string to_text(const FeatureSpec& features) {
  const std::string name = name_of(features);
  if (features.count == 0 || !is_counted(features.kind)) return name;
  return name == "random" ? fmt::format("{}", features.count) : fmt::format("{}:{}", name, features.count);
}

FeatureSpec parse_features(const std::string& text, const FeatureKinds& possible) {
  const std::size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  bool counted = colon != std::string::npos;
  if (!counted && parse_integer<std::uint64_t>(text)) {
    name = "random";
    digits = text;
    counted = true;
  }
  FeatureSpec out;
  if (name == "exact")
    out.kind = Kind::exact;
  else if (name == "finite" && possible.finite)
    out.kind = Kind::finite;
  else if (name == "random" || name == "fourier")
    out.kind = Kind::random;
  else if (name == "orthogonal")
    out = {.kind = Kind::random, .directions = Directions::orthogonal};
  else if (name == "nystrom")
    out.kind = Kind::nystrom;
  else if (name == "network" && possible.network)
    out.kind = Kind::network;
  else if (name != "auto")
    refuse(text, possible);
  if (!counted) return out;
  const auto count = parse_integer<std::uint64_t>(digits);
  if (!is_counted(out.kind) || !count || *count < 1 || *count > most) refuse(text, possible);
  out.count = static_cast<Index>(*count);
  return out;
}

}  // namespace bochner
