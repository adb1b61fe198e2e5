#pragma once
#include "bochner/models/harmonic/gp.hpp"
#include "hidden.hpp"

namespace bochner {

/// Derivatives of the bound in all that a HarmonicGp learns, in its shapes.
struct HarmonicGradient {
  Vector kernel;      // unconstrained parameters
  Vector likelihood;  // the same
  std::vector<Matrix> Z, mean;
  std::vector<std::vector<Matrix>> factor;
  Vector patch_weight;                 // of a PatchSum
  std::vector<HiddenGradient> hidden;  // of deep_bound
  Matrix X;                            // of the inputs of the last layer
};

/// What a natural gradient step needs (src/models/harmonic_natural.hpp): the precision that a step of size one would take
/// each group to, the gradient in its mean, and how the batch bends along a move of the means.
struct NaturalTarget {
  std::vector<std::vector<Matrix>> precision;  // H lists, m x m, lower triangle
  std::vector<Matrix> dmean;                   // H, m x P
  std::vector<Matrix> Psi;  // H, m x B: a move d_h of the means moves f by sum_h Psi_h'd_h ...
  Matrix curvature;         // ... B x P, and costs half of this times its square
};

struct HarmonicBound {
  double data = 0;  // scale * sum_n E_q log p(y_n | f_n)
  double kl = 0;    // sum_h KL(q(v_h) || N(0, I))
  double value() const { return data - kl; }
};

/// The evidence lower bound [hensman2013], [sun2021, Sec. 4.2], from a batch of rows that stands for scale times as
/// many. Fills the gradient, or the gradient without `mean` and `factor` together with the natural target. NumericalError
/// where a Gram matrix of inducing points cannot be factorised.
/// Of a deep GP this is the last layer: see deep_bound.
HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             const Compute& compute);
HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             HarmonicGradient& gradient, const Compute& compute);
HarmonicBound harmonic_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale,
                             HarmonicGradient& gradient, NaturalTarget& target, const Compute& compute);

}  // namespace bochner
