#include "bochner/infer/cayley_adam.hpp"

#include <Eigen/LU>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/infer/stiefel.hpp"
#include "descend.hpp"

namespace bochner {
namespace {

using MatrixEstimate = detail::Estimate<Matrix>;

/// W = A X' - X A' and its products: everything that the step needs, none of it n x n.
struct SkewPair {
  const Matrix& A;  // n x p
  const Matrix& X;  // n x p
  const Compute& compute;
  Matrix XA = multiply_transposed<double>(X, A, compute);  // p x p, as the next two
  Matrix AA = inner_gram<double>(A, compute), XX = inner_gram<double>(X, compute);

  /// |W|_F^2 = 2 <X'X, A'A> - 2 <X'A, A'X>.
  double norm() const {
    return std::sqrt(
        std::max(0.0, 2 * XX.cwiseProduct(AA).sum() - 2 * XA.cwiseProduct(XA.transpose()).sum()));
  }

  Matrix times(const Matrix& Z) const {  // W Z = A (X'Z) - X (A'Z)
    return multiply<double>(A, multiply_transposed<double>(X, Z, compute), compute) -
           multiply<double>(X, multiply_transposed<double>(A, Z, compute), compute);
  }

  /// (I + aW/2)^-1 (I - aW/2) X = X - a U (I + a/2 V'U)^-1 V'X,  U = [A, X],  V = [X, -A]   [wen2013, Lem. 4]
  Matrix cayley(double a) const {
    const Index p = X.cols();
    Matrix S(2 * p, 2 * p), VX(2 * p, p);
    S << XA, XX, -AA, -XA.transpose();  // V'U
    VX << XX, -XA.transpose();
    S *= 0.5 * a;
    S.diagonal().array() += 1.0;
    const Matrix Z = Eigen::PartialPivLU<Matrix>(S).solve(VX);  // 2p x p
    return X -
           a * (multiply<double>(A, Z.topRows(p), compute) + multiply<double>(X, Z.bottomRows(p), compute));
  }

  /// Y <- X - a/2 W (X + Y): contracts to the transform when a |W| < 2   [li2020, Alg. 2, lines 11-13]
  Matrix fixed_point(double a, Index iterations) const {
    const Matrix WX = times(X);
    Matrix Y = X - a * WX;
    for (Index i = 0; i < iterations; ++i) Y = X - (0.5 * a) * (WX + times(Y));
    return Y;
  }
};

MatrixEstimate without_noise(const StiefelObjective& f) {
  return [&f](const Matrix& X, Index, Matrix& grad) { return f(X, grad); };
}

StiefelResult descend(const MatrixEstimate& f, bool stochastic, double sign, CayleyAdamRun& run,
                      const CayleyAdamOptions& options, const OnIteration& on, const Compute& compute) {
  const char* const function = "minimize(CayleyAdamOptions)";
  detail::check_descent(function, options);
  check_positive(function, "contraction", options.contraction);
  check_at_least(function, "fixed_point_iterations", options.fixed_point_iterations, 0);
  check_positive(function, "orthonormality_tolerance", options.orthonormality_tolerance);
  check_at_least(function, "columns of X", run.theta.cols(), 1);
  check_at_least(function, "rows of X", run.theta.rows(), run.theta.cols());
  check_finite(function, "X", run.theta);
  const double error = orthonormality_error(run.theta, compute);
  check_between(function, "max |X'X - I|", error, 0.0, 1e-6);
  if (error > options.orthonormality_tolerance) run.theta = polish_orthonormality(run.theta, 1e-14, compute);
  const detail::Geometry<Matrix, CayleyAdamState> stiefel{
      .gradient_norm = [&](const Matrix& X,
                           const Matrix& grad) { return stiefel_gradient(X, grad, compute).norm(); },
      .step = [&](CayleyAdamState& state, Matrix& X, const Matrix& grad,
                  double factor) { state.step(X, grad, options, factor, compute); }};
  return detail::descend(f, stochastic, sign, stiefel, run, options, on);
}

StiefelResult descend(const MatrixEstimate& f, bool stochastic, double sign, Matrix&& X,
                      const CayleyAdamOptions& options, const OnIteration& on, const Compute& compute) {
  CayleyAdamRun run{.theta = std::move(X)};
  return descend(f, stochastic, sign, run, options, on, compute);
}

}  // namespace

void CayleyAdamState::step(MatrixOut X, MatrixIn grad, const CayleyAdamOptions& options, double factor,
                           const Compute& compute) {
  const char* const function = "CayleyAdamState::step";
  check_size(function, "rows of grad", grad.rows(), "rows of X", X.rows());
  check_size(function, "columns of grad", grad.cols(), "columns of X", X.cols());
  if (count == 0) momentum.setZero(X.rows(), X.cols());
  check_size(function, "rows of the momentum", momentum.rows(), "rows of X", X.rows());
  check_size(function, "columns of the momentum", momentum.cols(), "columns of X", X.cols());
  ++count;
  const double b1 = options.beta1, b2 = options.beta2;
  momentum = b1 * momentum + (1 - b1) * grad;
  v = b2 * v + (1 - b2) * grad.squaredNorm();
  const double r =
      (1 - std::pow(b1, double(count))) * std::sqrt(v / (1 - std::pow(b2, double(count))) + options.eps);

  const Matrix old = X;
  const Matrix half_XM = 0.5 * multiply_transposed<double>(old, momentum, compute);  // p x p
  const Matrix A = (momentum - multiply<double>(old, half_XM, compute)) / r;         // n x p
  const SkewPair W{A, old, compute};
  momentum = r * W.times(old);
  const double a = std::min(options.step * factor, 2 * options.contraction / (W.norm() + options.eps));
  X = options.fixed_point_iterations > 0 ? W.fixed_point(a, options.fixed_point_iterations) : W.cayley(a);
  if (orthonormality_error(X, compute) > options.orthonormality_tolerance)
    X = polish_orthonormality(X, 1e-14, compute);
}

StiefelResult minimize(const StiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(without_noise(f), false, 1.0, std::move(X), options, on, compute);
}
StiefelResult maximize(const StiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(without_noise(f), false, -1.0, std::move(X), options, on, compute);
}
StiefelResult minimize(const StiefelObjective& f, CayleyAdamRun& run, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(without_noise(f), false, 1.0, run, options, on, compute);
}
StiefelResult maximize(const StiefelObjective& f, CayleyAdamRun& run, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(without_noise(f), false, -1.0, run, options, on, compute);
}

StiefelResult minimize(const StochasticStiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(f, true, 1.0, std::move(X), options, on, compute);
}
StiefelResult maximize(const StochasticStiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on, const Compute& compute) {
  return descend(f, true, -1.0, std::move(X), options, on, compute);
}
StiefelResult minimize(const StochasticStiefelObjective& f, CayleyAdamRun& run,
                       const CayleyAdamOptions& options, const OnIteration& on, const Compute& compute) {
  return descend(f, true, 1.0, run, options, on, compute);
}
StiefelResult maximize(const StochasticStiefelObjective& f, CayleyAdamRun& run,
                       const CayleyAdamOptions& options, const OnIteration& on, const Compute& compute) {
  return descend(f, true, -1.0, run, options, on, compute);
}

}  // namespace bochner
