#include "bochner/run/inputs.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/store/sha256.hpp"

namespace bochner {

namespace {

struct InputSum {
  std::uintmax_t bytes = 0;
  std::string sha256;
};

/// Nothing of a file that is not regular, cannot be opened, or not be read to its end.
std::optional<InputSum> sum_of(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  Sha256 sum;
  InputSum out;
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(stream.gcount());
    sum.update({block.data(), count});
    out.bytes += count;
  }
  if (!stream.eof()) return std::nullopt;
  out.sha256 = sum.hex();
  return out;
}

}  // namespace

void log_inputs(const std::vector<std::string>& files, RunFolder& run) {
  for (const std::string& file : files)
    if (const std::optional<InputSum> sum = sum_of(file))
      run.log(
          json_line({{"event", "input"}, {"file", file}, {"bytes", sum->bytes}, {"sha256", sum->sha256}}));
}

void check_same_inputs(const std::vector<std::string>& files, const Communicator& comm) {
  if (comm.is_alone()) return;
  std::vector<std::string> own;
  for (const std::string& file : files) {
    const std::optional<InputSum> sum = sum_of(file);
    own.push_back(sum ? sum->sha256 : "");
  }
  std::string all_of_them;
  for (const std::string& sum : own) all_of_them += sum + "\n";
  const std::vector<std::string> all = comm.all_gather(all_of_them);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all.front())
      throw InputError(
          fmt::format("ranks 0 and {} have read different files; give all the same tables and model", r));
}

}  // namespace bochner
