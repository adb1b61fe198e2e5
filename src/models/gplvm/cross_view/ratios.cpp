#include "ratios.hpp"

#include <cmath>
#include <utility>

namespace bochner {

const Vector& cross_view_ratios() {
  static const Vector grid = [] {
    constexpr double first_log10 = -3;  // rho from 1e-3 to 1e4
    Vector out(cross_view_ratio_count);
    for (Index g = 0; g < cross_view_ratio_count; ++g)
      out(g) = std::pow(10.0, first_log10 + cross_view_ratio_step * double(g));
    return out;
  }();
  return grid;
}

double column_evidence(double log_det, double q, double n) {
  return -0.5 * (log_det + (n - 1) * std::log(q / (n - 1)));
}

RatioPosterior share_prior(const Matrix& L, Vector prior, int steps) {
  static const Matrix smooth = [] {
    Matrix out(cross_view_ratio_count, cross_view_ratio_count);
    for (Index a = 0; a < cross_view_ratio_count; ++a)
      for (Index b = 0; b < cross_view_ratio_count; ++b) out(a, b) = std::exp(-double((a - b) * (a - b)) / 8);
    return Matrix(out * out.colwise().sum().cwiseInverse().asDiagonal());
  }();
  const Vector top = L.rowwise().maxCoeff();
  const Matrix E = (L.colwise() - top).array().exp();
  for (int step = 0; step < steps; ++step) {
    const Vector sums = E * prior;  // p_mg = E_mg prior_g / sums_m, added over the columns
    const Vector share = prior.cwiseProduct(E.transpose() * sums.cwiseInverse());
    prior = smooth * ((share.array() + 1.0 / cross_view_ratio_count) / double(L.rows() + 1)).matrix();
  }
  Matrix p = E * prior.asDiagonal();
  const Vector sums = p.rowwise().sum();
  return {sums.cwiseInverse().asDiagonal() * p, prior, top.sum() + sums.array().log().sum()};
}

Vector flat_prior() { return Vector::Constant(cross_view_ratio_count, 1.0 / cross_view_ratio_count); }

}  // namespace bochner
