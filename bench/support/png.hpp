#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace bochner::bench {

/// An image of width x height pixels, three bytes each (red, green, blue), row by row from the top.
void write_png(const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb);

}  // namespace bochner::bench
