#include "bochner/kernels/polynomial.hpp"

#include "bochner/core/checks.hpp"
#include "bochner/kernels/linear.hpp"

namespace bochner {
namespace {

/// base^n by multiplication, n >= 0: exact signs, and the same for a number and for a matrix of them.
Matrix power(const Matrix& base, int n) {
  Matrix out = Matrix::Ones(base.rows(), base.cols());
  for (int i = 0; i < n; ++i) out.array() *= base.array();
  return out;
}

double power(double base, int n) {
  double out = 1;
  for (int i = 0; i < n; ++i) out *= base;
  return out;
}

/// What is raised to the degree, with the same theta.
Linear base_of(const Polynomial& k) { return {.weight = k.weight, .offset = k.offset}; }

}  // namespace

std::vector<std::string> Polynomial::parameter_names() const { return base_of(*this).parameter_names(); }

Vector Polynomial::parameters() const { return base_of(*this).parameters(); }

Polynomial Polynomial::with_parameters(VectorIn theta) const {
  check_at_least("Polynomial", "degree", degree, 1);
  const Linear base = base_of(*this).with_parameters(theta);
  return {.weight = base.weight, .offset = *base.offset, .degree = degree};
}

double Polynomial::operator()(VectorIn x, VectorIn y) const { return power(base_of(*this)(x, y), degree); }

Vector Polynomial::gradient(VectorIn x, VectorIn y) const {
  const Linear base = base_of(*this);
  return degree * power(base(x, y), degree - 1) * base.gradient(x, y);
}

Vector Polynomial::input_gradient(VectorIn x, VectorIn y) const {
  const Linear base = base_of(*this);
  return degree * power(base(x, y), degree - 1) * base.input_gradient(x, y);
}

void Polynomial::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_at_least("Polynomial", "degree", degree, 1);
  Matrix B(X.rows(), Z.rows());
  base_of(*this).gram_block(X, Z, B);
  K = power(B, degree);
}

void Polynomial::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Linear base = base_of(*this);
  Matrix B(X.rows(), Z.rows());
  base.gram_block(X, Z, B);
  const Matrix dL_dB = degree * power(B, degree - 1).cwiseProduct(dL_dK);
  base.pull_block(X, Z, B, dL_dB, adjoint);
}

Vector Polynomial::diagonal(MatrixIn X) const { return power(Matrix(base_of(*this).diagonal(X)), degree); }

void Polynomial::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const Linear base = base_of(*this);
  const Vector dL_dbase = degree * power(Matrix(base.diagonal(X)), degree - 1).col(0).cwiseProduct(dL_dd);
  base.pull_diagonal(X, dL_dbase, dtheta, dX);
}

}  // namespace bochner
