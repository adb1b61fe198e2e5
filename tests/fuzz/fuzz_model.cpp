// Input that begins like a model file is one, intact or damaged; it is read as it is, and once more with the size and the
// checksum that belong to its bytes, as whoever forges a file would write them: HDF5 sees no byte before these are right.
// Any other input is a recipe for a tree, which must come back from the file as it went in, in the same bytes each time.
#include <cstring>

#include "bochner/store/model_file.hpp"
#include "bochner/store/sha256.hpp"
#include "children.hpp"
#include "judge.hpp"

using namespace bochner;

namespace {

class Recipe {
 public:
  explicit Recipe(std::string_view bytes) : bytes_(bytes) {}
  bool more() const { return !bytes_.empty(); }
  unsigned byte() {
    if (bytes_.empty()) return 0;
    const auto b = static_cast<unsigned char>(bytes_[0]);
    bytes_.remove_prefix(1);
    return b;
  }
  double number() {
    double x = 0;
    const std::string_view raw = bytes_.substr(0, sizeof x);
    std::memcpy(&x, raw.data(), raw.size());
    bytes_.remove_prefix(raw.size());
    return x;
  }
  std::string text() {
    std::string out(byte() % 20, 'a');
    for (char& c : out) c = static_cast<char>(1 + byte() % 127);
    return out;
  }

  ModelGroup group(int depth) {
    ModelGroup out;
    for (unsigned n = byte() % 12; n > 0 && more(); --n) {
      const std::string name = "e" + std::to_string(out.entries().size()) + "." + std::to_string(byte());
      switch (byte() % 8) {
        case 0:
          out.set(name, number());
          break;
        case 1:
          out.set(name, static_cast<int>(byte()) - 128);
          break;
        case 2:
          out.set(name, text());
          break;
        case 3:
          out.set(name, Vector(Vector::Constant(Index(byte() % 9), number())));
          break;
        case 4: {
          const Index rows = Index(byte() % 5), cols = Index(byte() % 5);
          out.set(name, Matrix(Matrix::Constant(rows, cols, number())));
          break;
        }
        case 5:
          out.set(name, std::vector<std::int64_t>(byte() % 7, std::int64_t(byte()) << 40));
          break;
        case 6:
          out.set(name, std::vector<std::string>(byte() % 4, text()));
          break;
        default:
          if (depth < 6) out.set(name, group(depth + 1));
      }
    }
    return out;
  }

 private:
  std::string_view bytes_;
};

constexpr std::size_t header_size = 512;

/// The bytes behind the header under a header that is right for them.
std::string sealed(std::string_view bytes) {
  static const std::string example = format_model({});
  std::string out =
      example.substr(0, example.find("\nbytes ") + 7) + std::to_string(bytes.size()) + "\nsha256 ";
  const std::size_t sum_at = out.size();
  out += std::string(64, '0') + "\n";
  out.resize(header_size - 1, ' ');
  out += '\n';
  out += bytes.substr(header_size);
  return out.replace(sum_at, 64, sha256_hex(out));
}

void parse(std::string_view bytes) {
  try {
    parse_model(bytes, "m.bochner");
  } catch (const InputError& error) {
    fuzz::judge(error, "m.bochner");
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::ignore_crashes_of_children();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::view(data, size);
  if (bytes.starts_with("bochner")) {
    parse(bytes);
    if (bytes.size() > header_size) parse(sealed(bytes));
    return 0;
  }
  const std::string once = format_model(Recipe(bytes).group(0));
  if (format_model(parse_model(once, "m.bochner")) != once)
    fuzz::find("a model changes when it is read and written");
  return 0;
}
