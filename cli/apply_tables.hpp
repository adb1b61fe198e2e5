#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm_fit.hpp"

namespace bochner::cli {

/// New samples as the model knows its own: views under the model's names with the model's columns, joined by id. A
/// single table without a name is the view of a model that has one view only. InputError of one sentence for a view or a
/// column that does not belong. Adds to `notes` what the user should know.
Dataset read_new_samples(const std::vector<std::string>& views, const GplvmFit& fit,
                         std::vector<std::string>& notes);

}  // namespace bochner::cli
