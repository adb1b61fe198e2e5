#include "input_encoding_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {
namespace {

constexpr std::array<const char*, 3> kinds{"number", "date", "category"};

InputKind kind_from(const ModelGroup& g) {
  const auto found = std::find(kinds.begin(), kinds.end(), g.text("kind"));
  if (found == kinds.end())
    throw InputError(fmt::format("{}: there are no inputs of kind {}; the file is of a later release",
                                 g.where(), quote(g.text("kind"))));
  return static_cast<InputKind>(found - kinds.begin());
}

}  // namespace

ModelGroup input_encoding_group(const InputEncoding& encoding) {
  ModelGroup out;
  out.set("count", encoding.columns.size());
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    const auto& [name, kind, levels, missing, fill] = encoding.columns[c];
    ModelGroup one;
    one.set("name", name).set("kind", kinds[static_cast<std::size_t>(kind)]).set("levels", levels);
    one.set("missing", missing).set("fill", fill);
    out.set(place(c), std::move(one));
  }
  return out;
}

InputEncoding input_encoding_from(const ModelGroup& g) {
  InputEncoding out;
  const Index count = count_from(g, "count");
  for (Index c = 0; c < count; ++c) {
    const ModelGroup& one = g.group(place(static_cast<std::size_t>(c)));
    InputColumn column{.name = one.text("name"),
                       .kind = kind_from(one),
                       .levels = one.texts("levels"),
                       .missing = one.flag("missing"),
                       .fill = one.number("fill")};
    const bool category = column.kind == InputKind::category;
    if (!std::isfinite(column.fill) || category == column.levels.empty())
      throw InputError(fmt::format("{}: the encoding needs a finite number, and levels for categories alone",
                                   one.where()));
    out.columns.push_back(std::move(column));
  }
  return out;
}

}  // namespace bochner::detail
