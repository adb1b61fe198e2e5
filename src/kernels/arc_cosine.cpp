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

/// asin(h), 0 <= h <= sqrt(1/2), within one unit in the last place: h + h y q(y), y = h^2, with q the Chebyshev fit of
/// degree 19 on [0, 1/2] (mpmath.chebyfit), error 4e-18. The library's asin takes five times as long, one at a time.
void arcsines(double* h, Index n) {
  constexpr double q[] = {
      1.0656675021100516,   -4.2019175835295277,   7.8829608790823272,   -9.1586177836865728,
      7.358637905620278,    -4.2975982730960229,   1.8963241783633432,   -0.62971579973540026,
      0.17101200349063314,  -0.025581439218117335, 0.013442410514589519, 0.0091716076849392673,
      0.011603298912708027, 0.01396156949294434,   0.017352910486130411, 0.022372154765499644,
      0.030381944522502854, 0.04464285714211393,   0.075000000000002802, 0.16666666666666666};
  for (Index j = 0; j < n; ++j) {
    const double y = h[j] * h[j];
    double p = 0;
    for (const double coefficient : q) p = p * y + coefficient;
    h[j] += h[j] * (y * p);
  }
}

/// The angles between one unit vector u and many v, from the squared distances of u to v and to -v, which add up
/// to 4: the smaller of the two is free of cancellation.
struct Angles {
  Eigen::ArrayXd theta, sin, cos;  // m

  explicit Angles(Index m) : theta(m), sin(m), cos(m), near(m), far(m) {}

  void measure(const double* u, const ScaledDistance& to_v, const ScaledDistance& to_minus_v) {
    to_v.row(u, near.data());
    to_minus_v.row(u, far.data());
    sin = 0.5 * (near * far).sqrt();
    theta = 0.5 * near.min(far).sqrt();
    arcsines(theta.data(), theta.size());
    for (Index j = 0; j < theta.size(); ++j) {
      theta(j) = near(j) < far(j) ? 2 * theta(j) : pi - 2 * theta(j);
      cos(j) = near(j) < far(j) ? 1 - 0.5 * near(j) : 0.5 * far(j) - 1;
    }
  }

  Eigen::ArrayXd J(int order) const {
    if (order == 0) return pi - theta;
    if (order == 1) return sin + (pi - theta) * cos;
    return 3 * sin * cos + (pi - theta) * (1 + 2 * cos.square());
  }

  /// dJ/ds2 = -1/2 dJ/dc, s2 the squared distance. Order 0 has poles at theta = 0 and pi, cut out as the cusps they are.
  Eigen::ArrayXd slope(int order) const {
    if (order == 0) return -0.5 * (sin > 0).cast<double>() / sin.max(1e-150);
    return -0.5 * order * order * J(order - 1);
  }

 private:
  Eigen::ArrayXd near, far;
};

/// base^n, n = 0, 1 or 2
Eigen::ArrayXd powers(const Vector& base, int n) {
  if (n == 0) return Eigen::ArrayXd::Ones(base.size());
  return n == 1 ? Eigen::ArrayXd(base) : Eigen::ArrayXd(base.array().square());
}

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
  Angles angles(Z.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    angles.measure(x.Unit.row(i).data(), near, far);
    K.row(i) = sigma2 / pi * (powers(x.length(i) * z.length, order) * angles.J(order)).matrix().transpose();
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
  Vector w(Z.rows()), unused = Vector::Zero(D + 1);
  Angles angles(Z.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    angles.measure(x.Unit.row(i).data(), near, far);
    w = sigma2 / pi * powers(x.length(i) * z.length, order) * angles.slope(order) *
        dL_dK.row(i).transpose().array();  // dL/ds2
    near.pull_row(x.Unit.row(i).data(), w.data(), dX.row(i).data());
  }
  near.finish(unused, dZ);
  adjoint.dtheta(D + 1) += KdK.sum();  // dk/dlog sigma2 = k;  dk/dlog |u| = order k
  x.pull(*this, dX, order * KdK.rowwise().sum(), adjoint.dtheta, adjoint.dX);
  z.pull(*this, dZ, order * KdK.colwise().sum().transpose(), adjoint.dtheta, adjoint.dZ);
}

Vector ArcCosine::diagonal(MatrixIn X) const {
  const Augmented x(*this, X);
  return sigma2 * at_zero(order) * powers(x.length.array().square(), order);
}

void ArcCosine::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const Vector ddd = diagonal(X).cwiseProduct(dL_dd);
  dtheta(weight.size() + 1) += ddd.sum();
  Augmented(*this, X).pull(*this, Matrix::Zero(X.rows(), X.cols() + 1), 2 * order * ddd, dtheta, dX);
}

}  // namespace bochner
