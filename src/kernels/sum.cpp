#include "bochner/kernels/sum.hpp"

#include <algorithm>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/kernels/kernel_list.hpp"

namespace bochner {

Index Sum::input_dims() const { return bochner::input_dims(terms); }
Index Sum::parameter_count() const { return bochner::parameter_count(terms); }
std::vector<std::string> Sum::parameter_names() const { return bochner::parameter_names(terms); }
Vector Sum::parameters() const { return bochner::parameters(terms); }
Sum Sum::with_parameters(VectorIn theta) const { return {bochner::with_parameters(terms, theta)}; }

double Sum::operator()(VectorIn x, VectorIn y) const {
  double k = 0;
  for (const AnyKernel& term : terms) k += evaluate(term, x, y);
  return k;
}

Vector Sum::gradient(VectorIn x, VectorIn y) const {
  Vector g(parameter_count());
  for_each_member(terms, [&](std::size_t i, Index begin, Index size) {
    g.segment(begin, size) = bochner::gradient(terms[i], x, y);
  });
  return g;
}

Vector Sum::input_gradient(VectorIn x, VectorIn y) const {
  Vector g = Vector::Zero(x.size());
  for (const AnyKernel& term : terms) g += bochner::input_gradient(term, x, y);
  return g;
}

void Sum::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  K.setZero();
  Matrix term_K(K.rows(), K.cols());
  for (const AnyKernel& term : terms) {
    bochner::gram_block(term, X, Z, term_K);
    K += term_K;
  }
}

void Sum::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  Matrix term_K(K.rows(), K.cols());
  for_each_member(terms, [&](std::size_t i, Index begin, Index size) {
    bochner::gram_block(terms[i], X, Z, term_K);
    KernelAdjoint part{adjoint.dtheta.segment(begin, size), adjoint.dX, adjoint.dZ};
    bochner::pull_block(terms[i], X, Z, term_K, dL_dK, part);
  });
}

Vector Sum::diagonal(MatrixIn X) const {
  Vector d = Vector::Zero(X.rows());
  for (const AnyKernel& term : terms) d += bochner::diagonal(term, X);
  return d;
}

void Sum::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  for_each_member(terms, [&](std::size_t i, Index begin, Index size) {
    bochner::pull_diagonal(terms[i], X, dL_dd, dtheta.segment(begin, size), dX);
  });
}

bool Sum::has_spectrum() const {
  return !terms.empty() &&
         std::ranges::all_of(terms, [](const AnyKernel& k) { return bochner::has_spectrum(k); });
}

bool Sum::has_paired_spectrum() const {
  return has_spectrum() &&
         std::ranges::any_of(terms, [](const AnyKernel& k) { return bochner::has_paired_spectrum(k); });
}

SpectralNoise Sum::draw_noise(Index L, Directions directions, Rng& rng) const {
  SpectralNoise noise;
  for (const AnyKernel& term : terms) noise.parts.push_back(bochner::draw_noise(term, L, directions, rng));
  return noise;
}

Frequencies Sum::frequencies(const SpectralNoise& noise) const {
  check_noise_parts("Sum::frequencies", noise, terms.size());
  std::vector<Frequencies> parts;
  Index count = 0, D = 0;
  bool paired = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    parts.push_back(bochner::frequencies(terms[i], noise.parts[i]));
    count += parts.back().count();
    paired = paired || parts.back().paired();
    D = parts.back().Omega1.cols();
  }
  Frequencies f{
      .Omega1 = Matrix(count, D), .Omega2 = Matrix(paired ? count : 0, D), .amplitude = Vector(count)};
  Index begin = 0;
  for (const Frequencies& part : parts) {
    const Index size = part.count();
    f.Omega1.middleRows(begin, size) = part.Omega1;
    if (paired) f.Omega2.middleRows(begin, size) = part.paired() ? part.Omega2 : part.Omega1;
    f.amplitude.segment(begin, size) = paired && !part.paired() ? Vector(part.amplitude / 2) : part.amplitude;
    begin += size;
  }
  return f;
}

Vector Sum::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const Frequencies f = frequencies(noise);
  check_adjoint("Sum::frequencies_pullback", dL, f.count(), f.Omega1.cols(), f.paired());
  Vector g(parameter_count());
  Index row = 0;
  for_each_member(terms, [&](std::size_t i, Index begin, Index size) {
    const bool paired = bochner::has_paired_spectrum(terms[i]);
    const Index count = bochner::frequencies(terms[i], noise.parts[i]).count();
    Frequencies part{.Omega1 = dL.Omega1.middleRows(row, count),
                     .amplitude = dL.amplitude.segment(row, count)};
    if (dL.paired() && paired) part.Omega2 = dL.Omega2.middleRows(row, count);
    if (dL.paired() && !paired) {  // Omega1 = Omega2 = omega, amplitude halved
      part.Omega1 += dL.Omega2.middleRows(row, count);
      part.amplitude /= 2;
    }
    g.segment(begin, size) = bochner::frequencies_pullback(terms[i], noise.parts[i], part);
    row += count;
  });
  return g;
}

}  // namespace bochner
