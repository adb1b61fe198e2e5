#include "bochner/models/gplvm/held_out_latents.hpp"

namespace bochner {
namespace {

constexpr double much = 0.1;  // of the measured entries of a sample

std::vector<Index> samples_that_lost_much(const Dataset& data, const std::vector<BoolMatrix>& held_out) {
  std::vector<Index> out;
  for (Index n = 0; n < data.rows(); ++n) {
    Index measured = 0, hidden = 0;
    bool whole_view = false;
    for (std::size_t v = 0; v < held_out.size(); ++v) {
      const auto seen = !data.view(Index(v)).Y.row(n).array().isNaN();
      const Index all = seen.count(), lost = (seen && held_out[v].row(n).array()).count();
      measured += all;
      hidden += lost;
      whole_view = whole_view || (all > 0 && lost == all);
    }
    if (whole_view || (hidden > 0 && double(hidden) >= much * double(measured))) out.push_back(n);
  }
  return out;
}

}  // namespace

GplvmFit with_held_out(GplvmFit fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                       const Compute& compute) {
  const std::vector<Index> list = samples_that_lost_much(data, held_out);
  if (list.empty()) return fit;
  const IndexVector rows = Eigen::Map<const IndexVector>(list.data(), Index(list.size()));
  const LatentPosterior found = embed(fit, data.take_rows(rows), compute);
  for (Index i = 0; i < rows.size(); ++i) {
    fit.latent.mean.row(rows(i)) = found.mean.row(i);
    fit.latent.sd.row(rows(i)) = found.sd.row(i);
  }
  return fit;
}

}  // namespace bochner
