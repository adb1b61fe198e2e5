#include "panel.hpp"

#include <fmt/format.h>

#include "encode.hpp"

namespace bochner::detail {

Json panel(const std::string& id, const std::string& kind, const std::string& title, const std::string& how,
           bool wide) {
  return {{"id", id}, {"kind", kind}, {"title", title}, {"how", how}, {"wide", wide}};
}

Json curve(const std::string& name, VectorIn x, VectorIn y, VectorIn lo, VectorIn hi) {
  Json out{{"name", name}, {"x", compact(x)}, {"y", compact(y)}};
  if (lo.size() > 0) {
    out["lo"] = compact(lo);
    out["hi"] = compact(hi);
  }
  return out;
}

Json chart(const std::string& title, const std::string& x, const std::string& y, Json curves) {
  return {{"title", title}, {"x", x}, {"y", y}, {"curves", std::move(curves)}};
}

Json bars(const std::string& title, const std::string& axis, const std::vector<std::string>& series,
          const std::vector<BarRow>& rows) {
  Json list = Json::array();
  for (const BarRow& row : rows) {
    Json values = Json::array();
    for (const double v : row.values) values.push_back(compact(v));
    list.push_back({{"name", row.name}, {"values", std::move(values)}});
  }
  return {{"title", title}, {"axis", axis}, {"series", series}, {"rows", std::move(list)}};
}

Json table_of(const std::vector<std::string>& columns, Json rows) {
  return {{"columns", columns}, {"rows", std::move(rows)}};
}

Json heatmap(const std::vector<std::string>& rows, const std::vector<std::string>& columns, MatrixIn values) {
  Json list = Json::array();
  for (Index i = 0; i < values.rows(); ++i) list.push_back(compact(Vector(values.row(i).transpose())));
  return {{"rows", rows}, {"columns", columns}, {"values", std::move(list)}};
}

std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80u) --end;  // within a character
  return name.substr(0, end) + "...";
}

std::string with_commas(Index number) {
  std::string out = std::to_string(number);
  for (Index at = Index(out.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    out.insert(static_cast<std::size_t>(at), ",");
  return out;
}

}  // namespace bochner::detail
