#include "model_json.hpp"

namespace bochner::cli {

namespace {

struct ToJson {
  Json operator()(const ModelGroup& group) const { return to_json(group); }
  Json operator()(const Vector& v) const { return std::vector<double>(v.data(), v.data() + v.size()); }
  Json operator()(const Matrix& M) const {
    Json rows = Json::array();
    for (Index i = 0; i < M.rows(); ++i)
      rows.push_back(std::vector<double>(M.row(i).data(), M.row(i).data() + M.cols()));
    return rows;
  }
  template <class T>
  Json operator()(const T& value) const {
    return value;
  }
};

}  // namespace

Json to_json(const ModelGroup& group) {
  Json out = Json::object();
  for (const ModelEntry& entry : group.entries()) out[entry.name] = std::visit(ToJson{}, entry.value);
  return out;
}

}  // namespace bochner::cli
