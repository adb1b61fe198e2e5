#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "bochner/tables/table.hpp"

namespace bochner {

// NumPy's array file, versions 1 to 3, read as doubles: f2, f4, f8, i1 .. i8, u1 .. u8 and b1, either byte
// order, C or Fortran order, one dimension (a single column) or two. NaN means not measured. Integers beyond
// 2^53 are rounded.

/// The whole array. InputError if the file is damaged, holds something else, or holds an
/// infinity.
Table read_npy(const std::string& path);

/// The same from memory; `name` stands for the file in messages.
Table parse_npy(std::string_view bytes, const std::string& name);

/// Writes '<f8' in C order, the same bytes for the same values; whole or not at all (WriteError).
void write_npy(const std::string& path, MatrixIn values);

/// Reads blocks of rows of an array that need not fit into memory. Reading is const and may run on many
/// threads.
class NpyRows {
 public:
  explicit NpyRows(const std::string& path);
  ~NpyRows();
  NpyRows(NpyRows&&) noexcept;
  NpyRows& operator=(NpyRows&&) noexcept;

  Index rows() const;
  Index cols() const;

  /// Rows begin .. begin + out.rows() - 1; out has cols() columns. In Fortran order this is one read per
  /// column.
  void read(Index begin, MatrixOut out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bochner
