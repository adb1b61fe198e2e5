#include "bochner/data/table_view.hpp"

#include <utility>

namespace bochner {

View make_view(std::string name, Table table) {
  if (table.columns_generated)
    for (std::string& column : table.columns) column = name + "_" + column;
  return {std::move(name), std::move(table.ids), std::move(table.columns), std::move(table.values)};
}

Table make_table(View view) { return {std::move(view.ids), std::move(view.columns), std::move(view.Y)}; }

}  // namespace bochner
