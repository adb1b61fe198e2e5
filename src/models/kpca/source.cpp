#include "source.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "src/features/inducing.hpp"
#include "src/linalg/median_distance.hpp"

namespace bochner {
namespace {

using Kind = KpcaFeatures::Kind;

constexpr Index default_landmarks = 1000, default_frequencies = 1000, default_outputs = 32;
constexpr Index most_exact = 50'000;  // samples: beyond, one product with the Gram matrix takes many seconds

/// The finite map of a kernel that has one. Centring takes the offset of an affine kernel out again.
std::optional<AnyFeatureMap> finite_map(const AnyKernel& kernel) {
  if (const auto* k = std::get_if<Linear>(&kernel))
    return AnyFeatureMap{LinearFeatures<double>{0.5 * k->weight.array().log()}};
  if (const auto* k = std::get_if<Polynomial>(&kernel))
    return AnyFeatureMap{PolynomialFeatures<double>::from(*k)};
  return {};
}

bool smaller_than(const AnyKernel& kernel, Index n) {
  if (const auto* k = std::get_if<Linear>(&kernel)) return k->weight.size() < n;
  const auto* k = std::get_if<Polynomial>(&kernel);
  if (!k) return false;
  double count = 1;
  for (int i = 1; i <= k->degree; ++i) count *= double(k->weight.size() + i) / i;
  return count < double(n);
}

Kind resolve(Kind kind, const AnyKernel& kernel, Index n) {
  if (kind != Kind::automatic) return kind;
  if (std::holds_alternative<Linear>(kernel) || smaller_than(kernel, n)) return Kind::finite;
  if (n <= most_exact) return Kind::kernel;
  return has_spectrum(kernel) ? Kind::fourier : Kind::nystrom;
}

AnyFeatureMap make_map(const KpcaSource& source, Kind kind, const AnyKernel& kernel,
                       const KpcaFeatures& features, const KpcaTraining& training, const Rng& rng,
                       const Compute& compute) {
  const auto count = [&](Index otherwise) { return features.count > 0 ? features.count : otherwise; };
  const std::string of_view = "view '" + source.name + "': ";
  switch (kind) {
    case Kind::finite: {
      if (const std::optional<AnyFeatureMap> map = finite_map(kernel)) return *map;
      throw InputError(
          of_view + "the kernel " + kernel_name(kernel) +
          " has no finite feature map; use random Fourier or Nystrom features, or the kernel itself");
    }
    case Kind::fourier: {
      if (!has_spectrum(kernel))
        throw InputError(
            of_view + "the kernel " + kernel_name(kernel) +
            " has no spectrum to draw frequencies from; use Nystrom features, or the kernel itself");
      Rng draws = rng.split("frequencies");
      const SpectralNoise noise = draw_noise(kernel, count(default_frequencies), features.directions, draws);
      return {FourierFeatures<double>::from(frequencies(kernel, noise))};
    }
    case Kind::nystrom: {
      const Index m = std::min(count(default_landmarks), source.X.rows());
      return {NystromFeatures<double>::make(
          kernel, choose_inducing(kernel, source.X, m, 0, rng.split("landmarks"), compute),
          {.what = "the Gram matrix of the landmarks of view '" + source.name + "'"}, compute)};
    }
    case Kind::network:
      return {NetworkFeatures<double>::random({source.X.cols(), training.hidden, count(default_outputs)},
                                              rng.split("network"))};
    case Kind::automatic:
    case Kind::kernel:
      break;
  }
  throw std::logic_error("make_map: no explicit features");
}

}  // namespace

std::vector<KpcaSource> make_sources(const Dataset& data, const std::vector<Scaling>& scalings,
                                     const std::vector<KpcaViewOptions>& views, const KpcaTraining& training,
                                     const Rng& rng, const Compute& compute) {
  std::vector<KpcaSource> out;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const View& view = data.view(Index(v));
    const Rng mine = rng.split("view").split(v);
    KpcaSource source{.name = view.name,
                      .X = scalings[v].apply(view.Y),
                      .weight = views[v].weight,
                      .map = {},
                      .kernel = {}};
    const double ell =
        views[v].lengthscale > 0 ? views[v].lengthscale : median_distance(source.X, mine.split("distances"));
    AnyKernel kernel = make_kernel(views[v].kernel, source.X.cols(), mine.split("kernel"), {.ell = ell});
    const Kind kind = resolve(views[v].features.kind, kernel, data.rows());
    if (kind == Kind::kernel)
      source.kernel = std::move(kernel);
    else
      source.map = make_map(source, kind, kernel, views[v].features, training, mine, compute);
    out.push_back(std::move(source));
  }
  return out;
}

std::optional<Index> feature_count(const std::vector<KpcaSource>& sources) {
  Index count = 0;
  for (const KpcaSource& source : sources) {
    if (!source.map) return {};
    count += source.map->count();
  }
  return count;
}

std::optional<Index> feature_count(const KpcaViewOptions& view, Index n, Index M) {
  const AnyKernel kernel = make_kernel(view.kernel, M, Rng(0));
  const auto count = [&](Index otherwise) {
    return view.features.count > 0 ? view.features.count : otherwise;
  };
  switch (resolve(view.features.kind, kernel, n)) {
    case Kind::finite: {
      const std::optional<AnyFeatureMap> map = finite_map(kernel);
      return map ? map->count() : M;
    }
    case Kind::fourier:
      return 2 * count(default_frequencies);
    case Kind::nystrom:
      return std::min(n, count(default_landmarks));
    case Kind::network:
      return count(default_outputs);
    case Kind::automatic:
    case Kind::kernel:
      break;
  }
  return {};
}

Matrix weighted_features(const AnyFeatureMap& map, double weight, MatrixIn X, const Compute& compute) {
  Matrix Phi = feature_matrix(map, X, compute);
  if (weight != 1) Phi *= std::sqrt(weight);
  return Phi;
}

}  // namespace bochner
