#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// One table of one kind of measurement. Row n is the sample `ids[n]`, column m is the variable `columns[m]`;
/// an entry that was not measured is NaN.
struct View {
  std::string name;
  std::vector<std::string> ids;      // N, unique, not empty
  std::vector<std::string> columns;  // M, may repeat (gene symbols do)
  Matrix Y;                          // N x M, finite or NaN

  Index rows() const { return Y.rows(); }
  Index cols() const { return Y.cols(); }
};

/// A table that came without names: ids "0", "1", ... as pandas numbers rows, columns "<name>_0", "<name>_1",
/// ...
View make_view(std::string name, Matrix Y);

/// Throws InputError that names view, sample, column and remedy, if the view has no name, no
/// rows or no columns, an empty or a repeated id, or an infinite entry. Throws std::invalid_argument if `ids`
/// or `columns` do not have the shape of Y.
void check_view(const View& view);

/// The view with its columns in the order of `columns`, for a model that was fitted to them. Columns the
/// model does not know are dropped. InputError if a column is absent, or if its name is not unique in the
/// view (unless the names already agree one by one).
View select_columns(View view, const std::vector<std::string>& columns);

/// Where Y (N x M) is measured: true unless NaN.
BoolMatrix observed_mask(MatrixIn Y);
Index count_observed(MatrixIn Y);

}  // namespace bochner
