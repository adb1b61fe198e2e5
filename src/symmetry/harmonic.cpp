#include "bochner/symmetry/harmonic.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {
namespace {

const AnyKernel& inner_of(const Harmonic& k) {
  check_size("Harmonic", "number of inner kernels", static_cast<Index>(k.inner.size()),
             "the one it is part of", 1);
  check_size("Harmonic", "number of weights", k.weight.size(), "the number of motions",
             static_cast<Index>(k.motions.size()));
  return k.inner.front();
}

Vector moved(const Motion& g, VectorIn y) { return g.apply(y.transpose()).row(0); }

/// f(motion, weight) for those that count.
template <class F>
void for_each_motion(const Harmonic& k, const F& f) {
  for (std::size_t g = 0; g < k.motions.size(); ++g)
    if (const double w = k.weight(static_cast<Index>(g)); w != 0) f(k.motions[g], w);
}

}  // namespace

Index Harmonic::parameter_count() const { return bochner::parameter_count(inner_of(*this)); }
std::vector<std::string> Harmonic::parameter_names() const {
  return bochner::parameter_names(inner_of(*this));
}
Vector Harmonic::parameters() const { return bochner::parameters(inner_of(*this)); }

Harmonic Harmonic::with_parameters(VectorIn theta) const {
  return {.inner = {bochner::with_parameters(inner_of(*this), theta)}, .motions = motions, .weight = weight};
}

double Harmonic::operator()(VectorIn x, VectorIn y) const {
  const AnyKernel& k = inner_of(*this);
  double sum = 0;
  for_each_motion(*this, [&](const Motion& g, double w) { sum += w * evaluate(k, x, moved(g, y)); });
  return sum;
}

Vector Harmonic::gradient(VectorIn x, VectorIn y) const {
  const AnyKernel& k = inner_of(*this);
  Vector sum = Vector::Zero(parameter_count());
  for_each_motion(*this, [&](const Motion& g, double w) { sum += w * bochner::gradient(k, x, moved(g, y)); });
  return sum;
}

Vector Harmonic::input_gradient(VectorIn x, VectorIn y) const {
  const AnyKernel& k = inner_of(*this);
  Vector sum = Vector::Zero(x.size());
  for_each_motion(*this,
                  [&](const Motion& g, double w) { sum += w * bochner::input_gradient(k, x, moved(g, y)); });
  return sum;
}

void Harmonic::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  const AnyKernel& k = inner_of(*this);
  Matrix part(K.rows(), K.cols());
  K.setZero();
  for_each_motion(*this, [&](const Motion& g, double w) {
    bochner::gram_block(k, X, g.apply(Z), part);
    K += w * part;
  });
}

void Harmonic::pull_block(MatrixIn X, MatrixIn Z, MatrixIn, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  const AnyKernel& k = inner_of(*this);
  Matrix part(X.rows(), Z.rows());
  for_each_motion(*this, [&](const Motion& g, double w) {
    const Matrix Zg = g.apply(Z);
    bochner::gram_block(k, X, Zg, part);
    Matrix dZg = Matrix::Zero(Z.rows(), Z.cols());
    KernelAdjoint moved_adjoint{adjoint.dtheta, adjoint.dX, dZg};
    bochner::pull_block(k, X, Zg, part, w * dL_dK, moved_adjoint);
    adjoint.dZ += g.pull(dZg);
  });
}

Vector Harmonic::diagonal(MatrixIn X) const {
  Vector out(X.rows());
  for (Index n = 0; n < X.rows(); ++n) out(n) = (*this)(X.row(n), X.row(n));
  return out;
}

/// d/dx k(x, g x) = d_1 k(x, gx) + A'd_2 k(x, gx), and d_2 k(x, y) = d_1 k(y, x).
void Harmonic::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  const AnyKernel& k = inner_of(*this);
  for (Index n = 0; n < X.rows(); ++n) {
    const Vector x = X.row(n);
    for_each_motion(*this, [&](const Motion& g, double w) {
      const Vector y = moved(g, x);
      const double a = w * dL_dd(n);
      dtheta += a * bochner::gradient(k, x, y);
      dX.row(n) += a * (bochner::input_gradient(k, x, y).transpose() +
                        g.pull(bochner::input_gradient(k, y, x).transpose()));
    });
  }
}

std::vector<Harmonic> harmonic_kernels(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries,
                                       Index D) {
  const std::vector<GroupElement> group = group_elements(symmetries, D);
  std::vector<Motion> motions;
  for (const GroupElement& g : group) motions.push_back(g.motion);
  std::vector<Harmonic> out;
  for (const HarmonicIndex& h : harmonic_indices(symmetries)) {
    Vector weight(static_cast<Index>(group.size()));
    for (std::size_t g = 0; g < group.size(); ++g) {
      double w = h.multiplicity / double(group.size());
      for (std::size_t j = 0; j < symmetries.size(); ++j)
        w *= std::cos(2 * pi * double(h.t[j] * group[g].turns[j] % symmetries[j].order) /
                      double(symmetries[j].order));
      weight(static_cast<Index>(g)) = w;
    }
    out.push_back({.inner = {kernel}, .motions = motions, .weight = weight});
  }
  return out;
}

}  // namespace bochner
