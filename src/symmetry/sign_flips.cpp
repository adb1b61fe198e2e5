#include "sign_flips.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "bochner/kernels/scaled_distance.hpp"
#include "src/kernels/radial.hpp"

namespace bochner {
namespace {

constexpr Index most_turned_columns = 24;  // whose directions are looked for anew with every call
constexpr double rounding = 1e-9;

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

const Vector& length_scales(const AnyKernel& kernel) {
  if (const auto* rbf = std::get_if<Rbf>(&kernel)) return rbf->ell;
  return std::get<Matern>(kernel).ell;
}

/// |x_b - z_b|^2 and, where the block turns, |x_b + z_b|^2: one row of X at a time, so that all stays in the nearest cache.
class BlockDistances {
 public:
  BlockDistances(const Vector& ell, const std::vector<Index>& columns, bool turns, MatrixIn X, MatrixIn Z)
      : columns_(columns), minus_(ell(columns), X(Eigen::all, columns), Z(Eigen::all, columns)) {
    if (turns) plus_.emplace(ell(columns), X(Eigen::all, columns), -Z(Eigen::all, columns));
    for (Vector* each : {&r2_minus_, &r2_plus_, &w_minus_, &w_plus_}) each->resize(Z.rows());
  }

  void go_to(Index i) {
    minus_.row(i, r2_minus_.data());
    w_minus_.setZero();
    if (!plus_) return;
    plus_->row(i, r2_plus_.data());
    w_plus_.setZero();
  }

  const Vector& r2(double sign) const { return sign > 0 ? r2_minus_ : r2_plus_; }
  Vector& adjoint(double sign) { return sign > 0 ? w_minus_ : w_plus_; }

  void pull(Index i) {
    minus_.pull_row(i, w_minus_.data());
    if (plus_) plus_->pull_row(i, w_plus_.data());
  }

  void finish(Index rows, Index points, Vector& dlog_ell, MatrixOut dX, MatrixOut dZ) const {
    const auto d = static_cast<Index>(columns_.size());
    Vector dell = Vector::Zero(d);
    Matrix dx = Matrix::Zero(rows, d), dz = Matrix::Zero(points, d), dturned = dz;
    minus_.finish(dell, dx, dz);
    if (plus_) plus_->finish(dell, dx, dturned);
    for (Index c = 0; c < d; ++c) {
      const Index column = columns_[static_cast<std::size_t>(c)];
      dlog_ell(column) += dell(c);
      dX.col(column) += dx.col(c);
      dZ.col(column) += dz.col(c) - dturned.col(c);
    }
  }

 private:
  const std::vector<Index>& columns_;
  ScaledDistance minus_;
  std::optional<ScaledDistance> plus_;
  Vector r2_minus_, r2_plus_, w_minus_, w_plus_;
};

std::vector<BlockDistances> distances(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z) {
  std::vector<BlockDistances> out;
  for (std::size_t b = 0; b < flips.blocks.size(); ++b)
    out.emplace_back(length_scales(k.kernel), flips.blocks[b], flips.signs.col(Index(b)).minCoeff() < 0, X,
                     Z);
  return out;
}

/// |x - g z|^2 for the row that the blocks are at.
void distance_to(const SignFlips& flips, const std::vector<BlockDistances>& blocks, Index g, Vector& r2) {
  r2 = blocks.front().r2(flips.signs(g, 0));
  for (std::size_t b = 1; b < blocks.size(); ++b) r2 += blocks[b].r2(flips.signs(g, Index(b)));
}

/// Motions with a weight in some harmonic.
std::vector<Index> counted_motions(const Matrix& weights) {
  std::vector<Index> out;
  for (Index g = 0; g < weights.cols(); ++g)
    if ((weights.col(g).array() != 0).any()) out.push_back(g);
  return out;
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
  std::vector<BlockDistances> blocks = distances(k, flips, X, Z);
  const std::vector<Index> motions = counted_motions(k.weights);
  for (Matrix& K : tile) K = Matrix::Zero(X.rows(), Z.rows());
  Vector part(Z.rows());
  with_radial(k.kernel, [&](const auto& kernel) {
    for (Index i = 0; i < X.rows(); ++i) {
      for (BlockDistances& block : blocks) block.go_to(i);
      for (const Index g : motions) {
        distance_to(flips, blocks, g, part);
        radial_row(kernel, part.data(), part.data(), part.size());
        for (Index h = 0; h < k.weights.rows(); ++h)
          if (const double w = k.weights(h, g); w != 0)
            tile[static_cast<std::size_t>(h)].row(i) += w * part.transpose();
      }
    }
  });
}

void pull_flip_tile(const Harmonics& k, const SignFlips& flips, MatrixIn X, MatrixIn Z,
                    const std::vector<Matrix>& dtile, VectorOut dtheta, MatrixOut dX, MatrixOut dZ) {
  std::vector<BlockDistances> blocks = distances(k, flips, X, Z);
  const std::vector<Index> motions = counted_motions(k.weights);
  const Index D = X.cols(), m = Z.rows();
  Vector r2(m), part(m), dpart(m);
  double dlog_sigma2 = 0;
  with_radial(k.kernel, [&](const auto& kernel) {
    for (Index i = 0; i < X.rows(); ++i) {
      for (BlockDistances& block : blocks) block.go_to(i);
      for (const Index g : motions) {
        distance_to(flips, blocks, g, r2);
        radial_row(kernel, r2.data(), part.data(), m);
        dpart.setZero();
        for (Index h = 0; h < k.weights.rows(); ++h)
          if (const double w = k.weights(h, g); w != 0)
            dpart += w * dtile[static_cast<std::size_t>(h)].row(i).transpose();
        dlog_sigma2 += radial_pull_row(kernel, r2.data(), part.data(), dpart.data(), dpart.data(), m);
        // What a distance of zero is multiplied by may be huge (Matern 1/2), and zero comes of differences of products only.
        dpart = (r2.array() == 0).select(0, dpart);
        for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].adjoint(flips.signs(g, Index(b))) += dpart;
      }
      for (BlockDistances& block : blocks) block.pull(i);
    }
  });
  Vector dlog_ell = Vector::Zero(D);
  for (const BlockDistances& block : blocks) block.finish(X.rows(), m, dlog_ell, dX, dZ);
  if (flips.directions.size() > 0) dlog_ell.setConstant(dlog_ell.mean());
  dtheta.head(D) += dlog_ell;
  dtheta(D) += dlog_sigma2;
}

}  // namespace bochner
