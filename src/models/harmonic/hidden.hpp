#pragma once
#include "bochner/models/harmonic/hidden_layer.hpp"
#include "bochner/random/rng.hpp"
#include "groups.hpp"

namespace bochner {

/// Standard normal draws for hidden layers: a function of the stream, the layer and the row, not of the rows around it.
struct HiddenNoise {
  Rng rng;
  bool alike = false;  // the same draws for every row, so that a prediction does not depend on a row's place
  double sign = 1;     // -1 for the antithetic draws
  Index first_row = 0;

  /// For the places of one row: (1 + H) P x R, first what the inducing points leave open, then each group.
  Matrix draw(std::size_t layer, Index row, const HiddenLayer& shape) const;
};

/// Derivatives of the bound in all that a hidden layer learns, in its shapes.
struct HiddenGradient {
  Vector kernel;
  std::vector<Matrix> Z, mean, factor, output_factor;
};

/// Zeros in the shapes of a layer.
HiddenGradient zero_gradient(const HiddenLayer& layer);

/// What a layer computes once for all rows.
struct HiddenFactors {
  std::vector<HarmonicBlock> blocks;
  HarmonicFactors factors;
};
HiddenFactors factorise(const HiddenLayer& layer, const Compute& compute);

/// A draw of the layer at some rows, with what its adjoint needs.
struct HiddenDraw {
  Matrix X;                    // n x d, n = N P: patches, or the rows themselves
  std::vector<Matrix> Psi, A;  // H, m x n
  Matrix kept;                 // n x H, a_h
  Vector residual;             // n, c
  std::vector<Matrix> noise;   // 1 + H, n x R
  Matrix out;                  // N x outputs()
};
HiddenDraw draw_hidden(const HiddenLayer& layer, const HiddenFactors& factors, std::size_t place,
                       MatrixIn inputs, const HiddenNoise& noise, const Compute& compute);

/// Adds to the gradient, given dL/d(draw.out); returns dL/d(inputs).
Matrix pull_hidden(const HiddenLayer& layer, const HiddenFactors& factors, const HiddenDraw& draw,
                   MatrixIn dL_dout, HiddenGradient& gradient, const Compute& compute);

/// KL(q(V) || p(V)) of all groups,
///   1/2 (|F|^2 |G|^2 + |M|^2 - m R) - R sum log |F_ii| - m sum log |G_rr|,
/// and its derivatives taken from a gradient.
double divergence(const HiddenLayer& layer);
void subtract_divergence(const HiddenLayer& layer, HiddenGradient& gradient);

}  // namespace bochner
