#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/lbfgs.hpp"
#include "bochner/models/kpca/kpca.hpp"
#include "present.hpp"

namespace bochner {
namespace {

constexpr Index smoother_neighbours = 10;
constexpr Index block = 1024;  // rows whose kernel values with all others are in memory at once

/// phi = x o w, so that x = (mean + U h) / w.
LinearPreimage identity_of(const KpcaView& view) {
  const auto& map = std::get<LinearFeatures<double>>(view.map->map);
  const Vector inverse = (map.log_weight.array().exp() * std::sqrt(view.weight)).inverse();
  return {view.feature_mean.cwiseProduct(inverse), view.U.transpose() * inverse.asDiagonal()};
}

/// Coefficients of phi(x_j) in the point of feature space: sum_j (h'h_j) (phi_j - mean) + mean, N x n.
Matrix coefficients(const KpcaFit& fit, MatrixIn h, const Compute& compute) {
  Matrix gamma = multiply<double>(h, fit.H.transpose(), compute);
  const Vector means = gamma.rowwise().mean();
  gamma.colwise() -= means;
  gamma.array() += 1.0 / double(fit.H.rows());
  return gamma;
}

/// [schreurs2018]: the training rows whose predicted kernel values k(x_j, x) are largest, weighted by these.
Matrix smoother(const KpcaView& view, const Matrix& gamma, const Compute& compute) {
  Matrix K(gamma.rows(), view.X.rows());  // N x n
  for (Index begin = 0; begin < K.cols(); begin += block) {
    const Index size = std::min(block, K.cols() - begin);
    K.middleCols(begin, size) =
        multiply<double>(gamma, gram(*view.kernel, view.X, view.X.middleRows(begin, size), compute), compute);
  }
  const Index n = view.X.rows(), count = std::min(smoother_neighbours, n);
  Matrix out(gamma.rows(), view.cols());
  for_each_block(compute, gamma.rows(), 16, [&](Index begin, Index size) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    for (Index i = begin; i < begin + size; ++i) {
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + count, order.end(),
                        [&](Index a, Index b) { return K(i, a) != K(i, b) ? K(i, a) > K(i, b) : a < b; });
      const double least = K.row(i).minCoeff();
      Vector sum = Vector::Zero(view.cols());
      double total = 0;
      for (Index j = 0; j < count; ++j) {
        const Index row = order[static_cast<std::size_t>(j)];
        const double w = K(i, row) > 0 ? K(i, row) : 1e-12 * (K(i, row) - least + 1e-300);
        sum += w * view.X.row(row).transpose();
        total += w;
      }
      out.row(i) = sum / total;
    }
  });
  return out;
}

/// x <- sum_j gamma_j k(x_j, x) x_j / sum_j gamma_j k(x_j, x)   [mika1999, Eq. 10], from the smoother; where the
/// denominator vanishes or the iteration runs away the smoother stays.
Matrix fixed_point(const KpcaView& view, const Matrix& gamma, Matrix X, const Compute& compute) {
  const Matrix start = X;
  for_each_block(compute, X.rows(), 8, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) {
      Matrix K(1, view.X.rows());
      for (int iteration = 0; iteration < 200; ++iteration) {
        gram_block(*view.kernel, X.row(i), view.X, K);
        const Vector w = K.row(0).transpose().cwiseProduct(gamma.row(i).transpose());
        const double total = w.sum(), size_of = w.cwiseAbs().sum();
        if (!(total > 1e-6 * size_of)) {
          X.row(i) = start.row(i);
          break;
        }
        const Vector next = view.X.transpose() * w / total;
        const double moved = (next - X.row(i).transpose()).norm();
        X.row(i) = next;
        if (moved <= 1e-10 * (1 + next.norm())) break;
      }
    }
  });
  return X;
}

/// The x that is nearest in feature space: minimise k(x, x) - 2 sum_j gamma_j k(x_j, x).
Matrix nearest(const KpcaView& view, const Matrix& gamma, Matrix X, const Compute& compute) {
  const AnyKernel& kernel = *view.kernel;
  const Index n = view.X.rows(), M = X.cols(), P = parameter_count(kernel);
  for_each_block(compute, X.rows(), 4, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) {
      if (!X.row(i).allFinite()) continue;  // a sample without any view
      const Objective f = [&](const Vector& x, Vector& grad) {
        const Matrix row = x.transpose();
        Matrix K(1, n), dx = Matrix::Zero(1, M), dX = Matrix::Zero(n, M);
        gram_block(kernel, row, view.X, K);
        const double value = diagonal(kernel, row)(0) - 2 * K.row(0).dot(gamma.row(i));
        Vector dtheta = Vector::Zero(P);
        KernelAdjoint adjoint{dtheta, dx, dX};
        pull_block(kernel, row, view.X, K, -2 * gamma.row(i), adjoint);
        pull_diagonal(kernel, row, Vector::Ones(1), dtheta, dx);
        grad = dx.row(0).transpose();
        return value;
      };
      X.row(i) =
          minimize(f, X.row(i).transpose(), LbfgsOptions{.max_iterations = 200, .keep_trace = false}).theta;
    }
  });
  return X;
}

