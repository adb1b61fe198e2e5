#pragma once
#include <string>
#include <string_view>

#include "bochner/store/model_file.hpp"

namespace bochner::detail {

inline constexpr std::size_t model_header_size = 512;  // HDF5 allows 512, 1024, ...

/// The HDF5 file for `content`, in memory; its first 512 bytes are zeros and free.
std::string to_hdf5(const ModelGroup& content);

/// The inverse, parsed in a child process: HDF5 does not survive every damage, and a checksum is no signature. The entry
/// `without` is left out.
ModelGroup from_hdf5(std::string_view bytes, const std::string& name, const std::string& without);

}  // namespace bochner::detail
