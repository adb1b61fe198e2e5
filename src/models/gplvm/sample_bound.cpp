#include "sample_bound.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "row_groups.hpp"

namespace bochner {
namespace {

/// A column counts at most twice what it did when the latents were learned, with the common noise. Columns that hardly vary
/// have next to no noise, and a single unusual entry in one of them would decide where a sample lies.
constexpr double least_noise_share = 0.5;

constexpr std::size_t points_at_once = 64;
constexpr Index columns_at_once = 64;

using Form = SampleView::Form;

/// What the listed columns of a sample add to share^-1 times the value of its bound; their gradients go into dPhi. Phi and dPhi
/// are J x p, the features at the sigma points of the sample.
double add_listed(const SampleView& sample, const Eigen::Ref<const Matrix>& Phi, Eigen::Ref<Matrix> dPhi) {
  const bool few = sample.form == Form::few_measured;
  const Vector& d = few ? sample.d : sample.d_missing;
  const double sign = few ? 1 : -1;  // missing columns take away what H counts
  dPhi = sign * Phi * d.asDiagonal();
  double value = 0.5 * Phi.cwiseProduct(dPhi).sum();
  const Index count = Index(sample.listed.size());
  Matrix W(std::min(columns_at_once, count), Phi.cols());
  for (Index begin = 0; begin < count; begin += columns_at_once) {
    const Index size = std::min(columns_at_once, count - begin);
    Vector precision(size), z = Vector::Zero(size);
    for (Index i = 0; i < size; ++i) {
      const Index m = sample.listed[static_cast<std::size_t>(begin + i)];
      W.row(i) = sample.fixed->Wt.row(m);
      precision(i) = sample.fixed->precision(m);
      if (few) z(i) = sample.z(m);
    }
    Matrix F = Phi * W.topRows(size).transpose();  // J x size
    if (few) F = z.transpose().replicate(F.rows(), 1) - F;
    const Matrix slope = F * precision.asDiagonal();
    value -= 0.5 * sign * F.cwiseProduct(slope).sum();
    dPhi.noalias() += slope * W.topRows(size);
  }
  return value;
}

/// Adds what one view says at the given points: to their values, and to dX, the gradient at each sigma point. All points
/// have the same form in this view.
void add_view(const std::vector<BoundPoint*>& points, std::size_t v, Form form, const Matrix& xi,
              const std::vector<Matrix*>& dX) {
  const EmbedView& fixed = *(*points[0]->sample)[v]->fixed;
  const GplvmView& view = fixed.view;
  const Index J = xi.rows(), Q = xi.cols(), used = Index(points.size()) * J, rows = padded_rows(used);
  Matrix X(rows, Q), K(rows, view.Z.rows());
  for (Index i = 0; i < rows; ++i) {
    const Vector& theta = points[std::min(static_cast<std::size_t>(i / J), points.size() - 1)]->theta;
    for (Index q = 0; q < Q; ++q) X(i, q) = theta(q) + xi(i % J, q) * std::exp(theta(Q + q));
  }
  gram_block(view.kernel, X, view.Z, K);
  const Vector prior = diagonal(view.kernel, X);
  Matrix dK = Matrix::Zero(rows, view.Z.rows());
  Vector d_prior = Vector::Zero(rows);
  const auto share = 1 / double(J);
  if (form != Form::few_measured) dK.noalias() = K * fixed.H;
  for (std::size_t s = 0; s < points.size(); ++s) {
    const SampleView& sample = *(*points[s]->sample)[v];
    for (Index i = Index(s) * J; i < Index(s + 1) * J; ++i) {
      points[s]->value -= 0.5 * share * sample.prior * prior(i);
      d_prior(i) = -0.5 * sample.prior;
      if (form == Form::few_measured) continue;
      points[s]->value -= 0.5 * share * (sample.y2 - 2 * K.row(i).dot(sample.a) + K.row(i).dot(dK.row(i)));
      dK.row(i) = sample.a.transpose() - dK.row(i);
    }
  }
  if (form != Form::complete) {
    const Matrix Phi = K * view.G;
    Matrix dPhi = Matrix::Zero(rows, Phi.cols());
    for (std::size_t s = 0; s < points.size(); ++s) {
      const Index at = Index(s) * J;
      points[s]->value +=
          share * add_listed(*(*points[s]->sample)[v], Phi.middleRows(at, J), dPhi.middleRows(at, J));
    }
    dK.noalias() += dPhi * view.G.transpose();
  }
  dK.bottomRows(rows - used).setZero();
  Vector dtheta = Vector::Zero(parameter_count(view.kernel));
  Matrix dZ = Matrix::Zero(view.Z.rows(), Q), all = Matrix::Zero(rows, Q);
  KernelAdjoint adjoint{dtheta, all, dZ};
  pull_block(view.kernel, X, view.Z, K, dK, adjoint);
  pull_diagonal(view.kernel, X, d_prior, dtheta, all);
  for (std::size_t s = 0; s < points.size(); ++s) *dX[s] += all.middleRows(Index(s) * J, J);
}

/// The prior, and what the gradients at the sigma points mean for theta.
void finish(BoundPoint& point, const Matrix& xi, const Matrix& dX) {
  const Index Q = xi.cols();
  const double share = 1 / double(xi.rows());
  const Vector sd = point.theta.tail(Q).array().exp();
  const auto mean = point.theta.head(Q).array(), log_sd = point.theta.tail(Q).array();
  point.value -= 0.5 * (mean.square() + sd.array().square() - 1 - 2 * log_sd).sum();
  point.grad.resize(2 * Q);
  point.grad.head(Q) = share * dX.colwise().sum().transpose() - point.theta.head(Q);
  point.grad.tail(Q) = share * dX.cwiseProduct(xi).colwise().sum().transpose().cwiseProduct(sd) -
                       (sd.array().square() - 1).matrix();
  point.hessian.resize(Q, Q);
  for (Index q = 0; q < Q; ++q)
    point.hessian.row(q) = (dX.row(2 * q) - dX.row(2 * q + 1)) / ((xi(2 * q, q) - xi(2 * q + 1, q)) * sd(q));
  point.hessian = 0.5 * (point.hessian + point.hessian.transpose()).eval();
  point.hessian.diagonal().array() -= 1;
}

}  // namespace

EmbedView::EmbedView(const GplvmView& known, const Compute& compute)
    : view(known), precision(known.noise.cwiseMax(least_noise_share * known.noise_variance).cwiseInverse()) {
  for (const std::vector<Index>* list : {&view.unmeasured, &view.constant})
    for (const Index m : *list) precision(m) = 0;
  alpha = multiply<double>(view.G, view.W, compute);
  Wt = view.W.transpose();
  shrinkage = view.shrinkage() * precision.asDiagonal();
  d = shrinkage.rowwise().sum();
  H = outer_gram<double>(alpha * precision.cwiseSqrt().asDiagonal(), compute) -
      outer_gram<double>(view.G * d.cwiseSqrt().asDiagonal(), compute);
  prior = view.amplitude.cwiseProduct(precision);
}

std::vector<Sample> look_at(const std::vector<EmbedView>& fixed, const std::vector<Matrix>& z) {
  std::vector<Sample> out(z.empty() ? 0 : static_cast<std::size_t>(z[0].rows()), Sample(fixed.size()));
  for (std::size_t v = 0; v < fixed.size(); ++v) {
    const EmbedView& view = fixed[v];
    const Index M = z[v].cols(), rows = padded_rows(z[v].rows());
    Matrix values = Matrix::Zero(rows, M), measured = Matrix::Zero(rows, M), mask = measured;
    for (std::size_t n = 0; n < out.size(); ++n) {
      std::vector<Index> seen, missing;
      for (Index m = 0; m < M; ++m) {
        if (view.precision(m) == 0) continue;
        const double y = z[v](Index(n), m);
        if (std::isnan(y)) {
          missing.push_back(m);
          continue;
        }
        seen.push_back(m);
        values(Index(n), m) = y;
        measured(Index(n), m) = view.precision(m);
        mask(Index(n), m) = 1;
      }
      if (seen.empty()) continue;
      const bool few = seen.size() < missing.size();
      out[n][v] = SampleView{.fixed = &view,
                             .form = few               ? Form::few_measured
                                     : missing.empty() ? Form::complete
                                                       : Form::most_measured,
                             .listed = few ? std::move(seen) : std::move(missing)};
    }
    const Matrix A = values.cwiseProduct(measured) * view.alpha.transpose(),
                 D = mask * view.shrinkage.transpose();
    for (std::size_t n = 0; n < out.size(); ++n) {
      if (!out[n][v]) continue;
      SampleView& sample = *out[n][v];
      sample.z = values.row(Index(n)).transpose();
      sample.measured = measured.row(Index(n)).transpose();
      sample.y2 = sample.z.cwiseAbs2().dot(sample.measured);
      sample.prior = mask.row(Index(n)).dot(view.prior);
      sample.a = A.row(Index(n)).transpose();
      sample.d = D.row(Index(n)).transpose();
      if (sample.form == Form::most_measured) sample.d_missing = view.d - sample.d;
    }
  }
  return out;
}

void evaluate_bounds(const std::vector<BoundPoint*>& points, const Matrix& xi) {
  std::vector<Matrix> dX(points.size(), Matrix::Zero(xi.rows(), xi.cols()));
  for (BoundPoint* point : points) point->value = 0;
  const std::size_t views = points.empty() ? 0 : points[0]->sample->size();
  for (std::size_t v = 0; v < views; ++v)
    for (const Form form : {Form::complete, Form::most_measured, Form::few_measured}) {
      std::vector<BoundPoint*> some;
      std::vector<Matrix*> slopes;
      const auto flush = [&] {
        if (!some.empty()) add_view(some, v, form, xi, slopes);
        some.clear();
        slopes.clear();
      };
      for (std::size_t s = 0; s < points.size(); ++s) {
        const std::optional<SampleView>& sample = (*points[s]->sample)[v];
        if (!sample || sample->form != form) continue;
        some.push_back(points[s]);
        slopes.push_back(&dX[s]);
        if (some.size() == points_at_once) flush();
      }
      flush();
    }
  for (std::size_t s = 0; s < points.size(); ++s) finish(*points[s], xi, dX[s]);
}

}  // namespace bochner
