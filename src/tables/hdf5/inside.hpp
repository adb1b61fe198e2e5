#pragma once
#include <string>

#include "h5.hpp"

namespace bochner::detail {

// Ways into a file that never leave it. These run in the child process (isolated.hpp).

/// "/a/b" for "a//b/": how datasets are compared and named.
std::string full_path(const std::string& object);

/// The group or dataset at `object`, seen from `where`; not ok() if there is none. Soft links are followed; an external
/// link is an InputError, because whoever wrote the file could point at any file of the reader's. `path` is for messages.
H5 open_inside(hid_t where, const std::string& object, const std::string& path);

/// Whether there is such a link (to whatever).
bool has_link(hid_t where, const std::string& object);

/// A string attribute, or nothing.
std::string text_attribute(hid_t object, const char* name);

}  // namespace bochner::detail
