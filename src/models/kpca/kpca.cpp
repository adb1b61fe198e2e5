#include "bochner/models/kpca/kpca.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/kernels/gram_sum.hpp"
#include "present.hpp"
#include "source.hpp"

namespace bochner {
namespace {

void check_options(const KpcaOptions& o, Index views) {
  const char* const f = "fit_kpca";
  check_at_least(f, "dims", o.dims, 1);
  if (Index(o.own.size()) > views)
    check_size(f, "number of views with options of their own", Index(o.own.size()), "the number of views",
               views);
  check_positive(f, "tolerance", o.tolerance);
  check_non_negative(f, "keep_bytes", o.keep_bytes);
  check_between(f, "unseen", o.unseen, 0, 1);
  check_at_least(f, "stiefel_steps", o.stiefel_steps, 1);
  check_at_least(f, "training.epochs", o.training.epochs, 1);
  check_at_least(f, "training.batch", o.training.batch, 2);
  check_at_least(f, "training.hidden", o.training.hidden, 1);
  check_positive(f, "training.step", o.training.step);
  check_positive(f, "training.reconstruction", o.training.reconstruction);
  for (const KpcaViewOptions& view : options_by_view(o, views)) {
    check_positive(f, "weight", view.weight);
    check_non_negative(f, "lengthscale", view.lengthscale);
    check_at_least(f, "features.count", view.features.count, 0);
  }
}

bool is_network(const std::optional<AnyFeatureMap>& map) {
  return map && std::holds_alternative<NetworkFeatures<double>>(map->map);
}

Preimage resolve(Preimage wanted, const KpcaSource& source, bool alone) {
  const bool linear = source.map && std::holds_alternative<LinearFeatures<double>>(source.map->map);
  const bool rbf = source.kernel && std::holds_alternative<Rbf>(*source.kernel);
  const std::string of_view = "view '" + source.name + "': ";
  switch (wanted) {
    case Preimage::automatic:
      return linear && alone          ? Preimage::identity
             : is_network(source.map) ? Preimage::network
                                      : Preimage::ridge;
    case Preimage::identity:
      if (!linear) throw InputError(of_view + "the pre-image `identity` is for the linear kernel");
      break;
    case Preimage::fixed_point:
      if (!rbf) throw InputError(of_view + "the fixed-point pre-image is for the rbf kernel itself");
      break;
    case Preimage::smoother:
    case Preimage::gradient:
      if (!source.kernel)
        throw InputError(of_view + "this pre-image needs the kernel itself, not its features; try `ridge`");
      break;
    case Preimage::network:
      if (!is_network(source.map))
        throw InputError(of_view + "the pre-image `network` is learned with network features only");
      break;
    case Preimage::ridge:
      break;
  }
  return wanted;
}

/// What the views said of the components of the training rows: E_v = K_v H (centred), n x s each.
std::vector<Matrix> contributions(const std::vector<KpcaSource>& sources, const KpcaSolution& solution,
                                  std::vector<KpcaView>& views, const Compute& compute) {
  const Index n = solution.H.rows(), s = solution.H.cols();
  std::vector<Matrix> out;
  for (std::size_t v = 0; v < sources.size(); ++v) {
    const KpcaSource& source = sources[v];
    if (source.map) {
      out.push_back(contribution(views[v], source.X, solution.H, compute));
      continue;
    }
    if (sources.size() == 1) {  // K H = H Lambda
      views[v].offset = solution.H.transpose() * solution.row_means;
      out.push_back(solution.H * solution.lambda.asDiagonal());
      continue;
    }
    const GramSum gram({{*source.kernel, source.X, source.weight}}, 0, compute);
    Matrix with_ones(n, s + 1);
    with_ones << solution.H, Vector::Constant(n, 1.0 / double(n));
    const Matrix KH = gram.times(with_ones, compute);
    views[v].offset = multiply_transposed<double>(solution.H, KH.rightCols(1), compute).col(0);
    Matrix E = KH.leftCols(s);
    E.rowwise() -= E.colwise().mean().eval();  // M K H, and H is centred
    out.push_back(std::move(E));
  }
  return out;
}

/// G of each view, and the sums that the ridge asks for.
void add_sums(const std::vector<KpcaSource>& sources, const std::vector<Matrix>& E, const Compute& compute,
              KpcaFit& fit) {
  for (std::size_t v = 0; v < sources.size(); ++v) {
    KpcaView& view = fit.views[v];
    view.G = multiply_transposed<double>(fit.H, E[v], compute);  // H'K_v H
    view.G = (0.5 * (view.G + view.G.transpose())).eval();
    Matrix X = sources[v].X;
    view.x_mean = X.colwise().mean();
    X.rowwise() -= view.x_mean.transpose();
    view.x_squares = X.colwise().squaredNorm();
    fit.second.emplace_back();
    for (std::size_t w = 0; w < sources.size(); ++w) {
      view.cross.push_back(multiply_transposed<double>(E[w], X, compute));
      fit.second[v].push_back(multiply_transposed<double>(E[v], E[w], compute));
    }
  }
}

}  // namespace

IndexVector complete_rows(const Dataset& data) {
  std::vector<Index> rows;
  for (Index n = 0; n < data.rows(); ++n)
    if (std::all_of(data.views().begin(), data.views().end(),
                    [&](const View& view) { return view.Y.row(n).array().isFinite().all(); }))
      rows.push_back(n);
  return Eigen::Map<const IndexVector>(rows.data(), Index(rows.size()));
}

KpcaSolver resolve(KpcaSolver solver, Index n, std::optional<Index> features) {
  if (solver != KpcaSolver::automatic) return solver;
  return features && *features < n ? KpcaSolver::primal : KpcaSolver::dual;
}

KpcaSolver planned_solver(const Dataset& data, const KpcaOptions& options) {
  const std::vector<KpcaViewOptions> views = options_by_view(options, data.view_count());
  std::optional<Index> features = 0;
  for (Index v = 0; v < data.view_count() && features; ++v) {
    const std::optional<Index> own =
        feature_count(views[static_cast<std::size_t>(v)], data.rows(), data.view(v).cols());
    features = own ? std::optional(*features + *own) : std::nullopt;
  }
  return resolve(options.solver, data.rows(), features);
}

namespace {

/// InputError if too few samples are complete.
void check_samples(Index complete, Index all) {
  if (all < 3)
    throw InputError("kernel PCA needs at least 3 samples, and there " +
                     std::string(all == 1 ? "is " : "are ") + std::to_string(all));
  if (complete < 3)
    throw InputError(
        "kernel PCA learns from samples that have every entry of every view, and only " +
        std::to_string(complete) + " of " + std::to_string(all) +
        " do; leave out sparse columns or views, or use `bochner fit`, which accepts missing values");
}

/// What the user should know of a fit.
std::vector<std::string> notes_on(const KpcaFit& fit, Index dims) {
  std::vector<std::string> out;
  if (fit.dims() < dims)
    out.push_back(counted(static_cast<Index>(fit.ids.size()), "sample") + " give " +
                  counted(fit.dims(), "component") + " with any variance, not " + std::to_string(dims));
  if (fit.status == Status::iteration_limit)
    out.push_back("the iteration was not done after " + counted(fit.steps, "step") +
                  "; an eigensolver would be");
  return out;
}

}  // namespace

KpcaFit fit_kpca(const Dataset& data, const KpcaOptions& options, std::uint64_t seed, const Compute& compute,
                 const KpcaProgress& progress) {
  const Index V = data.view_count();
  check_options(options, V);
  const std::vector<KpcaViewOptions> views = options_by_view(options, V);
  const IndexVector rows = complete_rows(data);
  KpcaFit fit;
  if (rows.size() < data.rows())
    fit.notes.push_back(std::to_string(rows.size()) + " of " + std::to_string(data.rows()) +
                        " samples have every entry of every view and are learned from");
  check_samples(rows.size(), data.rows());
  const Dataset training = rows.size() < data.rows() ? data.take_rows(rows) : data;
  const Rng rng(seed);
  std::vector<Scaling> scalings;
  for (Index v = 0; v < V; ++v)
    scalings.push_back(fit_scaling(training.view(v).Y, views[static_cast<std::size_t>(v)].scaling));
  std::vector<KpcaSource> sources =
      make_sources(training, scalings, views, options.training, rng.split("features"), compute);

  std::vector<std::optional<AnyFeatureMap>> inverses(sources.size());
  bool stopped = false;
  if (std::any_of(sources.begin(), sources.end(), [](const KpcaSource& s) { return is_network(s.map); }))
    inverses = train_networks(sources, options.dims, options.training, rng.split("training"), compute,
                              [&](double done) {
                                stopped = progress && !progress(done);
                                return !stopped;
                              });

  fit.solver = resolve(options.solver, training.rows(), feature_count(sources));
  KpcaSolution solution =
      solve_kpca(sources, options.dims, fit.solver, options, rng.split("solver"), compute);
  fit.ids = training.ids();
  fit.lambda = solution.lambda;
  fit.total_variance = solution.total_variance;
  fit.unseen = options.unseen;
  fit.status = stopped ? Status::stopped_by_callback : solution.status;
  fit.steps = solution.steps;
  for (std::string& note : notes_on(fit, options.dims)) fit.notes.push_back(std::move(note));

  for (std::size_t v = 0; v < sources.size(); ++v) {
    const View& view = training.view(Index(v));
    KpcaView mine{.name = view.name,
                  .columns = view.columns,
                  .scaling = scalings[v],
                  .weight = views[v].weight,
                  .preimage = resolve(views[v].preimage, sources[v], V == 1),
                  .classes = views[v].classes,
                  .map = sources[v].map,
                  .feature_mean = solution.means[v],
                  .U = solution.U[v],
                  .kernel = sources[v].kernel,
                  .inverse = inverses[v]};
    if (mine.kernel) mine.X = sources[v].X;
    fit.views.push_back(std::move(mine));
  }
  const std::vector<Matrix> E = contributions(sources, solution, fit.views, compute);
  fit.H = std::move(solution.H);
  add_sums(sources, E, compute, fit);
  return fit;
}

double kpca_memory(const Dataset& data, const KpcaOptions& options) {
  const double n = double(data.rows()), s = double(options.dims);
  double tables = 0, features = 0;
  bool gram = false;
  const std::vector<KpcaViewOptions> views = options_by_view(options, data.view_count());
  for (Index v = 0; v < data.view_count(); ++v) {
    const KpcaViewOptions& o = views[static_cast<std::size_t>(v)];
    const std::optional<Index> count = feature_count(o, data.rows(), data.view(v).cols());
    tables += 4 * n * double(data.view(v).cols());
    features += double(count.value_or(0));
    gram = gram || !count;
  }
  const double kept = gram ? std::min(GramSum::bytes(data.rows()), options.keep_bytes) / 8 : 0;
  const double basis = 2 * std::min(n, gram ? n : features) * (5 * s + 64), sums = 8 * n * 16;
  const double Phi = std::min(n * features, options.keep_bytes / 16 + features * features);
  return 8 * (tables + kept + basis + sums + 2 * Phi + 4 * n * s);
}

}  // namespace bochner
