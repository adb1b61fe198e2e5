#include "sign_flips.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "bochner/kernels/scaled_distance.hpp"
#include "src/kernels/radial.hpp"

namespace bochner {
namespace {

constexpr Index most_turned_columns = 24;  // whose directions are looked for anew with every call
constexpr double rounding = 1e-9;
constexpr Index many_columns = 24;  // of a block: from here on a product of matrices is faster
constexpr double too_close = 1e-8;  // of |a|^2 + |u|^2: a distance below has lost half of its digits

bool only_signs(const Motion& g) {
  if (g.from.empty() || !g.b.isZero(0)) return false;
  for (std::size_t i = 0; i < g.from.size(); ++i)
    if (g.from[i] != static_cast<Index>(i)) return false;
  return true;
}

/// G x D: signs of the columns; none where a motion does more.
std::optional<Matrix> column_signs(const std::vector<Motion>& motions) {
  Matrix out(Index(motions.size()), motions.front().dims());
  for (std::size_t g = 0; g < motions.size(); ++g) {
    if (!only_signs(motions[g])) return std::nullopt;
    out.row(Index(g)) = motions[g].sign.transpose();
  }
  return out;
}

/// Directions that all motions keep or turn: eigenvectors of a mixture of them in which no two combinations of signs agree.
std::optional<Matrix> common_directions(const std::vector<Motion>& motions, Matrix& signs) {
  const Index D = motions.front().dims();
  if (D > most_turned_columns) return std::nullopt;
  Matrix mixture = Matrix::Zero(D, D);
  for (std::size_t g = 0; g < motions.size(); ++g) {
    if (!motions[g].b.isZero(0)) return std::nullopt;
    const Matrix A = motions[g].linear();
    if ((A - A.transpose()).cwiseAbs().maxCoeff() > rounding) return std::nullopt;
    mixture += std::sqrt(double(g) + 1) * A;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(mixture);
  Matrix U = solved.eigenvectors();
  signs.resize(Index(motions.size()), D);
  for (std::size_t g = 0; g < motions.size(); ++g) {
    const Matrix turned = U.transpose() * motions[g].linear() * U;
    signs.row(Index(g)) = turned.diagonal().array().sign().matrix().transpose();
    if ((turned - Matrix(signs.row(Index(g)).asDiagonal())).cwiseAbs().maxCoeff() > rounding)
      return std::nullopt;
  }
  return U;
}

/// |x - z|^2 and |x + z|^2 over the columns of one block, scaled.
struct Distances {
  Matrix minus, plus;
};

Matrix block_of(MatrixIn X, const std::vector<Index>& columns) { return X(Eigen::all, columns); }

Distances distances(const Vector& ell, const Matrix& X, const Matrix& Z, bool turns) {
  Distances out{Matrix(X.rows(), Z.rows()), Matrix()};
  if (X.cols() < many_columns) {
    scaled_distance_block(ell, X, Z, out.minus);
    if (!turns) return out;
    out.plus.resize(X.rows(), Z.rows());
    scaled_distance_block(ell, X, -Z, out.plus);
    return out;
  }
  const Matrix A = X * ell.cwiseInverse().asDiagonal(), U = Z * ell.cwiseInverse().asDiagonal();
  const Vector a2 = A.rowwise().squaredNorm(), u2 = U.rowwise().squaredNorm();
  const Matrix S = 2 * (A * U.transpose());
  if (turns) out.plus.resize(X.rows(), Z.rows());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < U.rows(); ++j) {
      const double sum = a2(i) + u2(j);
      out.minus(i, j) = sum - S(i, j);
      if (!(out.minus(i, j) >= too_close * sum)) out.minus(i, j) = (A.row(i) - U.row(j)).squaredNorm();
      if (!turns) continue;
      out.plus(i, j) = sum + S(i, j);
      if (!(out.plus(i, j) >= too_close * sum)) out.plus(i, j) = (A.row(i) + U.row(j)).squaredNorm();
    }
  return out;
}

/// Adjoints of both, which have the shapes of the block.
void pull_distances(const Vector& ell, const Matrix& X, const Matrix& Z, const Distances& W, Vector& dlog_ell,
                    Matrix& dX, Matrix& dZ) {
  const bool turns = W.plus.size() > 0;
  if (X.cols() < many_columns) {
    pull_scaled_distance_block(ell, X, Z, W.minus, dlog_ell, dX, dZ);
    if (!turns) return;
    Matrix dturned = Matrix::Zero(Z.rows(), Z.cols());
    pull_scaled_distance_block(ell, X, -Z, W.plus, dlog_ell, dX, dturned);
    dZ -= dturned;
    return;
  }
  const Vector inverse = ell.cwiseInverse();
  const Matrix A = X * inverse.asDiagonal(), U = Z * inverse.asDiagonal();
  const Matrix sum = turns ? Matrix(W.minus + W.plus) : W.minus,
               difference = turns ? Matrix(W.minus - W.plus) : W.minus;
  const Vector rows = sum.rowwise().sum(), columns = sum.colwise().sum();
  const Matrix WU = difference * U, WA = difference.transpose() * A;
  dlog_ell -= 2 * (A.cwiseAbs2().transpose() * rows + U.cwiseAbs2().transpose() * columns -
                   2 * A.cwiseProduct(WU).colwise().sum().transpose());
  dX += (rows.asDiagonal() * A - WU) * (2 * inverse).asDiagonal();
  dZ += (columns.asDiagonal() * U - WA) * (2 * inverse).asDiagonal();
}

const Vector& length_scales(const AnyKernel& kernel) {
  if (const auto* rbf = std::get_if<Rbf>(&kernel)) return rbf->ell;
  return std::get<Matern>(kernel).ell;
}

/// Distances of each block.
std::vector<Distances> all_distances(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z) {
  const Vector& ell = length_scales(k.kernel);
  std::vector<Distances> out;
  for (std::size_t b = 0; b < flips.blocks.size(); ++b) {
    const std::vector<Index>& columns = flips.blocks[b];
    out.push_back(distances(ell(columns), block_of(X, columns), block_of(Z, columns),
                            flips.signs.col(Index(b)).minCoeff() < 0));
  }
  return out;
}

/// The squared distance to g z, summed over blocks.
void distance_to(const SignFlips& flips, const std::vector<Distances>& each, Index g, Matrix& r2) {
  for (std::size_t b = 0; b < each.size(); ++b) {
    const Matrix& one = flips.signs(g, Index(b)) > 0 ? each[b].minus : each[b].plus;
    if (b == 0)
      r2 = one;
    else
      r2 += one;
  }
}

/// f(kernel) for Rbf or Matern.
template <class F>
void with_radial(const AnyKernel& kernel, const F& f) {
  if (const auto* rbf = std::get_if<Rbf>(&kernel)) return f(*rbf);
  f(std::get<Matern>(kernel));
}

}  // namespace

Matrix SignFlips::turned(MatrixIn X) const {
  return directions.size() == 0 ? Matrix(X) : Matrix(X * directions);
}

Matrix SignFlips::pull_turned(MatrixIn dX) const {
  return directions.size() == 0 ? Matrix(dX) : Matrix(dX * directions.transpose());
}

std::optional<SignFlips> sign_flips(const Harmonics& k) {
  if (k.motions.size() < 2) return std::nullopt;
  if (!std::holds_alternative<Rbf>(k.kernel) && !std::holds_alternative<Matern>(k.kernel))
    return std::nullopt;
  SignFlips out;
  std::optional<Matrix> signs = column_signs(k.motions);
  if (!signs) {
    const Vector& ell = length_scales(k.kernel);
    if (!(ell.array() == ell(0)).all()) return std::nullopt;
    signs.emplace();
    std::optional<Matrix> U = common_directions(k.motions, *signs);
    if (!U) return std::nullopt;
    out.directions = std::move(*U);
  }
  std::vector<Index> first;  // column of each block
  for (Index c = 0; c < signs->cols(); ++c) {
    std::size_t b = 0;
    while (b < first.size() && signs->col(first[b]) != signs->col(c)) ++b;
    if (b == first.size()) {
      first.push_back(c);
      out.blocks.emplace_back();
    }
    out.blocks[b].push_back(c);
  }
  out.signs = (*signs)(Eigen::all, first);
  return out;
}

void flip_tile(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z,
               std::vector<Matrix>& tile) {
  const std::vector<Distances> each = all_distances(k, flips, X, Z);
  for (Matrix& K : tile) K = Matrix::Zero(X.rows(), Z.rows());
  Matrix part;
  for (Index g = 0; g < k.weights.cols(); ++g) {
    if ((k.weights.col(g).array() == 0).all()) continue;
    distance_to(flips, each, g, part);
    with_radial(k.kernel, [&](const auto& kernel) {
      for (Index i = 0; i < part.rows(); ++i)
        radial_row(kernel, part.row(i).data(), part.row(i).data(), part.cols());
    });
    for (Index h = 0; h < k.weights.rows(); ++h)
      if (const double w = k.weights(h, g); w != 0) tile[static_cast<std::size_t>(h)] += w * part;
  }
}

void pull_flip_tile(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z,
                    const std::vector<Matrix>& dtile, VectorOut dtheta, MatrixOut dX, MatrixOut dZ) {
  const std::vector<Distances> each = all_distances(k, flips, X, Z);
  std::vector<Distances> W;  // adjoints of `each`
  for (const Distances& d : each)
    W.push_back({Matrix::Zero(d.minus.rows(), d.minus.cols()), Matrix::Zero(d.plus.rows(), d.plus.cols())});
  const Index D = X.cols();
  Matrix r2, part(X.rows(), Z.rows()), dpart(X.rows(), Z.rows());
  for (Index g = 0; g < k.weights.cols(); ++g) {
    if ((k.weights.col(g).array() == 0).all()) continue;
    distance_to(flips, each, g, r2);
    dpart.setZero();
    for (Index h = 0; h < k.weights.rows(); ++h)
      if (const double w = k.weights(h, g); w != 0) dpart += w * dtile[static_cast<std::size_t>(h)];
    with_radial(k.kernel, [&](const auto& kernel) {
      for (Index i = 0; i < r2.rows(); ++i) {
        radial_row(kernel, r2.row(i).data(), part.row(i).data(), part.cols());
        dtheta(D) += radial_pull_row(kernel, r2.row(i).data(), part.row(i).data(), dpart.row(i).data(),
                                     dpart.row(i).data(), part.cols());
      }
    });
    for (std::size_t b = 0; b < W.size(); ++b)
      (flips.signs(g, Index(b)) > 0 ? W[b].minus : W[b].plus) += dpart;
  }
  const Vector& ell = length_scales(k.kernel);
  for (std::size_t b = 0; b < W.size(); ++b) {
    const std::vector<Index>& columns = flips.blocks[b];
    const Matrix Xb = block_of(X, columns), Zb = block_of(Z, columns);
    Vector dlog_ell = Vector::Zero(Xb.cols());
    Matrix dXb = Matrix::Zero(Xb.rows(), Xb.cols()), dZb = Matrix::Zero(Zb.rows(), Zb.cols());
    pull_distances(ell(columns), Xb, Zb, W[b], dlog_ell, dXb, dZb);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      dtheta(columns[c]) += dlog_ell(Index(c));
      dX.col(columns[c]) += dXb.col(Index(c));
      dZ.col(columns[c]) += dZb.col(Index(c));
    }
  }
}

}  // namespace bochner
