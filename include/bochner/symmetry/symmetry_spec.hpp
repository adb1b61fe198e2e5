#pragma once
#include <string>
#include <vector>

#include "bochner/symmetry/symmetry.hpp"

namespace bochner {

/// Symmetries from words, as the command line has them. `columns` are the inputs of the kernel (InputMap::names), and words
/// name them, or say their numbers from 1.
///
///   negate              all columns: x -> -x (inputs are centred)
///   negate:a,b          these columns
///   negate:axes:J       J groups of columns, column j in group j mod J: 2^J harmonics
///   negate:pca:J        the same for the principal directions of X, the largest first [sun2021, App. C.2]
///   rotate:a,b:T        the plane of two columns by 360 / T degrees, a towards b
///   translate:a:T       the column a of the table, which is a circle, by 1 / T of its period (the plane of cos a and sin a)
///   longitude:T         the sphere by 360 / T degrees (the plane of its x and y); longitude:a:T where there are several, a
///                       being the column of its longitudes
///   permute:a,b,c       a to b, b to c, c to a
///   flip:HxW:ud, :lr    an image of H rows and W columns of pixels, upside down or left to right
///   shift:HxW:R,C       such an image by R rows and C columns, what leaves on one side returning on the other
///
/// Several words make a product of symmetries, which must commute (check_symmetries looks). The name of a symmetry is its word.
/// `X` (some thousand rows, centred) is looked at for pca alone. InputError for what cannot be read, and for
/// products of more than most_motions motions.
std::vector<Symmetry> make_symmetries(const std::vector<std::string>& words,
                                      const std::vector<std::string>& columns, MatrixIn X);

inline constexpr Index most_motions = 4096;

/// Whether one of them swaps or turns columns, so that these must be scaled alike: rotate, permute, flip and shift. Circles
/// and spheres are never scaled, and a sign does not care.
bool mixes_columns(const std::vector<std::string>& words);

}  // namespace bochner
