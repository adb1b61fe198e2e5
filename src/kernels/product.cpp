#include "bochner/kernels/product.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/kernels/kernel_list.hpp"

namespace bochner {
namespace {

/// out[i] = the product of all values but the i-th, without dividing: a factor may be zero.
template <class T>
std::vector<T> products_of_others(const std::vector<T>& values, const T& one) {
  std::vector<T> out(values.size(), one);
  T below = one, above = one;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = out[i] * below;
    below = below * values[i];
  }
  for (std::size_t i = values.size(); i-- > 0;) {
    out[i] = out[i] * above;
    above = above * values[i];
  }
  return out;
}

std::vector<double> values_of(const std::vector<AnyKernel>& factors, VectorIn x, VectorIn y) {
  std::vector<double> values;
  for (const AnyKernel& factor : factors) values.push_back(evaluate(factor, x, y));
  return values;
}

using Array = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// sqrt(prod_f J_f / J)
double amplitude_scale(const std::vector<Frequencies>& parts, Index J) {
  double scale = 1 / std::sqrt(double(J));
  for (const Frequencies& part : parts) scale *= std::sqrt(double(part.count()));
  return scale;
}

std::vector<Frequencies> frequencies_of(const std::vector<AnyKernel>& factors, const SpectralNoise& noise) {
  check_noise_parts("Product::frequencies", noise, factors.size());
  std::vector<Frequencies> parts;
  for (std::size_t f = 0; f < factors.size(); ++f) parts.push_back(frequencies(factors[f], noise.parts[f]));
  return parts;
}

/// Which row of factor f goes into row j of the product, and with which sign.
struct Pick {
  Index row;
  double sign;
};
Pick pick(const SpectralNoise& noise, Index j, std::size_t f) {
  const Index column = 2 * static_cast<Index>(f);
  return {static_cast<Index>(noise.extra(j, column)), noise.extra(j, column + 1)};
}

}  // namespace

Index Product::input_dims() const { return bochner::input_dims(factors); }
Index Product::parameter_count() const { return bochner::parameter_count(factors); }
std::vector<std::string> Product::parameter_names() const { return bochner::parameter_names(factors); }
Vector Product::parameters() const { return bochner::parameters(factors); }
Product Product::with_parameters(VectorIn theta) const { return {bochner::with_parameters(factors, theta)}; }

double Product::operator()(VectorIn x, VectorIn y) const {
  double k = 1;
  for (const AnyKernel& factor : factors) k *= evaluate(factor, x, y);
  return k;
}

Vector Product::gradient(VectorIn x, VectorIn y) const {
  const std::vector<double> others = products_of_others(values_of(factors, x, y), 1.0);
  Vector g(parameter_count());
  for_each_member(factors, [&](std::size_t i, Index begin, Index size) {
    g.segment(begin, size) = others[i] * bochner::gradient(factors[i], x, y);
  });
  return g;
}

Vector Product::input_gradient(VectorIn x, VectorIn y) const {
  const std::vector<double> others = products_of_others(values_of(factors, x, y), 1.0);
  Vector g = Vector::Zero(x.size());
  for (std::size_t i = 0; i < factors.size(); ++i) g += others[i] * bochner::input_gradient(factors[i], x, y);
  return g;
}

void Product::gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const {
  K.setOnes();
  Matrix factor_K(K.rows(), K.cols());
  for (const AnyKernel& factor : factors) {
    bochner::gram_block(factor, X, Z, factor_K);
    K.array() *= factor_K.array();
  }
}

void Product::pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const {
  std::vector<Array> blocks(factors.size(), Array(K.rows(), K.cols()));
  for (std::size_t i = 0; i < factors.size(); ++i) bochner::gram_block(factors[i], X, Z, blocks[i].matrix());
  const std::vector<Array> others = products_of_others(blocks, Array(Array::Ones(K.rows(), K.cols())));
  for_each_member(factors, [&](std::size_t i, Index begin, Index size) {
    KernelAdjoint part{adjoint.dtheta.segment(begin, size), adjoint.dX, adjoint.dZ};
    const Matrix dL_dfactor = dL_dK.array() * others[i];
    bochner::pull_block(factors[i], X, Z, blocks[i].matrix(), dL_dfactor, part);
  });
}

Vector Product::diagonal(MatrixIn X) const {
  Vector d = Vector::Ones(X.rows());
  for (const AnyKernel& factor : factors) d.array() *= bochner::diagonal(factor, X).array();
  return d;
}

void Product::pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const {
  std::vector<Array> diagonals;
  for (const AnyKernel& factor : factors) diagonals.push_back(bochner::diagonal(factor, X).array());
  const std::vector<Array> others = products_of_others(diagonals, Array(Array::Ones(X.rows(), 1)));
  for_each_member(factors, [&](std::size_t i, Index begin, Index size) {
    const Vector dL_dfactor = dL_dd.cwiseProduct(others[i].matrix().col(0));
    bochner::pull_diagonal(factors[i], X, dL_dfactor, dtheta.segment(begin, size), dX);
  });
}

