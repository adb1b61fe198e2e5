#include "scaling_group.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {

std::vector<std::int64_t> integers(const std::vector<Index>& values) {
  return {values.begin(), values.end()};
}

std::vector<Index> columns_from(const ModelGroup& group, const char* name, Index M) {
  const auto& read = group.integers(name);
  for (const std::int64_t m : read)
    if (m < 0 || m >= M)
      throw InputError(fmt::format("{}: the entry {} names column {}, but there are {}", group.where(),
                                   quote(name), m, M));
  return {read.begin(), read.end()};
}

ModelGroup scaling_group(const Scaling& s) {
  ModelGroup out;
  out.set("kind", static_cast<int>(s.kind)).set("centre", s.centre).set("scale", s.scale);
  out.set("constant", integers(s.constant)).set("unmeasured", integers(s.unmeasured));
  return out;
}

Scaling scaling_from(const ModelGroup& g, Index M) {
  const Index read = count_from(g, "kind");
  if (read > static_cast<Index>(ScalingKind::whole_view))
    throw InputError(
        fmt::format("{}: there is no scaling of kind {}; the file is of a later release", g.where(), read));
  Scaling s{.kind = static_cast<ScalingKind>(read), .centre = g.vector("centre"), .scale = g.vector("scale")};
  check_length(g, "centre", s.centre.size(), M);
  check_length(g, "scale", s.scale.size(), M);
  if (!s.centre.allFinite() || !(s.scale.array() > 0).all() || !s.scale.allFinite())
    throw InputError(fmt::format("{}: the scaling needs finite centres and positive scales", g.where()));
  s.constant = columns_from(g, "constant", M);
  s.unmeasured = columns_from(g, "unmeasured", M);
  return s;
}

}  // namespace bochner::detail
