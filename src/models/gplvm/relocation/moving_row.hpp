#pragma once
#include <vector>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// log p(Y | X) of one view, functions integrated out, as one row of X moves and the others stay:
///
///   log p(Y | X) = log p(Y_-n | X_-n) + sum_m log N(y_nm | k'C_-n Y_-n, s),   s = k(x, x) + sigma2 - k'C_-n k
///
/// with C_-n the inverse of K + sigma2 I without row n and k = k(X_-n, x): only the last term depends on where the row is, so a
/// move that raises it raises the bound by as much. With C = (K + sigma2 I)^-1 of all rows and A = C Y, everything is of the
/// order of N (N + M) for one row.
class MovingRow {
 public:
  /// X (N x Q); Y (N x M) scaled, NaN where missing; `filled` (N x M) has values there, which count for the other rows. Rows and
  /// columns without an entry do not matter. A column that does not vary would reward crowded places: leave it out.
  MovingRow(const AnyKernel& kernel, double sigma2, const Matrix& X, const Matrix& Y, const Matrix& filled,
            const Compute& compute);

  /// What log p(Y | X) gains if row n moves to x (1 x Q).
  double gain(Index n, const Matrix& x) const;
  void move(Index n, const Matrix& x);

 private:
  struct At {  // row n at x, the others as they are
    Vector c;  // C_-n k, zero at n
    double s = 0;
    Vector mean;  // M
  };
  At look(Index n, const Matrix& x) const;
  double density(Index n, const Vector& error, double s) const;

  const AnyKernel& kernel_;
  double sigma2_;
  std::vector<Index> rows_, place_;  // those with an entry; the place of each row among them, or -1
  Matrix X_, Y_;
  BoolMatrix measured_;
  Matrix C_, A_;
};

/// Moves rows of the latent to their places in `proposed`, one after the other in the order given, where the bound at the
/// posterior means gains more than `nats` given where the others are by then; the number of those that moved. `views` must be
/// up to date with `latent`.
Index move_where_it_gains(std::vector<MovingRow>& views, const std::vector<Index>& order,
                          const LatentPosterior& proposed, double nats, LatentPosterior& latent);

}  // namespace bochner