bool Product::has_spectrum() const {
  const auto spectral = [](const AnyKernel& k) { return bochner::has_spectrum(k); };
  const auto paired = [](const AnyKernel& k) { return bochner::has_paired_spectrum(k); };
  return !factors.empty() && std::ranges::all_of(factors, spectral) &&
         std::ranges::count_if(factors, paired) <= 1;
}

bool Product::has_paired_spectrum() const {
  return has_spectrum() &&
         std::ranges::any_of(factors, [](const AnyKernel& k) { return bochner::has_paired_spectrum(k); });
}

SpectralNoise Product::draw_noise(Index L, Directions directions, Rng& rng) const {
  SpectralNoise noise;
  for (const AnyKernel& factor : factors)
    noise.parts.push_back(bochner::draw_noise(factor, L, directions, rng));
  const std::vector<Frequencies> parts = frequencies_of(factors, noise);
  std::size_t largest = 0;
  for (std::size_t f = 1; f < parts.size(); ++f)
    if (parts[f].count() > parts[largest].count()) largest = f;
  const Index J = parts[largest].count();
  noise.extra.resize(J, 2 * static_cast<Index>(parts.size()));
  for (std::size_t f = 0; f < parts.size(); ++f) {
    // The rows of a factor laid end to end from a random start, then shuffled: each is used as evenly as can be, and
    // any given j sees each with the same probability.
    const Index rows = parts[f].count(), column = 2 * static_cast<Index>(f);
    const IndexVector shuffle = f == largest ? IndexVector::LinSpaced(J, 0, J - 1) : rng.permutation(J);
    const Index start = f == largest ? 0 : rng.below(rows);
    for (Index j = 0; j < J; ++j) {
      noise.extra(j, column) = double((start + shuffle(j)) % rows);
      noise.extra(j, column + 1) = f > 0 && rng.uniform() < 0.5 ? -1 : 1;
    }
  }
  return noise;
}

Frequencies Product::frequencies(const SpectralNoise& noise) const {
  const std::vector<Frequencies> parts = frequencies_of(factors, noise);
  const Index J = noise.extra.rows(), D = parts.front().Omega1.cols();
  check_noise("Product::frequencies", noise.extra, J, 2 * static_cast<Index>(parts.size()));
  const bool paired = std::ranges::any_of(parts, [](const Frequencies& part) { return part.paired(); });
  Frequencies out{.Omega1 = Matrix::Zero(J, D),
                  .Omega2 = Matrix::Zero(paired ? J : 0, D),
                  .amplitude = Vector::Constant(J, amplitude_scale(parts, J))};
  for (std::size_t f = 0; f < parts.size(); ++f)
    for (Index j = 0; j < J; ++j) {
      const auto [row, sign] = pick(noise, j, f);
      out.Omega1.row(j) += sign * parts[f].Omega1.row(row);
      if (paired)
        out.Omega2.row(j) += sign * (parts[f].paired() ? parts[f].Omega2 : parts[f].Omega1).row(row);
      out.amplitude(j) *= parts[f].amplitude(row);
    }
  return out;
}

Vector Product::frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const {
  const std::vector<Frequencies> parts = frequencies_of(factors, noise);
  const Index J = noise.extra.rows(), D = parts.front().Omega1.cols();
  check_noise("Product::frequencies_pullback", noise.extra, J, 2 * static_cast<Index>(parts.size()));
  check_adjoint("Product::frequencies_pullback", dL, J, D, has_paired_spectrum());
  const double scale = amplitude_scale(parts, J);
  std::vector<Frequencies> adjoints;
  for (const Frequencies& part : parts)
    adjoints.push_back({.Omega1 = Matrix::Zero(part.count(), D),
                        .Omega2 = Matrix::Zero(part.Omega2.rows(), D),
                        .amplitude = Vector::Zero(part.count())});
  std::vector<double> amplitudes(parts.size());
  for (Index j = 0; j < J; ++j) {
    for (std::size_t f = 0; f < parts.size(); ++f) amplitudes[f] = parts[f].amplitude(pick(noise, j, f).row);
    const std::vector<double> others = products_of_others(amplitudes, 1.0);
    for (std::size_t f = 0; f < parts.size(); ++f) {
      const auto [row, sign] = pick(noise, j, f);
      adjoints[f].Omega1.row(row) += sign * dL.Omega1.row(j);
      if (dL.paired())
        (parts[f].paired() ? adjoints[f].Omega2 : adjoints[f].Omega1).row(row) += sign * dL.Omega2.row(j);
      adjoints[f].amplitude(row) += scale * others[f] * dL.amplitude(j);
    }
  }
  Vector g(parameter_count());
  for_each_member(factors, [&](std::size_t f, Index begin, Index size) {
    g.segment(begin, size) = bochner::frequencies_pullback(factors[f], noise.parts[f], adjoints[f]);
  });
  return g;
}

}  // namespace bochner
