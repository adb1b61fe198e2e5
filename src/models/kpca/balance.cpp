#include <algorithm>

#include "bochner/data/dataset.hpp"
#include "bochner/models/kpca/kpca.hpp"

namespace bochner {

namespace {

constexpr Index most_rows = 2000;  // that the variance of a view is measured on

std::vector<Index> first_complete_rows(const Matrix& Y) {
  std::vector<Index> out;
  for (Index n = 0; n < Y.rows() && static_cast<Index>(out.size()) < most_rows; ++n)
    if (Y.row(n).array().isFinite().all()) out.push_back(n);
  return out;
}

}  // namespace

KpcaOptions balanced(const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                     const Compute& compute) {
  KpcaOptions out = options;
  out.own.clear();
  Index v = 0;
  for (KpcaViewOptions view : options_by_view(options, data.view_count())) {
    const Matrix& Y = data.view(v++).Y;
    const std::vector<Index> rows = first_complete_rows(Y);
    if (view.features.kind != KpcaFeatures::Kind::network && rows.size() >= 3) {
      // One component at a loose tolerance: only the trace of the Gram matrix is wanted.
      const KpcaFit fit = fit_kpca(join({make_view("x", Y(rows, Eigen::all))}),
                                   {.dims = 1, .view = view, .tolerance = 1e-2}, seed, compute);
      view.weight *= double(rows.size()) / fit.total_variance;
    }
    out.own.emplace_back(view);
  }
  return out;
}

}  // namespace bochner
