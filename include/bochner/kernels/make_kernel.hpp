#pragma once
#include <string>
#include <vector>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Where the parameters of a kernel made by name start.
struct KernelSettings {
  double ell = 1.0;      // every length-scale; mixtures start with frequencies of size 1 / ell
  double sigma2 = 1.0;   // variance of every kernel that has one; the sum of a mixture's weights
  double period = 1.0;   // of the periodic kernel
  Index components = 2;  // of sm, bsm and ngsm
};

/// The names that stand alone: rbf, matern12, matern32, matern52, rq, periodic, linear, affine, poly2, arccos0,
/// arccos1, arccos2, gibbs, sm, bsm, ngsm; other degrees of poly work as well.
const std::vector<std::string>& kernel_names();

/// A kernel on D inputs from a text such as "rbf", "matern32*periodic+linear", "rbf[1,2]+periodic[3]" (columns count
/// from 1) or "scaled(rbf*linear)"; brackets group, * binds before +, blanks do not matter. kernel_name() gives the
/// text back. Mixtures draw their mean frequencies from `rng`, each at its own place in the text, so that no two
/// components start alike. What cannot be read throws InputError with the list of names; so does a text that joins more
/// than most_kernels_in_text kernels or nests brackets deeper than deepest_kernel_text.
AnyKernel make_kernel(const std::string& text, Index D, const Rng& rng, const KernelSettings& settings = {});

inline constexpr int most_kernels_in_text = 64, deepest_kernel_text = 16;

}  // namespace bochner
