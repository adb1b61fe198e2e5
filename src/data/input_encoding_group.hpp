#pragma once
#include "bochner/data/input_encoding.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// An encoding of inputs as entries of a model file. Reading throws InputError for what is no encoding.
ModelGroup input_encoding_group(const InputEncoding& encoding);
InputEncoding input_encoding_from(const ModelGroup& group);

}  // namespace bochner::detail
