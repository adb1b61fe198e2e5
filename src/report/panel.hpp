#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/run/json_file.hpp"

namespace bochner::detail {

// The panels of a page as its code (report/js/) expects them. A panel has a title, a line that says how to read it, and what
// its kind needs: "lines", "bars", "points", "heatmap" and "table" are general, "latent", "decoder" and "map" are for
// what they say.

/// `how`: one line that says how to read it. `wide`: as wide as the page.
Json panel(const std::string& id, const std::string& kind, const std::string& title, const std::string& how,
           bool wide = false);

/// A curve; `lo` and `hi` are the edges of its band, or empty.
Json curve(const std::string& name, VectorIn x, VectorIn y, VectorIn lo = Vector(), VectorIn hi = Vector());

/// Curves over common axes. `curves` is an array.
Json chart(const std::string& title, const std::string& x, const std::string& y, Json curves);

/// A bar for each series in each row.
struct BarRow {
  std::string name;
  std::vector<double> values;
};
Json bars(const std::string& title, const std::string& axis, const std::vector<std::string>& series,
          const std::vector<BarRow>& rows);

/// A table of text and numbers; a cell is a string, a number or null.
Json table_of(const std::vector<std::string>& columns, Json rows);

/// Rows of Json lists of `rows` x `columns` names, values between low and high.
Json heatmap(const std::vector<std::string>& rows, const std::vector<std::string>& columns, MatrixIn values);

/// Cut to a length that fits a page; the end becomes "...". UTF-8 stays whole.
std::string shortened(const std::string& name, std::size_t most = 200);

/// "12,345"
std::string with_commas(Index number);

}  // namespace bochner::detail
