#include "bochner/run/json_file.hpp"

#include "bochner/tables/atomic_file.hpp"

namespace bochner {

std::string json_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string json_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_json(const std::string& path, const Json& value) { write_file(path, json_text(value)); }

}  // namespace bochner
