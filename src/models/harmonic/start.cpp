#include "start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/symmetry/symmetry_spec.hpp"
#include "row_kernel.hpp"
#include "src/linalg/k_means.hpp"
#include "src/linalg/median_distance.hpp"

namespace bochner {
namespace {

constexpr Index most_lengthscales = 100;  // that are learned unless it is told to
constexpr double hidden_variance =
    0.1;  // of dense layers: what inducing points leave open is noise to the next layer
constexpr double softmax_variance = 10;  // of f, which is sure of few classes at 1; learned from there
constexpr double start_output = 1e-2;    // G: almost deterministic
constexpr Index start_images = 1000, start_patches = 10000;
constexpr double position_lengthscale = 3, position_unit = 10;  // pixels
constexpr Index variance_images = 20;

/// What a layer sees when learning begins, and what its neighbours must know of it.
struct Inputs {
  Matrix rows;
  ImageShape image{};  // of convolutions
};

/// Up to `most` patches with their positions, at random places of random images.
Matrix some_patches(const Patches& patches, MatrixIn images, Index most, Rng rng) {
  const Index N = std::min(images.rows(), start_images), P = patches.count(),
              each = std::clamp<Index>(most / N, 1, P);
  Matrix out(N * each, patches.length() + 2);
  for (Index n = 0; n < N; ++n) {
    const Matrix all = patch_rows(patches, images.row(n));
    const IndexVector order = rng.permutation(P);
    for (Index i = 0; i < each; ++i) out.row(n * each + i) = all.row(order(i));
  }
  return out;
}

bool without_columns(const std::string& word) {
  return word == "negate" || word.starts_with("negate:axes:") || word.starts_with("negate:pca:");
}

/// Hidden layers make columns of their own, so symmetries can speak of all of them alone.
std::vector<Symmetry> dense_symmetries(const std::vector<std::string>& words, MatrixIn X, bool deep,
                                       const std::vector<std::string>& columns) {
  if (!deep) return make_symmetries(words, columns, X);
  std::vector<std::string> names;
  for (Index c = 0; c < X.cols(); ++c) names.push_back(std::to_string(c + 1));
  for (const std::string& word : words)
    if (!without_columns(word))
      throw InputError(
          fmt::format("the symmetry {} speaks of columns, which hidden layers do not keep; with "
                      "several layers use negate, negate:axes:J or negate:pca:J",
                      quote(word)));
  return make_symmetries(words, names, X);
}

/// Symmetries of windows, which leave their positions alone: `extra` further columns.
std::vector<Symmetry> patch_symmetries(const std::vector<std::string>& words, const Patches& patches,
                                       Index extra) {
  const Index d = patches.length(), C = patches.image.channels;
  std::vector<Symmetry> out;
  for (const std::string& word : words) {
    if (word != "negate" && word != "negate:checker")
      throw InputError(fmt::format(
          "the symmetry {} is none of windows of images; use negate or negate:checker", quote(word)));
    std::vector<Index> colours[2];
    for (Index i = 0; i < d; ++i) {
      const Index pixel = i / C;
      colours[word == "negate" ? 0 : (pixel / patches.size + pixel % patches.size) % 2].push_back(i);
    }
    for (const std::vector<Index>& columns : colours)
      if (!columns.empty()) {
        out.push_back(negate(d + extra, columns));
        out.back().name = word;
      }
  }
  return out;
}

AnyKernel layer_kernel(const HarmonicFitOptions& options, Index d, double ell, double sigma2,
                       const Rng& rng) {
  return make_kernel(options.kernel, d, rng.split("kernel"), {.ell = ell, .sigma2 = sigma2});
}

double start_variance(const AnyLikelihood& likelihood) {
  return std::holds_alternative<Softmax>(likelihood) ? softmax_variance : 1;
}

double start_lengthscale(const HarmonicFitOptions& options, MatrixIn X, const Rng& rng) {
  return options.lengthscale > 0 ? options.lengthscale : median_distance(X, rng.split("distances"));
}

/// Whether each column has a length-scale of its own: where nobody says, if the symmetries leave such a kernel alone.
bool own_lengthscales(const HarmonicFitOptions& options, const AnyKernel& kernel,
                      const std::vector<Symmetry>& symmetries, MatrixIn X, const Rng& rng) {
  if (options.ard) return *options.ard;
  if (X.cols() > most_lengthscales) return false;
  if (symmetries.empty()) return true;
  try {
    check_while_learning(kernel, TiedParameters::make(kernel, false), symmetries, X, rng.split("stir"));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

LayerLearning learning_of(const AnyKernel& kernel, bool ard, double ell, Index d) {
  return {TiedParameters::make(kernel, !ard), Vector::Constant(d, ell / std::sqrt(double(d)))};
}

/// The prior of a layer: one of a GP with a Kronecker posterior.
HiddenLayer make_hidden(const AnyKernel& kernel, const std::vector<Symmetry>& symmetries, MatrixIn Z,
                        const Matrix& map, double jitter) {
  HarmonicGp gp = make_harmonic_gp(kernel, symmetries, Z, make_likelihood("gaussian", map.cols()),
                                   {.latents = map.cols(), .shared_covariance = true, .jitter = jitter});
  HiddenLayer out{.kernel = std::move(gp.kernel),
                  .motions = std::move(gp.motions),
                  .weights = gp.weights,
                  .Z = std::move(gp.Z),
                  .mean = std::move(gp.mean),
                  .map = map,
                  .jitter = jitter};
  for (std::vector<Matrix>& factor : gp.factor) {
    out.factor.push_back(std::move(factor.front()));
    out.output_factor.push_back(start_output * Matrix::Identity(map.cols(), map.cols()));
  }
  return out;
}

/// D x R: identity, the first principal directions, or identity beside zeros.
Matrix dense_map(MatrixIn X, Index R, const Compute& compute) {
  const Index D = X.cols();
  if (R >= D) return Matrix::Identity(D, R);
  const Matrix centred = X.rowwise() - X.colwise().mean();
  return top_eigenpairs(Matrix(centred.transpose() * centred), R, {}, compute).vectors;
}

struct StartedLayer {
  HiddenLayer layer;
  LayerLearning learning;
  Inputs next;
};

StartedLayer start_dense(const HiddenPlan& plan, const Inputs& in, Index m, const HarmonicFitOptions& options,
                         const std::vector<std::string>& words, const Rng& rng, const Compute& compute) {
  const Matrix& X = in.rows;
  const Index D = X.cols(), R = layer_shapes({.hidden = {plan}}, "", D).hidden.front().functions;
  const double ell = start_lengthscale(options, X, rng);
  const AnyKernel kernel = layer_kernel(options, D, ell, hidden_variance, rng);
  const std::vector<Symmetry> symmetries = dense_symmetries(words, X, true, {});
  LayerLearning learning = learning_of(kernel, own_lengthscales(options, kernel, symmetries, X, rng), ell, D);
  if (!symmetries.empty()) check_while_learning(kernel, learning.tied, symmetries, X, rng.split("stir"));
  const Matrix map = dense_map(X, R, compute);
  const Matrix Z = k_means(X, std::min(m, X.rows()), rng.split("k-means"), compute);
  return {make_hidden(kernel, symmetries, Z, map, options.jitter), std::move(learning), {X * map}};
}

/// Entries of sd 1 / sqrt(d), which keep the size of pixels.
Inputs random_convolution(const HiddenLayer& layer, MatrixIn images, Rng rng) {
  const Index N = std::min(images.rows(), start_images), d = layer.map.rows(), R = layer.functions(),
              P = layer.places();
  const Matrix filter = rng.normal(d, R) / std::sqrt(double(d));
  const ImageShape drawn{layer.patches->rows(), layer.patches->cols(), R};
  Inputs out{Matrix(N, layer.outputs()), layer.image()};
  for (Index n = 0; n < N; ++n) {
    const Matrix maps = (layer.patches->gather(images.row(n)) * filter).transpose();  // R x P: pixel by pixel
    const Matrix row = Eigen::Map<const Matrix>(maps.data(), 1, P * R);
    out.rows.row(n) = layer.pool ? mean_pool(drawn, row) : row;
  }
  return out;
}

StartedLayer start_convolution(const HiddenPlan& plan, const Inputs& in, Index m,
                               const HarmonicFitOptions& options, const std::vector<std::string>& words,
                               const Rng& rng, const Compute& compute) {
  const Patches patches = patches_of(*plan.window, in.image);
  const Index
      d = patches.length(),
      R = layer_shapes({.hidden = {plan}}, to_string(in.image), in.image.pixels()).hidden.front().functions;
  const Matrix seen = some_patches(patches, in.rows, start_patches, rng.split("patches")).leftCols(d);
  const double ell = start_lengthscale(options, seen, rng);
  const AnyKernel kernel = layer_kernel(options, d, ell, 1, rng);
  LayerLearning learning = learning_of(kernel, options.ard.value_or(false), ell, d);
  const std::vector<Symmetry> symmetries = patch_symmetries(words, patches, 0);
  if (!symmetries.empty()) check_while_learning(kernel, learning.tied, symmetries, seen, rng.split("stir"));
  Matrix map = Matrix::Zero(d, R);
  for (Index r = 0; r < std::min(R, patches.image.channels); ++r) map(patches.centre(r), r) = 1;
  const Matrix Z = k_means(seen, std::min(m, seen.rows()), rng.split("k-means"), compute);
  StartedLayer out{make_hidden(kernel, symmetries, Z, map, options.jitter), std::move(learning), {}};
  out.layer.patches = patches;
  out.layer.pool = plan.pool;
  if (plan.pool && (patches.rows() < 2 || patches.cols() < 2))
    throw InputError(fmt::format("pool2 needs maps of at least 2 x 2 pixels, but the layer makes {} x {}",
                                 patches.rows(), patches.cols()));
  out.next = random_convolution(out.layer, in.rows, rng.split("convolution"));
  return out;
}

void note_points(const Matrix& Z, Index asked, const char* what, HarmonicStart& out) {
  if (Z.rows() < asked)
    out.notes.push_back(fmt::format("there {} {} to put inducing points on, fewer than {}: each gets one",
                                    Z.rows() == 1 ? "is" : "are", counted(Z.rows(), what), asked));
}

HarmonicGpOptions last_options(const HarmonicFitOptions& options, const AnyLikelihood& likelihood) {
  return {.latents = latents(likelihood),
          .shared_inducing = options.shared_inducing,
          .shared_covariance = options.shared_covariance,
          .jitter = options.jitter};
}

void start_last(const Inputs& in, const HarmonicFitOptions& options, const AnyLikelihood& likelihood,
                const std::vector<std::string>& words, const std::vector<std::string>& columns, bool deep,
                const Rng& rng, const Compute& compute, HarmonicStart& out) {
  const Matrix& X = in.rows;
  const double ell = start_lengthscale(options, X, rng);
  const AnyKernel kernel = layer_kernel(options, X.cols(), ell, start_variance(likelihood), rng);
  const std::vector<Symmetry> symmetries = dense_symmetries(words, X, deep, columns);
  out.ard = own_lengthscales(options, kernel, symmetries, X, rng);
  out.learning.last = learning_of(kernel, out.ard, ell, X.cols());
  if (!symmetries.empty())
    check_while_learning(kernel, out.learning.last.tied, symmetries, X, rng.split("stir"));
  const Matrix Z = k_means(X, std::min(options.inducing, X.rows()), rng.split("k-means"), compute);
  note_points(Z, options.inducing, "different row", out);
  out.gp = make_harmonic_gp(kernel, symmetries, Z, likelihood, last_options(options, likelihood));
}

/// The kernel of a window times that of its position, scaled so that f has the variance of a start on average.
void start_patches_layer(const Window& window, const Inputs& in, const HarmonicFitOptions& options,
                         const AnyLikelihood& likelihood, const std::vector<std::string>& words,
                         const Rng& rng, const Compute& compute, HarmonicStart& out) {
  PatchSum sum{.patches = patches_of(window, in.image)};
  const Index d = sum.patches.length();
  sum.weight = Vector::Ones(sum.patches.count());
  const Matrix seen = some_patches(sum.patches, in.rows, start_patches, rng.split("patches"));
  const double ell = start_lengthscale(options, seen.leftCols(d), rng);
  std::vector<Index> pixels, position{d, d + 1};
  for (Index i = 0; i < d; ++i) pixels.push_back(i);
  const AnyKernel where = make_kernel("matern32", 2, rng, {.ell = position_lengthscale});
  const auto product = [&](double sigma2) -> AnyKernel {
    return Product{{Select{{layer_kernel(options, d, ell, sigma2, rng)}, pixels, d + 2},
                    Select{{where}, position, d + 2}}};
  };
  const MatrixIn few = in.rows.topRows(std::min(variance_images, in.rows.rows()));
  const double variance = row_variances(product(1), sum, few, compute).mean();
  const AnyKernel kernel = product(start_variance(likelihood) / (variance > 0 ? variance : 1));
  out.ard = options.ard.value_or(false);
  out.learning.last = learning_of(kernel, out.ard, ell, d + 2);
  out.learning.last.unit.head(d).setConstant(ell / std::sqrt(double(d)));
  out.learning.last.unit.tail(2).setOnes();
  const std::vector<Symmetry> symmetries = patch_symmetries(words, sum.patches, 2);
  if (!symmetries.empty())
    check_while_learning(kernel, out.learning.last.tied, symmetries, seen, rng.split("stir"));
  Vector size(d + 2);  // in which windows and positions weigh alike
  size << Vector::Constant(d, ell), Vector::Constant(2, position_unit);
  const Matrix Z = k_means(seen * size.cwiseInverse().asDiagonal(), std::min(options.inducing, seen.rows()),
                           rng.split("k-means"), compute) *
                   size.asDiagonal();
  note_points(Z, options.inducing, "different window", out);
  out.gp = make_harmonic_gp(kernel, symmetries, Z, likelihood, last_options(options, likelihood));
  out.gp.patch_sum = std::move(sum);
}

Index hidden_inducing(const HarmonicFitOptions& options, std::size_t layer) {
  return layer < options.hidden_inducing.size() ? options.hidden_inducing[layer] : options.inducing;
}

}  // namespace

void check_while_learning(const AnyKernel& kernel, const TiedParameters& tied,
                          const std::vector<Symmetry>& symmetries, MatrixIn X, Rng rng) {
  check_symmetries(kernel, symmetries, X);
  const Vector free = tied.gather(parameters(kernel)) + 0.3 * rng.normal(tied.count);
  check_symmetries(with_parameters(kernel, tied.spread(free)), symmetries, X);
}

Index harmonic_groups(const HarmonicFitOptions& options, const std::vector<std::string>& columns,
                      MatrixIn X) {
  if (options.symmetries.empty()) return 1;
  const LayerPlan plan = parse_layers(options.layers);
  const LayerShapes shapes = layer_shapes(plan, options.image, X.cols());
  if (plan.last) {
    // The last layer sees windows of what the layers below it make; any shape of image with these channels has the same.
    const Index size = plan.last->size, channels = (shapes.last.inputs - 2) / (size * size);
    const Patches window{.image = {size, size, channels}, .size = size};
    return Index(harmonic_indices(patch_symmetries(options.symmetries, window, 2)).size());
  }
  const bool deep = !plan.hidden.empty();
  const Matrix inputs = deep ? Matrix::Zero(2, shapes.last.inputs) : Matrix(X);
  return Index(harmonic_indices(dense_symmetries(options.symmetries, inputs, deep, columns)).size());
}

HarmonicStart start_harmonic(const HarmonicFitOptions& options, const AnyLikelihood& likelihood,
                             const std::vector<std::string>& symmetries,
                             const std::vector<std::string>& columns, MatrixIn some, const Rng& rng,
                             const Compute& compute) {
  const LayerPlan plan = parse_layers(options.layers);
  Inputs in{some};
  if (plan.images()) in.image = parse_image_shape(options.image);
  HarmonicStart out{.gp = {.kernel = Rbf{}, .likelihood = likelihood}, .learning = {}};
  std::vector<HiddenLayer> hidden;
  for (std::size_t l = 0; l < plan.hidden.size(); ++l) {
    const HiddenPlan& layer = plan.hidden[l];
    const Rng own = rng.split("hidden").split(l);
    StartedLayer started = (layer.window ? start_convolution : start_dense)(
        layer, in, hidden_inducing(options, l), options, symmetries, own, compute);
    hidden.push_back(std::move(started.layer));
    out.learning.hidden.push_back(std::move(started.learning));
    in = std::move(started.next);
  }
  if (plan.last)
    start_patches_layer(*plan.last, in, options, likelihood, symmetries, rng, compute, out);
  else
    start_last(in, options, likelihood, symmetries, columns, !hidden.empty(), rng, compute, out);
  out.gp.hidden = std::move(hidden);
  return out;
}

}  // namespace bochner
