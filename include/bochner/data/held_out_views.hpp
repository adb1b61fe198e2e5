#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner {

/// Masks (held_out.hpp) of whole views of some samples, to judge how views that a sample lacks are predicted: for every view
/// round(fraction * n), at most 500, of the n samples that have entries of it and of another view, and there every measured
/// entry. A sample lends one view at most, and no column loses its last entry. Nothing for a single view.
std::vector<BoolMatrix> held_out_view_masks(const Dataset& data, double fraction, std::uint64_t seed);

/// What `bochner fit` hides: whole views of some samples, and single entries of the rest (held_out_masks). Of the view `whole` no
/// single entries: those of a class label follow from each other.
std::vector<BoolMatrix> held_out_entries_and_views(const Dataset& data, double fraction, std::uint64_t seed,
                                                   std::string_view whole = {});

/// For every view, the rows whose measured entries are all picked while another view of the sample shows something.
std::vector<VectorT<bool>> hidden_views(const Dataset& data, const std::vector<BoolMatrix>& held_out);

/// The masks without the rows of hidden_views, and these alone.
struct HeldOutParts {
  std::vector<BoolMatrix> entries, views;
};
HeldOutParts split_held_out(const Dataset& data, const std::vector<BoolMatrix>& held_out);

}  // namespace bochner
