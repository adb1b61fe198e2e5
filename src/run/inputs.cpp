#include "bochner/run/inputs.hpp"

#include <filesystem>
#include <fstream>

#include "bochner/run/json_file.hpp"
#include "bochner/store/sha256.hpp"

namespace bochner {

void log_inputs(const std::vector<std::string>& files, RunFolder& run) {
  namespace fs = std::filesystem;
  for (const std::string& file : files) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    std::ifstream stream(file, std::ios::binary);
    std::vector<char> block(std::size_t{1} << 20);
    Sha256 sum;
    std::uintmax_t bytes = 0;
    while (stream) {
      stream.read(block.data(), static_cast<std::streamsize>(block.size()));
      const auto count = static_cast<std::size_t>(stream.gcount());
      sum.update({block.data(), count});
      bytes += count;
    }
    if (!stream.eof()) continue;  // it could not be opened, or not be read to its end
    run.log(json_line({{"event", "input"}, {"file", file}, {"bytes", bytes}, {"sha256", sum.hex()}}));
  }
}

}  // namespace bochner
