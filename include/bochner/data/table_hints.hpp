#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner {

/// Something about a table that a model with Gaussian noise does not expect, and its user may not know.
struct TableHint {
  enum class Kind {
    counts,              // whole numbers from zero on that scatter as counts do
    binary,              // zeros and ones
    heavy_tails,         // a few entries are far from all others
    samples_in_columns,  // rows are what is measured, columns are samples
    ordered_rows,        // neighbouring rows are alike: a time series, or sorted
    row_sizes  // mostly zeros, none negative, and rows of very different sizes: text, counts of reads
  };
  Kind kind;
  std::string view;
  double share = 1;       // of its columns
  bool positive = false;  // none of these has a negative entry: logarithms would do
  double ratio =
      1;  // of row_sizes: root mean square of large rows (90th percentile) by that of small ones (10th)
};

/// Whether samples with the same label stand together, far more than in random order. `labels` has an indicator of each class
/// as a column, NaN for samples without a label.
bool sorted_by_label(const View& labels);

const char* to_string(TableHint::Kind kind);  // "counts"

/// At most one of each kind for a view. Judged by at most 2,000 rows and 500 columns at even distances.
std::vector<TableHint> table_hints(const Dataset& data);

}  // namespace bochner
