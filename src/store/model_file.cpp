#include "bochner/store/model_file.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/store/partial_model.hpp"
#include "bochner/store/sha256.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "model_hdf5.hpp"
#include "src/tables/byte_source.hpp"
#include "src/tables/file_signature.hpp"

namespace bochner {

void name_groups(ModelGroup& group, const std::string& where);

namespace {

constexpr std::string_view first_line = "bochner model file\n";
constexpr std::string_view no_sum = "0000000000000000000000000000000000000000000000000000000000000000";

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("{}: {}", printable(name), why));
}

// "key value\n" lines at the front of the file.
class Header {
 public:
  Header(std::string_view bytes, const std::string& name)
      : text_(bytes.substr(0, detail::model_header_size)), name_(name) {}

  std::string_view value(std::string_view key) const {
    const std::string start = fmt::format("\n{} ", key);
    const std::size_t at = text_.find(start);
    const std::size_t end = at == std::string_view::npos ? at : text_.find('\n', at + 1);
    if (end == std::string_view::npos) fail(name_, "the model file is damaged (its first lines are broken)");
    return text_.substr(at + start.size(), end - at - start.size());
  }
  std::uint64_t number(std::string_view key) const {
    const auto out = parse_integer<std::uint64_t>(value(key));
    if (!out) fail(name_, "the model file is damaged (its first lines are broken)");
    return *out;
  }

 private:
  std::string_view text_;
  const std::string& name_;
};

}  // namespace

std::string format_model(const ModelGroup& content) {
  std::string bytes = detail::to_hdf5(content);
  std::string header = fmt::format("{}format {}\nwritten-by bochner {}\nbytes {}\nsha256 {}\n", first_line,
                                   model_format, BOCHNER_VERSION, bytes.size(), no_sum);
  const std::size_t sum_at = header.size() - 1 - no_sum.size();
  header.resize(detail::model_header_size - 1, ' ');
  header += '\n';
  bytes.replace(0, header.size(), header);
  bytes.replace(sum_at, no_sum.size(), sha256_hex(bytes));
  return bytes;
}

ModelGroup parse_model_without(std::string_view bytes, const std::string& name, const std::string& without) {
  if (!bytes.starts_with(first_line)) {
    if (bytes.size() < first_line.size() && first_line.starts_with(bytes))
      fail(name,
           bytes.empty() ? "the file is empty, not a model" : "the model file was cut off; copy it again");
    fail(name, "this is not a model file that bochner saved (model.bochner)");
  }
  if (bytes.size() < detail::model_header_size) fail(name, "the model file was cut off; copy it again");
  const Header header(bytes, name);
  // The order matters: a later format may sum its bytes in another way, but these lines will stay.
  const std::uint64_t format = header.number("format");
  if (format > static_cast<std::uint64_t>(model_format))
    fail(
        name,
        fmt::format(
            "the model was written by {} in format {}, and this is bochner {}, which reads formats up to {}; "
            "upgrade bochner",
            printable(header.value("written-by"), 40), format, BOCHNER_VERSION, model_format));
  const std::uint64_t size = header.number("bytes");
  if (bytes.size() < size)
    fail(name, fmt::format("the model file was cut off: {} of {} bytes are there; copy it again",
                           bytes.size(), size));
  const std::string_view sum = header.value("sha256");
  const auto sum_at = static_cast<std::size_t>(sum.data() - bytes.data());
  Sha256 check;
  check.update(bytes.substr(0, sum_at));
  check.update(no_sum);
  check.update(bytes.substr(std::min(bytes.size(), sum_at + no_sum.size())));
  if (format == 0 || bytes.size() != size || sum.size() != no_sum.size() || check.hex() != sum)
    fail(name,
         "the model file is damaged: its checksum does not agree with its content; copy it again or refit");
  ModelGroup content = detail::from_hdf5(bytes, name, without);
  name_groups(content, printable(name));
  return content;
}

void write_model(const std::string& path, const ModelGroup& content) {
  write_file(path, format_model(content));
}

ModelGroup parse_model(std::string_view bytes, const std::string& name) {
  return parse_model_without(bytes, name, "");
}

ModelGroup read_model_without(const std::string& path, const std::string& without) {
  detail::InputFile file(path);
  const auto bytes = detail::file_bytes(std::move(file));
  return parse_model_without(detail::read_all(*bytes), path, without);
}

ModelGroup read_model(const std::string& path) { return read_model_without(path, ""); }

}  // namespace bochner
