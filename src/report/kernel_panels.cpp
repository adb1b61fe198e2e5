#include "kernel_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr Index points = 81, most_gram = 120, most_dims = 4;

/// A mixture of Gaussians over angular frequencies, as several kernels are transforms of: weights, means and sds (R x Q).
struct SpectralDensity {
  Vector weight;
  Matrix mean, sd;

  /// Of the frequency along one dimension, both signs together: p(w) + p(-w).
  double along(Index q, double w) const {
    double out = 0;
    for (Index r = 0; r < weight.size(); ++r)
      for (const double sign : {1.0, -1.0}) {
        const double u = (w - sign * mean(r, q)) / sd(r, q);
        out += weight(r) * std::exp(-u * u / 2) / (sd(r, q) * std::sqrt(2 * pi));
      }
    return out;
  }
  double largest(Index q) const { return (mean.col(q).cwiseAbs() + 3 * sd.col(q)).maxCoeff(); }
};

/// Empty weights for kernels whose density is no such mixture.
SpectralDensity density_of(const AnyKernel& kernel, Index Q) {
  const ModelGroup group = kernel_group(kernel);
  const std::string name = kernel_name(kernel);
  if (name == "rbf") {
    const Vector ell = group.vector("ell");
    return {Vector::Ones(1), Matrix::Zero(1, Q), Matrix(ell.cwiseInverse().transpose())};
  }
  if (name == "sm") {
    const Vector alpha = group.vector("alpha");
    return {alpha / alpha.sum(), group.matrix("mu"), group.matrix("sd")};
  }
  if (name == "ngsm") {  // a pair of frequencies each: the mixture of both margins
    const Vector alpha = group.vector("alpha");
    const Index R = alpha.size();
    SpectralDensity out{Vector(2 * R), Matrix(2 * R, Q), Matrix(2 * R, Q)};
    out.weight << alpha, alpha;
    out.weight /= out.weight.sum();
    out.mean << group.matrix("mu1"), group.matrix("mu2");
    out.sd << group.matrix("sd1"), group.matrix("sd2");
    return out;
  }
  return {};
}

/// k(c - t/2 e_q, c + t/2 e_q), c the centre of the latents, divided by its value at t = 0.
Vector kernel_along(const AnyKernel& kernel, const Vector& centre, Index q, const Vector& distance) {
  Vector out(distance.size());
  for (Index i = 0; i < distance.size(); ++i) {
    Vector x = centre, y = centre;
    x(q) -= distance(i) / 2;
    y(q) += distance(i) / 2;
    out(i) = evaluate(kernel, x, y);
  }
  return out / (out(0) != 0 ? out(0) : 1.0);
}

/// The RBF kernel that falls to one half at the same distance; empty if ours does not fall so far.
Vector rbf_of_same_width(const Vector& distance, const Vector& k) {
  Index half = 0;
  while (half < k.size() && k(half) > 0.5) ++half;
  if (half == 0 || half == k.size()) return {};
  const double between = (k(half - 1) - 0.5) / (k(half - 1) - k(half));
  const double at = distance(half - 1) + between * (distance(half) - distance(half - 1));
  return (-std::log(2.0) * (distance.array() / at).square()).exp();
}

/// Dimensions that no view depends on, as metrics.json has them; their kernels say nothing and would set the scale.
std::vector<bool> unused_dimensions(const RunFiles& run, Index dims) {
  const Json& roles = member(run.metrics(), "dimensions");
  std::vector<bool> out(static_cast<std::size_t>(dims), false);
  if (!roles.is_array() || Index(roles.size()) != dims) return out;
  for (std::size_t q = 0; q < out.size(); ++q) out[q] = roles[q] == "unused";
  return out;
}

void add_gplvm(const GplvmFit& fit, const std::vector<std::string>& dims, const std::vector<bool>& unused,
               Json& kernels, Json& densities) {
  const Vector centre = fit.latent.mean.colwise().mean().transpose();
  for (const GplvmView& view : fit.views) {
    const SpectralDensity density = density_of(view.kernel, fit.dims());
    Json curves = Json::array();
    for (Index q = 0; q < std::min(fit.dims(), most_dims); ++q) {
      if (unused[static_cast<std::size_t>(q)]) continue;
      const std::string& name = dims[static_cast<std::size_t>(q)];
      const double width = fit.latent.mean.col(q).maxCoeff() - fit.latent.mean.col(q).minCoeff();
      const Vector distance = Vector::LinSpaced(points, 0, width > 0 ? width : 1);
      const Vector k = kernel_along(view.kernel, centre, q, distance);
      Json both = Json::array({curve("learned", distance, k)});
      if (const Vector rbf = rbf_of_same_width(distance, k); rbf.size() > 0)
        both.push_back(curve("RBF of the same width", distance, rbf));
      kernels.push_back(chart(fmt::format("{}, {}", shortened(view.name, 60), name), "distance in " + name,
                              "correlation", std::move(both)));
      if (density.weight.size() == 0) continue;
      const Vector w = Vector::LinSpaced(points, 0, density.largest(q));
      curves.push_back(curve(name, w, w.unaryExpr([&](double at) { return density.along(q, at); })));
    }
    if (!curves.empty())
      densities.push_back(chart(shortened(view.name, 60), "angular frequency", "density", std::move(curves)));
  }
}

