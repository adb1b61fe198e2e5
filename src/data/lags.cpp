#include "bochner/data/lags.hpp"

#include <vector>

#include "bochner/core/checks.hpp"

namespace bochner {

Matrix window_at(MatrixIn series, Index lags, Index t) {
  check_at_least("window_at", "lags", lags, 0);
  check_between("window_at", "t", double(t), double(lags), double(series.rows() - 1));
  const Matrix rows = series.middleRows(t - lags, lags + 1);
  return Eigen::Map<const Matrix>(rows.data(), 1, rows.size());
}

void push(Matrix& windows, MatrixIn next) {
  check_size("push", "rows of next", next.rows(), "rows of the windows", windows.rows());
  const Index rest = windows.cols() - next.cols();
  windows.leftCols(rest) = windows.rightCols(rest).eval();
  windows.rightCols(next.cols()) = next;
}

LagTable lag_table(MatrixIn series, Index lags) {
  check_at_least("lag_table", "lags", lags, 0);
  check_at_least("lag_table", "columns of the series", series.cols(), 1);
  const Index T = series.rows();
  std::vector<Index> at;
  Index since_gap = 0;  // rows without a gap up to and with t
  for (Index t = 0; t < T; ++t) {
    since_gap = series.row(t).array().isFinite().all() ? since_gap + 1 : 0;
    if (since_gap >= lags + 2) at.push_back(t);
  }
  LagTable out{Matrix(Index(at.size()), (lags + 1) * series.cols()), series(at, Eigen::all),
               Eigen::Map<const IndexVector>(at.data(), Index(at.size()))};
  for (Index i = 0; i < out.past.rows(); ++i) out.past.row(i) = window_at(series, lags, out.at(i) - 1);
  return out;
}

}  // namespace bochner
