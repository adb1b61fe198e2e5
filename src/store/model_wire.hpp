#pragma once
#include <optional>

#include "bochner/store/model_file.hpp"
#include "src/tables/subprocess.hpp"

namespace bochner::detail {

/// Sends a tree of entries from the child that has parsed it. False if the other end is gone.
bool send_group(Channel& channel, const ModelGroup& content);

/// Receives such a tree; nothing if what arrives is not one. The sender has handled a hostile file and may have been
/// taken over by it: no length, kind or name is believed before it was checked, and all that is received together is at
/// most `most_bytes`.
std::optional<ModelGroup> receive_group(Channel& channel, std::size_t most_bytes);

/// What an entry costs on top of its content: a bound on the number of entries that a file of a given size can hold. HDF5
/// needs more for each.
inline constexpr std::size_t entry_bytes = 32;
inline constexpr int deepest_group = 64;
inline constexpr std::size_t most_entries = 20000;  // of one group: each name is compared with all before it

}  // namespace bochner::detail
