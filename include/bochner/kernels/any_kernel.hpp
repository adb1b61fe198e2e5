#pragma once
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/arc_cosine.hpp"
#include "bochner/kernels/bivariate_sm.hpp"
#include "bochner/kernels/gibbs.hpp"
#include "bochner/kernels/gram.hpp"
#include "bochner/kernels/linear.hpp"
#include "bochner/kernels/matern.hpp"
#include "bochner/kernels/ngsm.hpp"
#include "bochner/kernels/periodic.hpp"
#include "bochner/kernels/polynomial.hpp"
#include "bochner/kernels/product.hpp"
#include "bochner/kernels/rational_quadratic.hpp"
#include "bochner/kernels/rbf.hpp"
#include "bochner/kernels/scaled.hpp"
#include "bochner/kernels/select.hpp"
#include "bochner/kernels/spectral_mixture.hpp"
#include "bochner/kernels/sum.hpp"

namespace bochner {

// What a Kernel does (kernel.hpp, gram.hpp), for a kernel chosen at run time: one visit per matrix.

/// "rbf", "matern32", "rbf+periodic", ..: what make_kernel understands.
std::string kernel_name(const AnyKernel& k);

Index input_dims(const AnyKernel& k);
Index parameter_count(const AnyKernel& k);
std::vector<std::string> parameter_names(const AnyKernel& k);
Vector parameters(const AnyKernel& k);
AnyKernel with_parameters(const AnyKernel& k, VectorIn theta);

double evaluate(const AnyKernel& k, VectorIn x, VectorIn y);
Vector gradient(const AnyKernel& k, VectorIn x, VectorIn y);
Vector input_gradient(const AnyKernel& k, VectorIn x, VectorIn y);

Matrix gram(const AnyKernel& k, MatrixIn X, MatrixIn Z, const Compute& compute);
Matrix gram(const AnyKernel& k, MatrixIn X, const Compute& compute);
GramPullback gram_pullback(const AnyKernel& k, MatrixIn X, MatrixIn Z, MatrixIn G, MatrixIn dL_dG,
                           const Compute& compute);
GramPullback gram_pullback(const AnyKernel& k, MatrixIn X, MatrixIn G, MatrixIn dL_dG,
                           const Compute& compute);
void gram_block(const AnyKernel& k, MatrixIn X, MatrixIn Z, MatrixOut K);
void pull_block(const AnyKernel& k, MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK,
                KernelAdjoint& adjoint);

Vector diagonal(const AnyKernel& k, MatrixIn X);
void pull_diagonal(const AnyKernel& k, MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX);

/// Whether frequencies can be drawn, and whether they come in pairs (a non-stationary kernel). The three functions
/// below throw std::invalid_argument, naming the kernel, where they cannot.
bool has_spectrum(const AnyKernel& k);
bool has_paired_spectrum(const AnyKernel& k);
SpectralNoise draw_noise(const AnyKernel& k, Index L, Directions directions, Rng& rng);
Frequencies frequencies(const AnyKernel& k, const SpectralNoise& noise);
Vector frequencies_pullback(const AnyKernel& k, const SpectralNoise& noise, const Frequencies& dL);

}  // namespace bochner
