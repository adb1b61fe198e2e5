#include "bochner/data/row_source.hpp"

#include <memory>
#include <utility>

#include "bochner/core/checks.hpp"

namespace bochner {

RowSource memory_rows(Matrix X, Matrix Y) {
  check_size("memory_rows", "rows of Y", Y.rows(), "rows of X", X.rows());
  const auto x = std::make_shared<const Matrix>(std::move(X)),
             y = std::make_shared<const Matrix>(std::move(Y));
  return {x->rows(), x->cols(), y->cols(), [x, y](Index begin, MatrixOut X_out, MatrixOut Y_out) {
            X_out = x->middleRows(begin, X_out.rows());
            Y_out = y->middleRows(begin, Y_out.rows());
          }};
}

}  // namespace bochner
