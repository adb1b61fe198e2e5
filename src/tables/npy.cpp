#include "bochner/tables/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <vector>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "npy_array.hpp"
#include "npy_header.hpp"

namespace bochner {

namespace detail {

namespace {

constexpr Index piece_bytes = Index{1} << 20;

// The size is known before a number is read: what the header promises must be there, no less and no more.
void check_size(const NpyHeader& header, std::uint64_t size, const std::string& name) {
  const std::uint64_t there = size - std::min(size, header.offset), promised = header.data_bytes();
  if (there == promised) return;
  throw InputError(fmt::format("{}: the header promises {} x {} numbers, {}, but {} follow{}",
                               printable(name), header.rows, header.cols, human_bytes(double(promised)),
                               human_bytes(double(there)),
                               there < promised ? "; the file was cut off, copy it again"
                                                : "; the file is damaged or holds several arrays"));
}

}  // namespace

Matrix room_for(Index rows, Index cols, const std::string& name) {
  // Where the system grants memory that it does not have, only asking it first helps.
  const double bytes = 8.0 * double(rows) * double(cols);
  try {
    if (bytes <= available_memory()) return Matrix(rows, cols);
  } catch (const std::bad_alloc&) {
  }
  throw InputError(fmt::format(
      "{}: {} x {} numbers need {} of memory, more than there is; save fewer rows or columns of it",
      printable(name), rows, cols, human_bytes(bytes)));
}

void refuse_infinite(MatrixIn values, Index first, const std::string& name) {
  for (Index n = 0; n < values.rows(); ++n)
    for (Index m = 0; m < values.cols(); ++m)
      if (std::isinf(values(n, m)))
        throw InputError(fmt::format(
            "{}, row {}, column {}: the number is infinite, and no model can use that; put NaN if "
            "it was not measured",
            printable(name), first + n + 1, m + 1));
}

Table read_npy_array(ByteSource& bytes, std::uint64_t size, const std::string& name) {
  const NpyHeader header = read_npy_header(bytes, name);
  check_size(header, size, name);
  // In the order of the file: lines are rows, or columns in Fortran order.
  const Index lines = header.fortran ? header.cols : header.rows,
              width = header.fortran ? header.rows : header.cols;
  const Index per_piece = std::clamp<Index>(piece_bytes / header.size / width, 1, lines);
  Matrix values = room_for(header.rows, header.cols, name);
  std::vector<char> raw(static_cast<std::size_t>(per_piece * width * header.size));
  Matrix piece(header.fortran ? per_piece : 0, width);
  for (Index begin = 0; begin < lines; begin += per_piece) {
    const Index n = std::min(per_piece, lines - begin);
    const auto want = static_cast<std::size_t>(n * width * header.size);
    if (bytes.read(raw.data(), want) != want)
      throw InputError(
          fmt::format("{}: the file ends before its last number; copy it again", printable(name)));
    if (header.fortran) {
      convert_numbers(header, raw.data(), n * width, piece.data());
      values.middleCols(begin, n) = piece.topRows(n).transpose();
    } else {
      convert_numbers(header, raw.data(), n * width, values.row(begin).data());
    }
  }
  refuse_infinite(values, 0, name);
  return make_table(std::move(values));
}

}  // namespace detail

Table read_npy(const std::string& path) {
  detail::InputFile file(path);
  if (!file.regular()) {
    const std::string content = detail::read_all(*detail::file_bytes(std::move(file)));
    return parse_npy(content, path);
  }
  const std::uint64_t size = file.size();
  const auto bytes = detail::file_bytes(std::move(file));
  return detail::read_npy_array(*bytes, size, path);
}

Table parse_npy(std::string_view bytes, const std::string& name) {
  const auto source = detail::memory_bytes(bytes);
  return detail::read_npy_array(*source, bytes.size(), name);
}

void write_npy(const std::string& path, MatrixIn values) {
  static_assert(std::endian::native == std::endian::little, "the writer copies the bytes of doubles");
  AtomicFile file(path);
  file.write(detail::format_npy_header(values.rows(), values.cols()));
  for (Index n = 0; n < values.rows(); ++n)  // rows may lie apart in memory
    file.write({reinterpret_cast<const char*>(values.row(n).data()),
                static_cast<std::size_t>(values.cols()) * sizeof(double)});
  file.commit();
}

struct NpyRows::State {
  explicit State(const std::string& path) : file(path, detail::Pipes::refused) {}
  detail::InputFile file;
  detail::NpyHeader header;
};

NpyRows::NpyRows(const std::string& path) : state_(std::make_unique<State>(path)) {
  struct Start : detail::ByteSource {
    explicit Start(const detail::InputFile& f) : file(f) {}
    std::size_t read(char* to, std::size_t n) override {
      const std::size_t got = file.read_at(at, to, n);
      at += got;
      return got;
    }
    const detail::InputFile& file;
    std::uint64_t at = 0;
  } start(state_->file);
  state_->header = detail::read_npy_header(start, path);
  detail::check_size(state_->header, state_->file.size(), path);
}

NpyRows::~NpyRows() = default;
NpyRows::NpyRows(NpyRows&&) noexcept = default;
NpyRows& NpyRows::operator=(NpyRows&&) noexcept = default;

Index NpyRows::rows() const { return state_->header.rows; }
Index NpyRows::cols() const { return state_->header.cols; }

void NpyRows::read(Index begin, MatrixOut out) const {
  const detail::NpyHeader& h = state_->header;
  check_size("NpyRows::read", "columns of out", out.cols(), "columns of the file", h.cols);
  check_at_least("NpyRows::read", "begin", begin, 0);
  check_at_least("NpyRows::read", "rows of the file", h.rows, begin + out.rows());
  const auto fetch = [&](Index first, Index n, std::vector<char>& raw) {
    raw.resize(static_cast<std::size_t>(n * h.size));
    if (state_->file.read_at(h.offset + static_cast<std::uint64_t>(first * h.size), raw.data(), raw.size()) !=
        raw.size())
      throw InputError(
          fmt::format("{}: the file has become shorter while it was read", printable(state_->file.path())));
  };
  std::vector<char> raw;
  if (h.fortran) {
    Vector column(out.rows());
    for (Index m = 0; m < h.cols; ++m) {
      fetch(m * h.rows + begin, out.rows(), raw);
      detail::convert_numbers(h, raw.data(), out.rows(), column.data());
      out.col(m) = column;
    }
  } else {
    const Index per_piece = std::max<Index>(1, detail::piece_bytes / h.size / h.cols);
    for (Index done = 0; done < out.rows(); done += per_piece) {
      const Index n = std::min(per_piece, out.rows() - done);
      fetch((begin + done) * h.cols, n * h.cols, raw);
      for (Index i = 0; i < n; ++i)
        detail::convert_numbers(h, raw.data() + i * h.cols * h.size, h.cols, out.row(done + i).data());
    }
  }
  detail::refuse_infinite(out, begin, state_->file.path());
}

}  // namespace bochner
