#include "bochner/kernels/select.hpp"

#include "bochner/core/checks.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

const AnyKernel& inner_of(const Select& k) {
  check_size("Select", "number of inner kernels", static_cast<Index>(k.inner.size()), "the one it feeds", 1);
  for (const Index column : k.columns)
    check_between("Select", "column", double(column), 0, double(k.dims - 1));
  return k.inner.front();
}

Matrix chosen(const Select& k, MatrixIn X) {
  inner_of(k);  // the columns exist: checked before they are read
  return X(Eigen::all, k.columns);
}

/// Adds the columns of an adjoint back to where they came from, one by one: a column may be chosen twice.
void scatter(const Select& k, const Matrix& dChosen, MatrixOut dX) {
  for (std::size_t c = 0; c < k.columns.size(); ++c)
    dX.col(k.columns[c]) += dChosen.col(static_cast<Index>(c));
}

}  // namespace

Index Select::parameter_count() const { return bochner::parameter_count(inner_of(*this)); }
std::vector<std::string> Select::parameter_names() const { return bochner::parameter_names(inner_of(*this)); }
Vector Select::parameters() const { return bochner::parameters(inner_of(*this)); }

Select Select::with_parameters(VectorIn theta) const {
  return {.inner = {bochner::with_parameters(inner_of(*this), theta)}, .columns = columns, .dims = dims};
}

double Select::operator()(VectorIn x, VectorIn y) const {
  return evaluate(inner_of(*this), Vector(x(columns)), Vector(y(columns)));
}

Vector Select::gradient(VectorIn x, VectorIn y) const {
  return bochner::gradient(inner_of(*this), Vector(x(columns)), Vector(y(columns)));
}

Vector Select::input_gradient(VectorIn x, VectorIn y) const {
  Matrix g = Matrix::Zero(1, x.size());
  scatter(*this, bochner::input_gradient(inner_of(*this), Vector(x(columns)), Vector(y(columns))).transpose(),
          g);
  return g.row(0).transpose();
}

void Select::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  bochner::gram_block(inner_of(*this), chosen(*this, X), chosen(*this, Z), K);
}

void Select::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const Matrix chosen_X = chosen(*this, X), chosen_Z = chosen(*this, Z);
  Matrix dX = Matrix::Zero(X.rows(), chosen_X.cols()), dZ = Matrix::Zero(Z.rows(), chosen_Z.cols());
  KernelAdjoint narrow{adjoint.dtheta, dX, dZ};
  bochner::pull_block(inner_of(*this), chosen_X, chosen_Z, K, dL_dK, narrow);
  scatter(*this, dX, adjoint.dX);
  scatter(*this, dZ, adjoint.dZ);
}

Vector Select::diagonal(MatrixIn X) const { return bochner::diagonal(inner_of(*this), chosen(*this, X)); }

void Select::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const Matrix chosen_X = chosen(*this, X);
  Matrix dChosen = Matrix::Zero(X.rows(), chosen_X.cols());
  bochner::pull_diagonal(inner_of(*this), chosen_X, dL_dd, dtheta, dChosen);
  scatter(*this, dChosen, dX);
}

bool Select::has_spectrum() const { return bochner::has_spectrum(inner_of(*this)); }
bool Select::has_paired_spectrum() const { return bochner::has_paired_spectrum(inner_of(*this)); }

SpectralNoise Select::draw_noise(Index L, Directions directions, Rng& rng) const {
  return bochner::draw_noise(inner_of(*this), L, directions, rng);
}

Frequencies Select::frequencies(const SpectralNoise& noise) const {
  Frequencies f = bochner::frequencies(inner_of(*this), noise);
  for (Matrix* Omega : {&f.Omega1, &f.Omega2}) {
    const Matrix narrow = *Omega;
    *Omega = Matrix::Zero(narrow.rows(), dims);
    if (narrow.rows() > 0) scatter(*this, narrow, *Omega);  // x'omega = x_S'omega_S
  }
  return f;
}

Vector Select::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  check_adjoint("Select::frequencies_pullback", dL, dL.Omega1.rows(), dims, has_paired_spectrum());
  Frequencies narrow{.Omega1 = chosen(*this, dL.Omega1), .amplitude = dL.amplitude};
  if (dL.paired()) narrow.Omega2 = chosen(*this, dL.Omega2);
  return bochner::frequencies_pullback(inner_of(*this), noise, narrow);
}

}  // namespace bochner
