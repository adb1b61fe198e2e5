#pragma once
#include "bochner/run/json_file.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::cli {

/// The entries of a model file as JSON: groups are objects, vectors lists, matrices lists of rows.
Json to_json(const ModelGroup& group);

}  // namespace bochner::cli
