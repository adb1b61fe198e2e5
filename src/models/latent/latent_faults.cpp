#include "bochner/models/latent/latent_faults.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {

namespace {

constexpr double least_spread = 0.05, prior_sd = 0.9, same_direction = 0.98;

}  // namespace

LatentFaults latent_faults(const LatentPosterior& latent) {
  const Index N = latent.mean.rows(), Q = latent.mean.cols();
  const Matrix centred = latent.mean.rowwise() - latent.mean.colwise().mean();
  const Vector spread = (centred.colwise().squaredNorm() / static_cast<double>(N)).cwiseSqrt();
  LatentFaults out;
  for (Index q = 0; q < Q; ++q)
    if (!(spread(q) >= least_spread) || (latent.sd.col(q).array() > prior_sd).all())
      out.collapsed.push_back(q);
  const auto collapsed = [&](Index q) {
    return std::find(out.collapsed.begin(), out.collapsed.end(), q) != out.collapsed.end();
  };
  for (Index a = 0; a < Q; ++a)
    for (Index b = a + 1; b < Q; ++b) {
      if (collapsed(a) || collapsed(b)) continue;
      const double correlation =
          centred.col(a).dot(centred.col(b)) / (static_cast<double>(N) * spread(a) * spread(b));
      if (std::abs(correlation) > same_direction) out.duplicated.emplace_back(a, b);
    }
  out.homogeneous = static_cast<Index>(out.collapsed.size()) == Q;
  return out;
}

Warning homogeneous_warning() {
  return {.kind = Warning::Kind::homogeneous,
          .severity = Severity::error,
          .message = "its latent space collapsed: all samples lie in one place"};
}

}  // namespace bochner
