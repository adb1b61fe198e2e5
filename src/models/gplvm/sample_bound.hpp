#pragma once
#include <optional>
#include <vector>

#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// What embed knows about a view before it sees a sample.
struct EmbedView {
  const GplvmView& view;
  Vector
      precision;  // M, 1 / noise, where noise is not far below the common one; 0 for columns that say nothing
  Matrix alpha;   // m x M, G W
  Matrix Wt;      // M x p, W'
  Matrix shrinkage;  // p x M, amplitude_m w_im / noise_m
  Vector d;          // p, the sums of its rows: d of a sample with all columns measured
  Matrix H;          // m x m, H of a sample with all columns measured
  Vector prior;      // M, amplitude_m / noise_m

  EmbedView(const GplvmView& view, const Compute& compute);
};

/// The measured entries O of one sample in one view. The bound of log p(y_O | x), functions integrated out, but for a
/// constant, with k = k(Z, x) and phi = G'k (fit.hpp):
///
///   -1/2 sum_O [ (y_m - k'alpha_m)^2 + V f_m(x) ] / noise_m
///     = -1/2 [ sum_O (y_m - k'alpha_m)^2 / noise_m - sum_i d_i phi_i^2 + prior k(x, x) ]
///
///   d_i = sum_O amplitude_m w_im / noise_m,   prior = sum_O amplitude_m / noise_m
///
/// Where all columns are measured this is -1/2 [ y2 - 2 k'a + k'H k + prior k(x, x) ] with a = sum_m alpha_m y_m / noise_m
/// and H = sum_m alpha_m alpha_m' / noise_m - G diag(d) G', which is the same for all samples. Where some are missing, their
/// share of k'H k is taken away again: sum_missing (phi'W_m)^2 / noise_m - sum_i (d_i of all columns - d_i) phi_i^2. Where most
/// are, the first form over those that are measured is cheaper.
struct SampleView {
  enum class Form { complete, most_measured, few_measured };

  const EmbedView* fixed = nullptr;
  Form form = Form::complete;
  std::vector<Index> listed;  // the missing columns, or with few_measured the measured ones
  Vector z;                   // M, scaled y, 0 where missing
  Vector measured;            // M, precision where measured, else 0
  double y2 = 0, prior = 0;
  Vector a;          // m
  Vector d;          // p
  Vector d_missing;  // p, d of all columns - d
};

/// One sample: its views in the order of the model's, nothing where nothing is measured.
using Sample = std::vector<std::optional<SampleView>>;

/// The rows of scaled tables, one matrix for each view, as samples. A sample does not depend on the others, to the last byte.
std::vector<Sample> look_at(const std::vector<EmbedView>& fixed, const std::vector<Matrix>& z);

/// Where and what the bound of a sample is, in theta = (mean, log sd) of q(x).
struct BoundPoint {
  const Sample* sample = nullptr;
  Vector theta;  // 2 Q
  double value = 0;
  Vector grad;     // 2 Q
  Matrix hessian;  // Q x Q, in the mean
};

/// Fills value, gradient and Hessian of all points; expectations by the points xi of sigma_points.hpp. The Hessian comes from
/// the differences of the gradients at opposite points, for nothing: it is that of the bound up to terms of the order of
/// sd^2. A point does not depend on the others, to the last byte, however many there are.
void evaluate_bounds(const std::vector<BoundPoint*>& points, const Matrix& xi);

}  // namespace bochner
