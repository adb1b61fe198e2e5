#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/scaling.hpp"
#include "bochner/features/any_feature_map.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/models/kpca/options.hpp"

namespace bochner {

/// One view of a fitted multi-view kernel PCA. With centred features phi (weights of views inside), H the training
/// components and U = Phi'H,
///
///   e(x) = U'phi(x) = H'k(x)        what the view says of the components, s numbers
///
/// is all that the others need of it.
struct KpcaView {
  std::string name;
  std::vector<std::string> columns;
  Scaling scaling;
  double weight = 1;
  Preimage preimage = Preimage::identity;  // never automatic
  bool classes = false;                    // columns stand for classes

  // Explicit features, no training data: the map, the mean of its features and U.
  std::optional<AnyFeatureMap> map;
  Vector feature_mean;  // F
  Matrix U;             // F x s

  // Else the kernel, the scaled training rows and H'K 1/n.
  std::optional<AnyKernel> kernel;
  Matrix X;       // n x M
  Vector offset;  // s

  Matrix G;  // s x s, U'U

  // Of the ridge: sums over training rows of e_w x' for every view w, and of x'x.
  std::vector<Matrix> cross;             // per view w: s x M
  Vector x_mean;                         // M, of the scaled training rows
  Vector x_squares;                      // M, centred
  std::optional<AnyFeatureMap> inverse;  // the pre-image network, F -> M

  bool explicit_features() const { return map.has_value(); }
  Index cols() const { return static_cast<Index>(columns.size()); }
};

struct KpcaFit {
  std::vector<std::string> ids;  // training samples
  Vector lambda;                 // s, from the largest down, all positive
  Matrix H;                      // n x s, orthonormal and centred
  std::vector<KpcaView> views;
  std::vector<std::vector<Matrix>> second;  // [v][w]: s x s, sum over training rows of e_v e_w'
  double unseen = 1e-3;                     // as in the options
  double total_variance = 0;                // trace of the centred Gram matrix, all views
  KpcaSolver solver = KpcaSolver::dual;     // never automatic
  Status status = Status::converged;
  Index steps = 0;                 // of an iterative solver
  std::vector<std::string> notes;  // in plain words: components without variance, rows left out

  Index dims() const { return lambda.size(); }
  /// Share of the variance in feature space that each component explains, s.
  Vector explained() const { return lambda / total_variance; }
};

}  // namespace bochner
