#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/models/kpca/kpca.hpp"

namespace bochner {

Matrix traverse(const KpcaFit& fit, Index c, Index steps, double width) {
  check_between("traverse", "c", double(c), 0, double(fit.dims() - 1));
  check_at_least("traverse", "steps", steps, 2);
  check_positive("traverse", "width", width);
  Matrix h = Matrix::Zero(steps, fit.dims());
  const double sd = 1 / std::sqrt(double(fit.H.rows()));  // columns of H are centred and have norm one
  h.col(c) = Vector::LinSpaced(steps, -width * sd, width * sd);
  return h;
}

Matrix sample_components(const KpcaFit& fit, Index count, Rng rng) {
  check_at_least("sample_components", "count", count, 1);
  const double n = double(fit.H.rows()), s = double(fit.dims());
  // [silverman1986, Eq. 4.15], per component; all have standard deviation n^-1/2
  const double bandwidth = std::pow(4 / ((s + 2) * n), 1 / (s + 4)) / std::sqrt(n);
  const double shrink = 1 / std::sqrt(1 + bandwidth * bandwidth * n);  // keeps the variance
  Matrix out(count, fit.dims());
  for (Index i = 0; i < count; ++i) {
    Rng mine = rng.split(static_cast<std::uint64_t>(i));
    out.row(i) =
        shrink * (fit.H.row(mine.below(fit.H.rows())) + bandwidth * mine.normal(fit.dims()).transpose());
  }
  return out;
}

}  // namespace bochner
