#pragma once
#include <optional>
#include <vector>

#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

/// What embed knows about a view before it sees a sample.
struct EmbedView {
  const GplvmView& view;
  std::vector<Index> columns;  // those that say something
  Vector precision;   // M, 1 / noise, where noise is not far below the common one; 0 for silent columns
  Matrix root;        // p x M, W_m / sqrt(noise_m)
  Matrix outer;       // p x p, root root'
  Matrix shrinkage;   // p x M, amplitude_m w_im / noise_m
  Matrix complete_H;  // p x p, H of a sample with all columns measured ...
  double complete_prior = 0;  // ... and its sum of amplitude_m / noise_m

  EmbedView(const GplvmView& view, const Compute& compute);
};

/// The measured entries O of one sample in one view. The bound of log p(y_O | x), functions integrated out, but for a
/// constant, in phi = G'k(Z, x) (fit.hpp):
///
///   -1/2 sum_O [ (y_m - phi'W_m)^2 + V f_m(x) ] / noise_m = -1/2 [ y2 - 2 phi'g + phi'H phi + prior k(x, x) ]
///
///   g = sum_O W_m y_m / noise_m,  H = sum_O W_m W_m' / noise_m - diag(d),  d_i = sum_O amplitude_m w_im / noise_m,
///   prior = sum_O amplitude_m / noise_m: p numbers and a p x p matrix, however many columns.
struct SampleView {
  const EmbedView* fixed = nullptr;
  Vector measured;  // M, precision where measured, else 0
  double y2 = 0, prior = 0;
  Vector g;
  Vector d;
  Matrix own_H;  // empty when every column is measured

  const Matrix& H() const { return own_H.size() > 0 ? own_H : fixed->complete_H; }
};

/// The sample with scaled entries z of a row of the view's columns; nothing if none is measured.
std::optional<SampleView> look_at(const EmbedView& fixed, const Eigen::Ref<const Eigen::RowVectorXd>& z);

/// The bound of one sample in theta = (mean, log sd) of q(x), expectations by the points xi of sigma_points.hpp.
class SampleBound {
 public:
  SampleBound(const std::vector<SampleView>& views, const Matrix& xi) : views_(views), xi_(xi) {}

  /// The value; fills the gradient and, from the differences of the gradients at opposite points, which cost nothing more,
  /// the Hessian in the mean (Q x Q, symmetric). It is that of the bound up to terms of the order of sd^2.
  double operator()(const Vector& theta, Vector& grad, Matrix& hessian) const;

 private:
  const std::vector<SampleView>& views_;
  const Matrix& xi_;
};

}  // namespace bochner