Vector numbers_of(const Json& list) {
  Vector out(list.is_array() ? Index(list.size()) : 0);
  for (Index i = 0; i < out.size(); ++i) {
    const Json& value = list[static_cast<std::size_t>(i)];
    out(i) = value.is_number() ? value.get<double>() : std::nan("");
  }
  return out;
}

/// Bands over draws, as kernel.json of chains has them.
void add_bands(const std::string& view, const Json& bands, const char* axis, const char* label, const char* y,
               Json& charts) {
  const Vector x = numbers_of(member(bands, axis));
  if (x.size() == 0) return;
  Json curves = Json::array();
  for (const auto& [name, band] : bands.items())
    if (band.is_object())
      curves.push_back(curve(name, x, numbers_of(member(band, "median")), numbers_of(member(band, "q05")),
                             numbers_of(member(band, "q95"))));
  charts.push_back(chart(shortened(view, 60), label, y, std::move(curves)));
}

Json gram_chart(const std::string& view, const Matrix& K) {
  const double scale = K.diagonal().mean();
  return {
      {"title", shortened(view, 60)}, {"size", K.rows()}, {"values", as_bytes(K / (scale > 0 ? scale : 1))}};
}

/// Samples along the first dimension, up to the maximum.
std::vector<Index> along_first(const Matrix& latents) {
  std::vector<Index> order(static_cast<std::size_t>(latents.rows())), out;
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return latents(a, 0) < latents(b, 0); });
  const Index count = std::min(latents.rows(), most_gram);
  for (Index i = 0; i < count; ++i)
    out.push_back(order[static_cast<std::size_t>(i * latents.rows() / count)]);
  return out;
}

void add_gram_panel(const AnyFit& any, const RunSamples& samples, const Compute& compute, Json& panels) {
  Json charts = Json::array();
  if (const auto* fit = std::get_if<GplvmFit>(&any)) {
    const Matrix X = fit->latent.mean(along_first(fit->latent.mean), Eigen::all);
    for (const GplvmView& view : fit->views)
      charts.push_back(gram_chart(view.name, gram(view.kernel, X, compute)));
  } else if (const auto* kpca = std::get_if<KpcaFit>(&any)) {  // what the components keep of it
    const Matrix H = kpca->H(along_first(kpca->H), Eigen::all);
    charts.push_back(gram_chart("all views", H * kpca->lambda.asDiagonal() * H.transpose()));
  }
  if (charts.empty() || samples.empty()) return;
  Json out = panel(
      "gram", "gram", "Gram matrix",
      "Similarity of samples, ordered along the first dimension: blocks on the diagonal are groups, bright "
      "spots away from it are samples that are alike although they lie far apart.");
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
}

}  // namespace

void add_kernel_panels(RunFiles& run, const RunSamples& samples, const Compute& compute, Json& panels) {
  const AnyFit* any = samples.empty() ? nullptr : run.fit();
  Json kernels = Json::array(), densities = Json::array();
  if (const auto* fit = any ? std::get_if<GplvmFit>(any) : nullptr;
      fit && fit->dims() == Index(samples.dims.size()))
    add_gplvm(*fit, samples.dims, unused_dimensions(run, fit->dims()), kernels, densities);
  if (any && std::holds_alternative<BayesFit>(*any)) {
    const Json views = run.json("kernel.json");
    for (const auto& [view, kernel] : views.items()) {
      add_bands(view, member(kernel, "kernel_along"), "distance", "distance in one dimension", "covariance",
                kernels);
      add_bands(view, member(kernel, "spectral_density"), "angular_frequency", "angular frequency", "density",
                densities);
    }
  }
  if (!densities.empty()) {
    Json out = panel(
        "density", "lines", "Spectral density",
        "The frequencies that the kernel of each view is made of: mass at zero means slow change along a "
        "dimension, a peak elsewhere means waves of that frequency.",
        densities.size() > 1);
    out["charts"] = std::move(densities);
    panels.push_back(std::move(out));
  }
  if (!kernels.empty()) {
    Json out = panel(
        "kernel", "lines", "Kernel",
        "How alike the functions of a view are at two latents that lie so far apart; below zero they move "
        "against each other, which no RBF kernel can express.",
        true);
    out["charts"] = std::move(kernels);
    out["small"] = true;
    panels.push_back(std::move(out));
  }
  if (any) add_gram_panel(*any, samples, compute, panels);
}

}  // namespace bochner::detail
