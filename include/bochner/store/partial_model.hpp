#pragma once
#include "bochner/store/model_file.hpp"

namespace bochner {

/// read_model without the entry of the file called `without`: one that is large and not needed. The checksum is still that of
/// the whole file.
ModelGroup read_model_without(const std::string& path, const std::string& without);
ModelGroup parse_model_without(std::string_view bytes, const std::string& name, const std::string& without);

}  // namespace bochner
