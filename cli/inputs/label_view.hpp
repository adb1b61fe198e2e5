#pragma once
#include <string>
#include <vector>

#include "bochner/data/view.hpp"
#include "view_tables.hpp"

namespace bochner::cli {

/// The view that `--labels FILE:COLUMN` adds: one column per class, 1 where a sample belongs to it and 0 elsewhere.
inline constexpr const char* label_view_name = "labels";

/// `names` with that of the labels at the end; InputError if a table has it.
std::vector<std::string> with_label_view(std::vector<std::string> names);

/// The tables, then the labels of `spec`, as views; samples without a label are not in it, and none is added if `spec` is
/// empty. Tables without ids take those of the others (share_ids), the labels' too, or the other way round.
struct LabelledViews {
  std::vector<View> views;
  bool ids_generated = true;  // no file has any
};
LabelledViews views_with_labels(std::vector<ViewTable> tables, const std::string& spec,
                                std::vector<std::string>& notes);

}  // namespace bochner::cli
