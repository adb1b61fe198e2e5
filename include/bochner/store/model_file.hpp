#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

class ModelGroup;

/// What an entry of a model file may be.
using ModelValue = std::variant<double, std::int64_t, std::string, Vector, Matrix, std::vector<std::int64_t>,
                                std::vector<std::string>, ModelGroup>;
struct ModelEntry;

/// Named values in the order in which they were set: the content of a model file, or of a group in it.
///
///     ModelGroup fit;
///     fit.set("kernel", "ngsm").set("noise", 0.05).set("latent_mean", X);
///     write_model("run/model.bochner", fit);
///     const Matrix X = read_model("run/model.bochner").matrix("latent_mean");
///
/// The getters throw InputError that names the entry, if it is absent or of another kind: a
/// model file is input like any other. Names are letters, digits, `_`, `-` and `.`; setting a name twice, or
/// a text that holds a NUL or is not UTF-8, is a std::invalid_argument.
class ModelGroup {
 public:
  ModelGroup& set(std::string name, ModelValue value);
  ModelGroup& set(std::string name, const char* text);
  template <std::integral T>
  ModelGroup& set(std::string name, T integer) {  // a bool is kept as 0 or 1
    return set(std::move(name), ModelValue(static_cast<std::int64_t>(integer)));
  }

  bool has(std::string_view name) const;
  double number(std::string_view name) const;  // an integer entry will do
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const Vector& vector(std::string_view name) const;
  const Matrix& matrix(std::string_view name) const;
  const std::vector<std::int64_t>& integers(std::string_view name) const;
  const std::vector<std::string>& texts(std::string_view name) const;
  const ModelGroup& group(std::string_view name) const;

  const std::vector<ModelEntry>& entries() const;
  const std::string& where() const { return where_; }  // "model.bochner, entry views/rna", for messages

 private:
  friend void name_groups(ModelGroup& group, const std::string& where);
  template <class T>
  const T& get(std::string_view name, const char* kind) const;
  const ModelEntry* find(std::string_view name) const;

  std::vector<ModelEntry> entries_;
  std::string where_ = "model";
};

struct ModelEntry {
  std::string name;
  ModelValue value;
};

/// The format this code writes; it reads this one and every earlier one.
inline constexpr int model_format = 1;

// A model file is an HDF5 file with 512 bytes of text in front, which HDF5 calls a user block (h5py and
// h5dump skip it): name, format version, release that wrote it, size, and the SHA-256 of every byte of the
// file with the digits of the checksum itself taken as zeros. It is checked before HDF5 sees a byte, so that
// an accident is recognised as one. A 32-bit CRC would let one damaged file in 4e9 through; SHA-256 is as good
// as certain, costs about 4 ms per MB, and names a model in logs. It is no signature: whoever can change the
// file can change the sum. HDF5 therefore parses the bytes in a child process, which it may crash, and every
// entry that comes back is checked.
// Matrices are 2-D and vectors 1-D datasets of little-endian doubles, texts are UTF-8 strings of fixed
// length, groups keep the order of their entries. The same content gives the same bytes: no time stamps, no
// padding from memory.

/// Writes the file, whole or not at all (WriteError).
void write_model(const std::string& path, const ModelGroup& content);

/// InputError if the file is not a model, was written by a newer format (it names the
/// release), or does not have its checksum.
ModelGroup read_model(const std::string& path);

/// The same to and from memory; `name` stands for the file in messages.
std::string format_model(const ModelGroup& content);
ModelGroup parse_model(std::string_view bytes, const std::string& name);

}  // namespace bochner
