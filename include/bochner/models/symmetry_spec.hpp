#pragma once
#include <string>
#include <vector>

#include "bochner/kernels/symmetry.hpp"

namespace bochner {

/// Symmetries from words, as the command line has them. Columns are names of `columns`, or numbers from 1.
///
///   negate              all columns: x -> -x (inputs are centred)
///   negate:a,b          these columns
///   negate:axes:J       J groups of columns, column j in group j mod J: 2^J harmonics
///   negate:pca:J        the same for the principal directions of X [sun2021, App. C.2]
///   rotate:a,b:T        the plane of two columns by 360 / T degrees
///   translate:a:T       the column a, which is a circle, by 1 / T of its period (a plane of two columns: cos a, sin a)
///   longitude:T         the sphere by 360 / T degrees (the plane of its x and y)
///   permute:a,b,c       a to b, b to c, c to a
///   flip:HxW:ud, :lr    an image of H rows and W columns of pixels, upside down or left to right
///   shift:HxW:R,C       such an image by R rows and C columns, what leaves on one side returning on the other
///
/// Several words make a product of commuting symmetries. `X` (some thousand rows) is looked at for pca alone. InputError of
/// one sentence for what cannot be read.
std::vector<Symmetry> make_symmetries(const std::vector<std::string>& words,
                                      const std::vector<std::string>& columns, MatrixIn X);

/// Whether one of them swaps or turns columns, so that these must be scaled alike.
bool mixes_columns(const std::vector<std::string>& words);

}  // namespace bochner
