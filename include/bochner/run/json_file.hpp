#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace bochner {

/// Keys stay in the order in which they were set.
using Json = nlohmann::ordered_json;

/// Indented, numbers as the shortest text with the same bits, NaN as null, bytes that are not UTF-8 replaced.
std::string json_text(const Json& value);
std::string json_line(const Json& value);  // the same on one line

/// json_text as a file that appears whole or not at all.
void write_json(const std::string& path, const Json& value);

}  // namespace bochner
