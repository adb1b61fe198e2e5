#include "bochner/data/held_out_views.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/data/held_out.hpp"

namespace bochner {

namespace {

constexpr Index most_samples = 500;  // of a view: more tell no more

/// N x V: whether the sample has an entry that is measured and not picked.
BoolMatrix shown_views(const Dataset& data, const std::vector<BoolMatrix>& held_out) {
  BoolMatrix out(data.rows(), data.view_count());
  for (Index v = 0; v < data.view_count(); ++v)
    out.col(v) =
        (!hide(data.view(v).Y, held_out[static_cast<std::size_t>(v)]).array().isNaN()).rowwise().any();
  return out;
}

std::vector<BoolMatrix> no_masks(const Dataset& data) {
  std::vector<BoolMatrix> out;
  for (const View& view : data.views()) out.push_back(BoolMatrix::Constant(view.rows(), view.cols(), false));
  return out;
}

}  // namespace

std::vector<BoolMatrix> held_out_view_masks(const Dataset& data, double fraction, std::uint64_t seed) {
  check_between("held_out_view_masks", "fraction", fraction, 0, 1);
  std::vector<BoolMatrix> masks = no_masks(data);
  if (data.view_count() < 2 || fraction == 0) return masks;
  const BoolMatrix has = shown_views(data, masks);
  VectorT<bool> lent = VectorT<bool>::Constant(data.rows(), false);
  for (Index v = 0; v < data.view_count(); ++v) {
    const View& view = data.view(v);
    Rng rng = Rng(seed).split("holdout views").split(view.name);
    const BoolMatrix measured = observed_mask(view.Y);
    IndexVector left = measured.cast<Index>().colwise().sum().transpose();
    std::vector<Index> able;
    for (Index n = 0; n < data.rows(); ++n)
      if (has(n, v) && has.row(n).count() > 1) able.push_back(n);
    const auto n_able = static_cast<Index>(able.size());
    const auto wanted = std::min(most_samples, static_cast<Index>(std::round(fraction * double(n_able))));
    const IndexVector order = rng.permutation(n_able);
    for (Index i = 0, picked = 0; i < n_able && picked < wanted; ++i) {
      const Index n = able[static_cast<std::size_t>(order(i))];
      const auto own = measured.row(n).transpose().array();
      if (lent(n) || (own && left.array() < 2).any()) continue;
      masks[static_cast<std::size_t>(v)].row(n) = measured.row(n);
      left -= measured.row(n).cast<Index>().transpose();
      lent(n) = true;
      ++picked;
    }
  }
  return masks;
}

std::vector<BoolMatrix> held_out_entries_and_views(const Dataset& data, double fraction, std::uint64_t seed,
                                                   std::string_view whole) {
  std::vector<BoolMatrix> views = held_out_view_masks(data, fraction, seed);
  std::vector<BoolMatrix> out = held_out_masks(hide(data, views), fraction, seed);
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (data.views()[v].name == whole)
      out[v] = views[v];
    else
      out[v] = (out[v].array() || views[v].array()).matrix();
  }
  return out;
}

std::vector<VectorT<bool>> hidden_views(const Dataset& data, const std::vector<BoolMatrix>& held_out) {
  check_size("hidden_views", "masks", static_cast<Index>(held_out.size()), "views", data.view_count());
  const BoolMatrix has = shown_views(data, no_masks(data)), shown = shown_views(data, held_out);
  std::vector<VectorT<bool>> out;
  for (Index v = 0; v < data.view_count(); ++v)
    out.push_back((has.col(v).array() && !shown.col(v).array() && shown.array().rowwise().any()).matrix());
  return out;
}

HeldOutParts split_held_out(const Dataset& data, const std::vector<BoolMatrix>& held_out) {
  const std::vector<VectorT<bool>> hidden = hidden_views(data, held_out);
  HeldOutParts out{held_out, held_out};
  for (std::size_t v = 0; v < held_out.size(); ++v)
    for (Index n = 0; n < data.rows(); ++n)
      (hidden[v](n) ? out.entries : out.views)[v].row(n).setConstant(false);
  return out;
}

}  // namespace bochner
