#pragma once
#include <optional>
#include <vector>

#include "bochner/data/patches.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/symmetry/symmetry.hpp"

namespace bochner {

/// A layer of a deep GP [salimbeni2017]: R functions with one kernel, and a posterior whose covariance is a Kronecker product
/// [sun2021, Eq. 33], for each group h of harmonics (models/harmonic/gp.hpp)
///
///   f_r(x) = (map'x)_r + sum_h g_hr(x),    u_h = g_h(Z_h) = L_h V_h,    V_h m x R
///   q(V_h): mean_h, cov(V_ir, V_js) = (F_h F_h')_ij (G_h G_h')_rs       F_h = factor, G_h = output_factor
///
/// Given the inputs, f(x) is normal with mean map'x + sum_h Psi_h'mean_h and covariance sum_h a_h G_h G_h' + c I across the R
/// functions, where Psi_h = L_h^-1 k_h(Z_h, x), a_h = |F_h'Psi_h|^2, c = k(x, x) - sum_h |Psi_h|^2. A draw of it is the input of
/// the next layer.
///
/// With `patches` the input is an image, and the same functions look at each of its patches: R maps of the size of the patches'
/// grid, a convolution; `pool` halves its sides by means over 2 x 2 pixels. Draws of different patches are independent given the
/// input, as in [blomqvist2019] and [sun2021].
struct HiddenLayer {
  AnyKernel kernel;
  std::vector<Motion> motions{};        // as in HarmonicGp
  Matrix weights{};                     // H x G
  std::vector<Matrix> Z{};              // H, m x d
  std::vector<Matrix> mean{};           // H, m x R
  std::vector<Matrix> factor{};         // H, m x m, lower triangular
  std::vector<Matrix> output_factor{};  // H, R x R, lower triangular
  Matrix map{};                         // d x R, fixed: the prior mean of the functions
  double jitter = 1e-8;
  std::optional<Patches> patches{};
  bool pool = false;

  Index groups() const { return weights.rows(); }
  Index functions() const { return map.cols(); }                   // R
  Index inducing() const { return Z.front().rows(); }              // m
  Index places() const { return patches ? patches->count() : 1; }  // P, of one input
  Index inputs() const;                                            // columns of the layer's inputs
  Index outputs() const;                                           // columns of its draws
  ImageShape image() const;                                        // of its draws, with patches
};

}  // namespace bochner
