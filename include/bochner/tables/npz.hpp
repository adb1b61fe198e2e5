#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner {

/// One array of a NumPy archive (np.savez, np.savez_compressed), by the name it was saved under; see npy.hpp
/// for what an array may be. With `array` empty the archive must hold a single one. InputError lists the
/// arrays otherwise.
Table read_npz(const std::string& path, const std::string& array = "");

/// The same from memory; `name` stands for the file in messages.
Table parse_npz(std::string_view bytes, const std::string& name, const std::string& array = "");

/// The names of the arrays, in the order of the archive.
std::vector<std::string> npz_arrays(const std::string& path);

}  // namespace bochner
