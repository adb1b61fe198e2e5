#include "natural.hpp"

#include <algorithm>

#include "bochner/core/checks.hpp"
#include "groups.hpp"

namespace bochner {
namespace {

/// F F'b for a lower triangular F.
Matrix covariance_times(const Matrix& F, MatrixIn b) {
  const Matrix Fb = F.transpose().triangularView<Eigen::Upper>() * b;
  return F.triangularView<Eigen::Lower>() * Fb;
}

}  // namespace

Precisions precisions(const HarmonicGp& gp, const Compute& compute) {
  Precisions out(at(gp.groups()));
  for_each_group(gp.groups(), compute, [&](Index h) {
    for (const Matrix& F : gp.factor[at(h)]) out[at(h)].push_back(inverse(CholeskyFactor{.L = F}, compute));
  });
  return out;
}

void natural_step(Precisions& precision, const NaturalTarget& target, double step, HarmonicGp& gp,
                  const Compute& compute) {
  check_between("natural_step", "step", step, 0, 1);
  const Index H = gp.groups();
  std::vector<Matrix> d(at(H)), moves(at(H));
  for_each_group(H, compute, [&](Index h) {
    std::vector<Matrix>& own = gp.factor[at(h)];
    for (std::size_t c = 0; c < own.size(); ++c) {
      Matrix& lambda = precision[at(h)][c];
      lambda.triangularView<Eigen::Lower>() = (1 - step) * lambda + step * target.precision[at(h)][c];
      own[c] = cholesky_of_inverse(lambda, {.what = "the precision of q(v)"}, compute);
    }
    const Matrix& g = target.dmean[at(h)];
    d[at(h)].resizeLike(g);
    if (own.size() == 1)
      d[at(h)] = covariance_times(own.front(), g);
    else
      for (Index p = 0; p < g.cols(); ++p) d[at(h)].col(p) = covariance_times(own[at(p)], g.col(p));
    moves[at(h)].noalias() = target.Psi[at(h)].transpose() * d[at(h)];
  });
  double slope = 0, bend = 0;
  Matrix move = Matrix::Zero(moves.front().rows(), moves.front().cols());
  for (Index h = 0; h < H; ++h) {
    slope += target.dmean[at(h)].cwiseProduct(d[at(h)]).sum();
    bend += d[at(h)].squaredNorm();
    move += moves[at(h)];
  }
  bend += target.curvature.cwiseProduct(move.cwiseAbs2()).sum();
  const double a = slope < step * bend ? slope / bend : step;
  for (Index h = 0; h < H; ++h) gp.mean[at(h)] += a * d[at(h)];
}

}  // namespace bochner
