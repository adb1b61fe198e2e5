#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "bochner/core/types.hpp"
#include "byte_source.hpp"

namespace bochner::detail {

/// What stands before the numbers in an NPY file.
struct NpyHeader {
  char kind = 'f';           // f, i, u or b
  int size = 8;              // bytes per number
  bool swapped = false;      // the bytes of a number are in the other order than this machine's
  bool fortran = false;      // columns are contiguous
  Index rows = 0, cols = 0;  // one dimension is a single column
  std::uint64_t offset = 0;  // where the numbers begin

  std::uint64_t data_bytes() const;
};

/// Reads from the first byte up to the first number. InputError if there is something wrong, and if the
/// numbers could not be addressed (so that rows * cols * size cannot overflow).
NpyHeader read_npy_header(ByteSource& bytes, const std::string& name);

/// The header of rows x cols doubles in C order, for writing.
std::string format_npy_header(Index rows, Index cols);

/// n numbers as doubles.
void convert_numbers(const NpyHeader& header, const char* raw, Index n, double* out);

}  // namespace bochner::detail
