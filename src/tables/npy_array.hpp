#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "bochner/core/types.hpp"
#include "bochner/tables/table.hpp"
#include "byte_source.hpp"

namespace bochner::detail {

/// The array in `bytes`, which are `size` in all. A promise in the header that the size does not keep is
/// found before memory is taken for it.
Table read_npy_array(ByteSource& bytes, std::uint64_t size, const std::string& name);

/// rows x cols uninitialised doubles, or an InputError that says how much memory the file would need.
Matrix room_for(Index rows, Index cols, const std::string& name);

/// InputError that names row and column (from 1) of the first infinite entry; row 0 of `values` is row
/// `first` of the file `name`.
void refuse_infinite(MatrixIn values, Index first, const std::string& name);

}  // namespace bochner::detail
