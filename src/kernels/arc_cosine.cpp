#include "bochner/kernels/arc_cosine.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/parameters.hpp"
#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {
namespace {

/// A block of rows as unit vectors: u_i = (sqrt(w_d) x_d, sqrt(bias)), length |u_i|, Unit(i) = u_i / |u_i|.
struct Augmented {
  Matrix Unit;    // n x (D + 1)
  Vector length;  // n

  Augmented(const ArcCosine& k, MatrixIn X) : Unit(X.rows(), X.cols() + 1) {
    Unit.leftCols(X.cols()) = X * k.weight.cwiseSqrt().asDiagonal();
    Unit.col(X.cols()).setConstant(std::sqrt(k.bias));
    length = Unit.rowwise().norm();
    Unit.array().colwise() /= length.array();
  }

  /// Adjoints of unit vectors and log lengths, turned into those of X, log w and log bias (u^2 is linear in them).
  void pull(const ArcCosine& k, const Matrix& dUnit, const Vector& dlog_length, VectorOut dtheta,
            MatrixOut dX) const {
    const Index D = dX.cols();
    for (Index i = 0; i < Unit.rows(); ++i) {
      const auto unit = Unit.row(i);
      // times |u|: the tangential part of dUnit, and along u the adjoint of log |u|
      const Vector du = (dUnit.row(i) + (dlog_length(i) - dUnit.row(i).dot(unit)) * unit).transpose();
      dX.row(i) += (du.head(D).array() * k.weight.array().sqrt()).matrix().transpose() / length(i);
      dtheta.head(D + 1) += 0.5 * unit.transpose().cwiseProduct(du);
    }
  }
};

/// One angle, from the squared distances of the unit vectors u and v, and of u and -v: s2 + t2 = 4.
struct Angle {
  double theta, sin, cos, s2;

  Angle(double distance2, double antipodal2) : s2(distance2) {
    theta = s2 < antipodal2 ? 2 * std::asin(0.5 * std::sqrt(s2))
                            : pi - 2 * std::asin(0.5 * std::sqrt(antipodal2));
    sin = 0.5 * std::sqrt(s2 * antipodal2);
    cos = s2 < antipodal2 ? 1 - 0.5 * s2 : 0.5 * antipodal2 - 1;
  }

  double J(int order) const {
    if (order == 0) return pi - theta;
    if (order == 1) return sin + (pi - theta) * cos;
    return 3 * sin * cos + (pi - theta) * (1 + 2 * cos * cos);
  }

  /// dJ/ds2 = -1/2 dJ/dc. Where sin theta = 0 whatever s2 carries on to is 0, except at the cusp of order 0.
  double slope(int order) const {
    if (order == 0) return sin > 0 ? -0.5 / sin : 0;
    return -0.5 * order * order * J(order - 1);
  }
};

double power(double base, int n) { return n == 0 ? 1 : n == 1 ? base : base * base; }

/// J_n(0) / pi
double at_zero(int order) { return order == 2 ? 3 : 1; }

}  // namespace

std::vector<std::string> ArcCosine::parameter_names() const {
  std::vector<std::string> names = numbered("log weight", weight.size());
  names.push_back("log bias");
  names.push_back("log sigma2");
  return names;
}

Vector ArcCosine::parameters() const {
  Vector theta(parameter_count());
  theta << weight.array().log().matrix(), std::log(bias), std::log(sigma2);
  return theta;
}

ArcCosine ArcCosine::with_parameters(VectorIn theta) const {
  const Index D = weight.size();
  check_size("ArcCosine::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.weight = theta.head(D).array().exp(),
          .bias = std::exp(theta(D)),
          .sigma2 = std::exp(theta(D + 1)),
          .order = order};
}

double ArcCosine::operator()(VectorIn x, VectorIn y) const {
  Matrix K(1, 1);
  gram_block(x.transpose(), y.transpose(), K);
  return K(0, 0);
}

Vector ArcCosine::gradient(VectorIn x, VectorIn y) const {
  Vector dtheta = Vector::Zero(parameter_count());
  Matrix dX = Matrix::Zero(1, x.size()), dZ = dX;
  KernelAdjoint adjoint{dtheta, dX, dZ};
  pull_block(x.transpose(), y.transpose(), Matrix::Constant(1, 1, (*this)(x, y)), Matrix::Ones(1, 1),
             adjoint);
  return dtheta;
}

Vector ArcCosine::input_gradient(VectorIn x, VectorIn y) const {
  Vector dtheta = Vector::Zero(parameter_count());
  Matrix dX = Matrix::Zero(1, x.size()), dZ = dX;
  KernelAdjoint adjoint{dtheta, dX, dZ};
  pull_block(x.transpose(), y.transpose(), Matrix::Constant(1, 1, (*this)(x, y)), Matrix::Ones(1, 1),
             adjoint);
  return dX.row(0).transpose();
}

void ArcCosine::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  check_between("ArcCosine", "order", order, 0, 2);
  const Augmented x(*this, X), z(*this, Z);
  const Vector one = Vector::Ones(X.cols() + 1);
  const ScaledDistance near(one, z.Unit), far(one, -z.Unit);
  Vector antipodal2(Z.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    near.row(x.Unit.row(i).data(), K.row(i).data());
    far.row(x.Unit.row(i).data(), antipodal2.data());
    for (Index j = 0; j < Z.rows(); ++j)
      K(i, j) =
          sigma2 / pi * power(x.length(i) * z.length(j), order) * Angle(K(i, j), antipodal2(j)).J(order);
  }
}

void ArcCosine::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Index D = X.cols();
  const Augmented x(*this, X), z(*this, Z);
  const Vector one = Vector::Ones(D + 1);
  ScaledDistance near(one, z.Unit);
  const ScaledDistance far(one, -z.Unit);
  Matrix dX = Matrix::Zero(X.rows(), D + 1), dZ = Matrix::Zero(Z.rows(), D + 1);  // of the unit vectors
  const Matrix KdK = K.cwiseProduct(dL_dK);
  Vector w(Z.rows()), antipodal2(Z.rows()), unused = Vector::Zero(D + 1);
  for (Index i = 0; i < X.rows(); ++i) {
    near.row(x.Unit.row(i).data(), w.data());
    far.row(x.Unit.row(i).data(), antipodal2.data());
    for (Index j = 0; j < Z.rows(); ++j)  // dL/ds2
      w(j) = sigma2 / pi * power(x.length(i) * z.length(j), order) * Angle(w(j), antipodal2(j)).slope(order) *
             dL_dK(i, j);
    near.pull_row(x.Unit.row(i).data(), w.data(), dX.row(i).data());
  }
  near.finish(unused, dZ);
  adjoint.dtheta(D + 1) += KdK.sum();  // dk/dlog sigma2 = k;  dk/dlog |u| = order k
  x.pull(*this, dX, order * KdK.rowwise().sum(), adjoint.dtheta, adjoint.dX);
  z.pull(*this, dZ, order * KdK.colwise().sum().transpose(), adjoint.dtheta, adjoint.dZ);
}

Vector ArcCosine::diagonal(MatrixIn X) const {
  const Augmented x(*this, X);
  return x.length.unaryExpr(
      [&](double length) { return sigma2 * at_zero(order) * power(length * length, order); });
}

void ArcCosine::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const Vector ddd = diagonal(X).cwiseProduct(dL_dd);
  dtheta(weight.size() + 1) += ddd.sum();
  Augmented(*this, X).pull(*this, Matrix::Zero(X.rows(), X.cols() + 1), 2 * order * ddd, dtheta, dX);
}

}  // namespace bochner
