#pragma once
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bochner/core/types.hpp"

// Values as bytes, for messages between processes of the same build: no format that lasts.
namespace bochner {

class ByteWriter {
 public:
  void add(Index number) { append(&number, 1); }
  void add(double number) { append(&number, 1); }
  void add(const std::string& text) {
    add(Index(text.size()));
    bytes_ += text;
  }
  void add(const Vector& v) {
    add(v.size());
    append(v.data(), v.size());
  }
  template <class T>
  void add(const MatrixT<T>& A) {
    add(A.rows());
    add(A.cols());
    append(A.data(), A.size());
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(Index(values.size()));
    for (const T& value : values) add(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void append(const T* from, Index count) {
    bytes_.append(reinterpret_cast<const char*>(from), static_cast<std::size_t>(count) * sizeof(T));
  }
  std::string bytes_;
};

/// Reads what a ByteWriter has written, in the same order.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  void read(Index& number) { copy(&number, 1); }
  void read(double& number) { copy(&number, 1); }
  void read(std::string& text) {
    const auto size = static_cast<std::size_t>(count());
    text = rest_.substr(0, size);
    if (text.size() != size) throw std::logic_error("ByteReader: there are fewer bytes");
    rest_.remove_prefix(size);
  }
  void read(Vector& v) {
    v.resize(count());
    copy(v.data(), v.size());
  }
  template <class T>
  void read(MatrixT<T>& A) {
    const Index rows = count(), cols = count();
    A.resize(rows, cols);
    copy(A.data(), A.size());
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.resize(static_cast<std::size_t>(count()));
    for (T& value : values) read(value);
  }

 private:
  Index count() {
    Index out = 0;
    read(out);
    return out;
  }
  template <class T>
  void copy(T* to, Index count) {
    const std::size_t size = static_cast<std::size_t>(count) * sizeof(T);
    if (rest_.size() < size) throw std::logic_error("ByteReader: there are fewer bytes");
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::string_view rest_;
};

}  // namespace bochner
