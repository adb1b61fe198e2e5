#pragma once
#include <cstdint>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Picks entries of Y (N x M, NaN = not measured) to hide from a fit and judge it by: round(fraction *
/// observed) observed entries, drawn one after the other without replacement. An entry that is the last one
/// left in its row or its column is passed over, so whatever was measured at all stays partly visible; when
/// that rule leaves too few entries, fewer are picked. fraction in [0, 1].
BoolMatrix held_out_mask(MatrixIn Y, double fraction, Rng& rng);

/// One mask per view, from a child stream per view name: another view more or less changes no mask.
std::vector<BoolMatrix> held_out_masks(const Dataset& data, double fraction, const Rng& rng);

/// The masks that every interface picks for a fit with this seed.
std::vector<BoolMatrix> held_out_masks(const Dataset& data, double fraction, std::uint64_t seed);

/// The same for samples that a fitted model is scored by: at least one entry, if any was measured, however few samples there
/// are.
std::vector<BoolMatrix> held_out_of_new(const Dataset& data, double fraction, std::uint64_t seed);

/// How many entries all masks together pick.
Index count_held_out(const std::vector<BoolMatrix>& held_out);

/// Y with the picked entries set to NaN.
Matrix hide(MatrixIn Y, const BoolMatrix& held_out);
Dataset hide(const Dataset& data, const std::vector<BoolMatrix>& held_out);

/// The picked entries of Y alone, NaN elsewhere: the truth that scores of a prediction are taken against.
Matrix held_out_values(MatrixIn Y, const BoolMatrix& held_out);

}  // namespace bochner
