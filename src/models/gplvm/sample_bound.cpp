#include "sample_bound.hpp"

#include <cmath>

#include "bochner/compute/products.hpp"

namespace bochner {

namespace {

/// A column counts at most twice what it did when the latents were learned, with the common noise. Columns that hardly vary
/// have next to no noise, and a single unusual entry in one of them would decide where a sample lies.
constexpr double least_noise_share = 0.5;

}  // namespace

EmbedView::EmbedView(const GplvmView& known, const Compute& compute)
    : view(known), precision(known.noise.cwiseMax(least_noise_share * known.noise_variance).cwiseInverse()) {
  for (const std::vector<Index>* list : {&view.unmeasured, &view.constant})
    for (const Index m : *list) precision(m) = 0;
  for (Index m = 0; m < precision.size(); ++m)
    if (precision(m) > 0) columns.push_back(m);
  root = view.W * precision.cwiseSqrt().asDiagonal();
  outer = outer_gram<double>(root, compute);
  shrinkage = view.shrinkage() * precision.asDiagonal();
  complete_H = outer;
  complete_H.diagonal() -= shrinkage.rowwise().sum();
  complete_prior = view.amplitude.dot(precision);
}

std::optional<SampleView> look_at(const EmbedView& fixed, const Eigen::Ref<const Eigen::RowVectorXd>& z) {
  SampleView out{.fixed = &fixed, .measured = Vector::Zero(z.size())};
  std::vector<Index> seen, missing;
  for (const Index m : fixed.columns) {
    (std::isnan(z(m)) ? missing : seen).push_back(m);
    if (!std::isnan(z(m))) out.measured(m) = fixed.precision(m);
  }
  if (seen.empty()) return std::nullopt;
  Vector weighted = Vector::Zero(z.size());  // y_m / noise_m
  for (const Index m : seen) {
    weighted(m) = z(m) * fixed.precision(m);
    out.y2 += z(m) * weighted(m);
  }
  out.g = fixed.view.W * weighted;
  out.prior = fixed.complete_prior;
  if (missing.empty()) {
    out.d = fixed.shrinkage.rowwise().sum();
    return out;
  }
  const bool few = missing.size() < seen.size();
  const Matrix some = fixed.root(Eigen::all, few ? missing : seen);
  out.own_H = few ? fixed.outer : Matrix::Zero(some.rows(), some.rows());
  out.own_H.selfadjointView<Eigen::Lower>().rankUpdate(some, few ? -1.0 : 1.0);
  out.own_H.triangularView<Eigen::StrictlyUpper>() = out.own_H.transpose();
  out.prior = 0;
  for (const Index m : seen) out.prior += fixed.view.amplitude(m) * fixed.precision(m);
  out.d = Vector::Zero(out.g.size());
  for (Index i = 0; i < out.d.size(); ++i)
    for (const Index m : seen) out.d(i) += fixed.shrinkage(i, m);
  out.own_H.diagonal() -= out.d;
  return out;
}

double SampleBound::operator()(const Vector& theta, Vector& grad, Matrix& hessian) const {
  const Index Q = xi_.cols(), J = xi_.rows();
  const double share = 1 / double(J);
  const Eigen::RowVectorXd sd = theta.tail(Q).array().exp().matrix().transpose();
  Matrix X(J, Q), dX = Matrix::Zero(J, Q);
  for (Index j = 0; j < J; ++j) X.row(j) = theta.head(Q).transpose() + xi_.row(j).cwiseProduct(sd);
  double value = 0;
  for (const SampleView& sample : views_) {
    const GplvmView& view = sample.fixed->view;
    Matrix K(J, view.Z.rows());
    gram_block(view.kernel, X, view.Z, K);
    const Matrix Phi = K * view.G, PhiH = Phi * sample.H();
    value -= 0.5 * (sample.y2 + share * (Phi.cwiseProduct(PhiH).sum() - 2 * (Phi * sample.g).sum() +
                                         sample.prior * diagonal(view.kernel, X).sum()));
    const Matrix dPhi = sample.g.transpose().replicate(J, 1) - PhiH;
    const Matrix dK = dPhi * view.G.transpose();
    Vector dtheta = Vector::Zero(parameter_count(view.kernel));
    Matrix dZ = Matrix::Zero(view.Z.rows(), Q);
    KernelAdjoint adjoint{dtheta, dX, dZ};
    pull_block(view.kernel, X, view.Z, K, dK, adjoint);
    pull_diagonal(view.kernel, X, Vector::Constant(J, -0.5 * sample.prior), dtheta, dX);
  }
  // dX is the gradient at each point, of which the bound has the mean.
  const auto mean = theta.head(Q).array(), log_sd = theta.tail(Q).array();
  value -= 0.5 * (mean.square() + (2 * log_sd).exp() - 1 - 2 * log_sd).sum();
  grad.resize(2 * Q);
  grad.head(Q) = share * dX.colwise().sum().transpose() - theta.head(Q);
  grad.tail(Q) = share * dX.cwiseProduct(xi_).colwise().sum().transpose().cwiseProduct(sd.transpose()) -
                 ((2 * log_sd).exp() - 1).matrix();
  hessian.resize(Q, Q);
  for (Index q = 0; q < Q; ++q)
    hessian.row(q) = (dX.row(2 * q) - dX.row(2 * q + 1)) / ((xi_(2 * q, q) - xi_(2 * q + 1, q)) * sd(q));
  hessian = 0.5 * (hessian + hessian.transpose()).eval();
  hessian.diagonal().array() -= 1;
  return value;
}

}  // namespace bochner
