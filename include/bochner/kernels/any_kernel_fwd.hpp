#pragma once
#include <variant>

namespace bochner {

struct Rbf;
struct Matern;
struct RationalQuadratic;
struct Periodic;
struct Linear;
struct Polynomial;
struct ArcCosine;
struct Gibbs;
struct SpectralMixture;
struct BivariateSm;
struct NgSm;
struct Sum;
struct Product;
struct Scaled;
struct Select;

/// Any kernel, chosen at run time. The last four are made of kernels themselves, so AnyKernel is a tree.
/// Joining this list is joining every test of tests/kernels/every_kernel_test.cpp.
using AnyKernel = std::variant<Rbf, Matern, RationalQuadratic, Periodic, Linear, Polynomial, ArcCosine, Gibbs,
                               SpectralMixture, BivariateSm, NgSm, Sum, Product, Scaled, Select>;

}  // namespace bochner