/// Least squares with a penalty: x = mean + B'h with the h that the present views give the training rows,
/// B = (A + rho I)^-1 C, A = sum h h', C = sum h x'. rho minimises n |residual|^2 / (n - df)^2, all columns together.
LinearPreimage ridge_of(const KpcaFit& fit, std::size_t v, const std::vector<bool>& present) {
  const KpcaView& view = fit.views[v];
  const Index s = fit.dims();
  Matrix second = Matrix::Zero(s, s), cross = Matrix::Zero(s, view.cols());
  for (std::size_t a = 0; a < present.size(); ++a) {
    if (!present[a]) continue;
    cross += view.cross[a];
    for (std::size_t b = 0; b < present.size(); ++b)
      if (present[b]) second += fit.second[a][b];
  }
  const Matrix inverse = inverse_of_present(fit, present);
  const Eigen::MatrixXd A = inverse * second * inverse;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (A + A.transpose()));
  if (solver.info() != Eigen::Success) throw NumericalError("predict_view: the ridge could not be solved");
  const Vector a = solver.eigenvalues().cwiseMax(0);
  const Matrix C = solver.eigenvectors().transpose() * inverse * cross;  // s x M, in the eigenbasis
  const Vector c2 = C.rowwise().squaredNorm();
  const double n = double(fit.H.rows()), squares = view.x_squares.sum();
  const double rounding = n * std::numeric_limits<double>::epsilon() * squares;  // of |residual|^2
  double best = std::numeric_limits<double>::infinity(), rho = 0;
  for (int step = -48; step <= 8; ++step) {
    const double candidate = a.maxCoeff() * std::pow(10.0, 0.25 * step);
    const Vector shrunk = (a.array() + candidate).inverse();
    const double fitted = (c2.array() * shrunk.array() * (2 - a.array() * shrunk.array())).sum();
    const double df = 1 + (a.array() * shrunk.array()).sum();
    if (df >= n) continue;
    if (squares - fitted <= rounding) {  // no noise: the least penalty, not the one that the last bits favour
      rho = candidate;
      break;
    }
    const double gcv = (squares - fitted) / ((n - df) * (n - df));
    if (gcv < best) {
      best = gcv;
      rho = candidate;
    }
  }
  return {view.x_mean, solver.eigenvectors() * (a.array() + rho).inverse().matrix().asDiagonal() * C};
}

Matrix network(const KpcaView& view, MatrixIn h, const Compute& compute) {
  return feature_matrix(*view.inverse, h * view.U.transpose(), compute);
}

Matrix preimage(const KpcaFit& fit, std::size_t v, MatrixIn h, const std::vector<bool>& present,
                const Compute& compute) {
  const KpcaView& view = fit.views[v];
  switch (view.preimage) {
    case Preimage::identity:
    case Preimage::ridge: {
      const LinearPreimage map = linear_preimage(fit, v, present);
      Matrix out = h * map.B;
      out.rowwise() += map.mean.transpose();
      return out;
    }
    case Preimage::network:
      return network(view, h, compute);
    case Preimage::automatic:
    case Preimage::smoother:
    case Preimage::fixed_point:
    case Preimage::gradient:
      break;
  }
  const Matrix gamma = coefficients(fit, h, compute);
  Matrix X = smoother(view, gamma, compute);
  if (view.preimage == Preimage::fixed_point) X = fixed_point(view, gamma, std::move(X), compute);
  if (view.preimage == Preimage::gradient) X = nearest(view, gamma, std::move(X), compute);
  return X;
}

}  // namespace

LinearPreimage linear_preimage(const KpcaFit& fit, std::size_t v, const std::vector<bool>& present) {
  return fit.views[v].preimage == Preimage::identity ? identity_of(fit.views[v]) : ridge_of(fit, v, present);
}

Matrix predict_view(const KpcaFit& fit, Index v, MatrixIn h, const std::vector<bool>& present,
                    const Compute& compute) {
  const auto at = static_cast<std::size_t>(v);
  const KpcaView& view = fit.views.at(at);
  check_size("predict_view", "columns of h", h.cols(), "the number of components", fit.dims());
  std::vector<bool> from = present;
  if (from.empty()) from.assign(fit.views.size(), true);
  check_size("predict_view", "size of present", Index(from.size()), "the number of views",
             Index(fit.views.size()));
  Matrix out(h.rows(), view.cols());
  for (Index begin = 0; begin < h.rows(); begin += block) {
    const Index size = std::min(block, h.rows() - begin);
    out.middleRows(begin, size) = preimage(fit, at, h.middleRows(begin, size), from, compute);
  }
  return view.scaling.undo(out);
}

}  // namespace bochner
