#pragma once
#include <string>

#include "bochner/data/view.hpp"
#include "bochner/tables/table.hpp"

namespace bochner {

/// The table as the view `name`. Columns that came without names are called "<name>_0", "<name>_1", ... as those of
/// make_view(name, Y), so that the columns of two such views differ.
View make_view(std::string name, Table table);

/// The view as a table, for writing.
Table make_table(View view);

}  // namespace bochner
