#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/kernels/any_kernel_fwd.hpp"

namespace bochner {

/// x -> A x + b; where A only swaps columns and turns signs, (Gx)_i = sign_i x_from(i) + b_i, and A is empty.
struct Motion {
  Vector b;                 // D
  std::vector<Index> from;  // D columns, or empty ...
  Vector sign;              // ... with their signs
  Matrix A;                 // D x D, or empty

  Index dims() const { return b.size(); }
  Matrix linear() const;                  // A, whichever way it is kept
  Matrix apply(MatrixIn X) const;         // rows
  Matrix pull(MatrixIn dL_dMoved) const;  // adjoint of apply: dL/dX
};

Motion identity_motion(Index D);
Motion compose(const Motion& second, const Motion& first);  // x -> second(first(x))

/// A motion G that is the identity after `order` turns [sun2021, Def. 3.2], or looks like it to a kernel that repeats
/// itself (a translation on a torus).
struct Symmetry {
  std::string name;  // for messages
  Motion generator;
  Index order = 2;
};

Symmetry negate(Index D, const std::vector<Index>& columns);  // x_c -> -x_c; order 2
/// Turns the sign of the part of x that lies in the span of the columns of V (D x k, orthonormal): x -> x - 2 V V'x.
Symmetry reflect(MatrixIn V);
Symmetry rotate(Index D, Index first, Index second,
                Index order);                      // by 2 pi / order in the plane of two columns
Symmetry translate(VectorIn shift, Index order);   // x -> x + shift
Symmetry permute(const std::vector<Index>& from);  // (Gx)_i = x_from[i]; order from its cycles
Symmetry flip_image(Index height, Index width, bool left_right);  // pixels row by row
Symmetry shift_image(Index height, Index width, Index rows,
                     Index columns);  // with wrap-around, so many pixels a turn

/// One group of k_t: a character of the group of commuting symmetries, together with its conjugates so that it is real,
///
///   k_h(x, y) = sum over s_1 .. s_J of  prod_j m_j / T_j cos(2 pi t_j s_j / T_j)  k(x, G_1^s_1 .. G_J^s_J y)
///
/// m_j = 1 where t_j and T_j - t_j are the same, 2 otherwise [sun2021, Sec. 3.4 with the factor 1 / T at t = 0 and
/// T / 2; Sec. 3.5].
struct HarmonicIndex {
  std::vector<Index> t;     // J numbers, 0 <= t_j <= T_j / 2
  double multiplicity = 1;  // prod_j m_j
};

/// All prod_j (floor(T_j / 2) + 1) of them; multiplicities add up to prod_j T_j. No symmetry gives one, k itself.
std::vector<HarmonicIndex> harmonic_indices(const std::vector<Symmetry>& symmetries);

/// The motions of the whole group, the identity first, and of each the turns s_1 .. s_J that make it.
struct GroupElement {
  Motion motion;
  std::vector<Index> turns;
};
std::vector<GroupElement> group_elements(const std::vector<Symmetry>& symmetries, Index D);

/// Looks at the rows of X (some hundred of them) whether each G is of its order to the kernel, G's commute and the kernel
/// is invariant, k(Gx, Gy) = k(x, y), to 1e-8 of its size. InputError that names symmetry, kernel and remedy.
void check_symmetries(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, MatrixIn X);

}  // namespace bochner
