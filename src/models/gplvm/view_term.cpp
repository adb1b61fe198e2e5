#include "view_term.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/evidence/bounded_evidence.hpp"
#include "bochner/evidence/exact_evidence.hpp"
#include "bochner/features/bivariate_sm_features.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/features/nystrom_features.hpp"

namespace bochner {
namespace {

std::vector<Index> measured_rows(MatrixIn Y, const std::vector<Index>& columns) {
  std::vector<Index> out;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!Y(n, columns).array().isNaN().all()) out.push_back(n);
  return out;
}

FilledTable<float> in_single(const FilledTable<double>& table, const Compute& compute) {
  const MatrixT<float> filled = table.Y().cast<float>();
  MatrixT<float> Y = filled;
  for (Index n = 0; n < table.rows(); ++n)
    for (Index h = table.missing_begin(n); h < table.missing_end(n); ++h)
      Y(n, table.missing_columns()[static_cast<std::size_t>(h)]) = std::numeric_limits<float>::quiet_NaN();
  return {std::move(Y), filled, compute};
}

// Single precision pays for many products. It costs digits: the bound is a small difference of sums of squares over the noise, and
// with a noise variance of a thousandth of that of the table it is rounded to less than 1e-3 nats for each entry.
constexpr double many_products = 2e7, least_noise = 1e-3;
constexpr double largest_square =
    1e20;  // and the reciprocal: sums of squares are far from the ends of the range of floats

/// Whether missing entries are filled in anew at this step: at each one where that costs little, because the table itself is
/// seen and not its outer product. Otherwise the sooner, the more of them there are: what a refill leaves of their error is
/// about their share.
template <class T>
bool refill_is_due(const FilledTable<T>& table, bool sees_table, Index step) {
  constexpr double many = 0.15;
  const double missing = 1 - double(table.observed()) / (double(table.rows()) * double(table.cols()));
  return sees_table || step % (missing > many ? 10 : 20) == 0;
}

std::vector<MissingPattern> patterns_of(const FilledTable<double>& table) {
  Matrix Y = table.Y();
  for (Index n = 0; n < table.rows(); ++n)
    for (Index h = table.missing_begin(n); h < table.missing_end(n); ++h)
      Y(n, table.missing_columns()[static_cast<std::size_t>(h)]) = std::numeric_limits<double>::quiet_NaN();
  return missing_patterns(Y);
}

/// `patterns` are those of the table, or none: then missing entries have the bound.
ViewEvidence exact(FilledTable<double>& table, const std::vector<MissingPattern>& patterns,
                   const AnyKernel& kernel, double sigma2, const Matrix& X, Index step,
                   const Compute& compute) {
  const Matrix K = gram(kernel, X, compute);
  const bool refill = refill_is_due(table, table.rows() >= table.cols(), step);
  const KernelEvidence e = patterns.empty()
                               ? bounded_kernel_evidence(K, table, sigma2, true, refill, compute)
                               : exact_kernel_evidence(K, table, patterns, sigma2, true, refill, compute);
  GramPullback back = gram_pullback(kernel, X, K, e.dL_dK, compute);
  return {.value = e.value,
          .dsigma2 = e.dsigma2,
          .dtheta = std::move(back.dtheta),
          .dX = std::move(back.dX),
          .jitter = e.jitter};
}

/// Any map whose Gram matrix is all there is.
template <class Map, class Pullback>
ViewEvidence with_features(FilledTable<typename Map::Scalar>& table, const Map& map, double sigma2,
                           const Matrix& X, Index step, const Pullback& to_theta, const Compute& compute) {
  using T = typename Map::Scalar;
  const EvidenceOptions options{.shared = true};
  const MatrixT<T> x = X.template cast<T>();
  FeatureStream<Map> stream(map, x, evidence_plan(x.rows(), options, compute));
  const FeatureEvidence e = bounded_feature_evidence<T>(
      stream.rows(), table, sigma2, stream.pull(),
      refill_is_due(table, !bound_sees_outer(table.rows(), table.cols()), step), options, compute);
  const FeaturePullback<Map> back = stream.finish(compute);
  return {.value = e.value,
          .dsigma2 = e.dsigma2,
          .dtheta = to_theta(back.gradient),
          .dX = back.dX.template cast<double>(),
          .jitter = e.jitter};
}

template <class T>
ViewEvidence random_features(FilledTable<T>& table, const AnyKernel& kernel, double sigma2,
                             const FeatureSpec& choice, const Matrix& X, Index step, const Rng& rng,
                             const Compute& compute) {
  Rng draws = rng;
  if (const auto* bsm = std::get_if<BivariateSm>(&kernel)) {
    const SpectralNoise noise =
        BivariateSmFeatures<T>::draw_noise(*bsm, choice.count, choice.directions, draws);
    return with_features(
        table, BivariateSmFeatures<T>::from(*bsm, noise), sigma2, X, step,
        [&](const BivariateSmGradient& g) { return bivariate_sm_pullback(*bsm, noise, g); }, compute);
  }
  const SpectralNoise noise = draw_noise(kernel, choice.count, choice.directions, draws);
  return with_features(
      table, FourierFeatures<T>::from(frequencies(kernel, noise)), sigma2, X, step,
      [&](const Frequencies& g) { return frequencies_pullback(kernel, noise, g); }, compute);
}

/// The sparse bound [titsias2009, Eq. 9]: what the inducing latents miss, r_n = k(x_n, x_n) - |phi_n|^2, costs
/// weight_n M r_n / (2 sigma2). `patterns` as in exact(); only tables in double have some.
template <class T>
ViewEvidence nystrom(FilledTable<T>& table, const std::vector<MissingPattern>& patterns,
                     const AnyKernel& kernel, double sigma2, const Matrix& Z, const Matrix& X, Index step,
                     const Compute& compute) {
  const EvidenceOptions options;
  const NystromFeatures<T> map = NystromFeatures<T>::make(kernel, Z, {.jitter = 1e-6}, compute);
  const MatrixT<T> x = X.template cast<T>();
  const RowPlan plan = evidence_plan(x.rows(), options);
  FeatureStream<NystromFeatures<T>> stream(map, x, plan);
  LaneSum<double> missed(plan.lanes, 0);
  const double M = double(table.cols());
  const PullFeatures<T> pull = [&](Index lane, Index begin, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi) {
    const Vector w = table.weight().segment(begin, Phi.rows());
    missed[lane] += w.dot(stream.residual(begin, Phi));
    stream.pull(lane, begin, Phi, dL_dPhi, -M / (2 * sigma2) * w);
  };
  const FeatureEvidence e = [&] {
    if constexpr (std::is_same_v<T, double>)
      if (!patterns.empty())
        return exact_feature_evidence(stream.rows(), table, patterns, sigma2, pull, true, options, compute);
    return bounded_feature_evidence<T>(
        stream.rows(), table, sigma2, pull,
        refill_is_due(table, !bound_sees_outer(table.rows(), table.cols()), step), options, compute);
  }();
  FeaturePullback<NystromFeatures<T>> back = stream.finish(compute);
  const double total = missed.total(compute);
  return {.value = e.value - M * total / (2 * sigma2),
          .dsigma2 = e.dsigma2 + M * total / (2 * sigma2 * sigma2),
          .dtheta = std::move(back.gradient.dtheta),
          .dX = back.dX.template cast<double>(),
          .dZ = std::move(back.gradient.dZ),
          .jitter = std::max(e.jitter, map.factor.jitter)};  // beyond the planned amount
}

}  // namespace

std::vector<Index> informative_columns(MatrixIn Y) {
  const Scaling scaling = fit_scaling(Y, ScalingKind::standardise);
  VectorT<bool> silent = VectorT<bool>::Constant(Y.cols(), false);
  for (const std::vector<Index>& list : {scaling.constant, scaling.unmeasured})
    for (const Index m : list) silent(m) = true;
  std::vector<Index> out;
  for (Index m = 0; m < Y.cols(); ++m)
    if (!silent(m)) out.push_back(m);
  return out;
}

ViewTerm::ViewTerm(const std::string& name, MatrixIn Y, MatrixIn guess, const AnyKernel& kernel,
                   const FeatureSpec& features, FloatingPoint precision, const Compute& compute)
    : columns_(informative_columns(Y)),
      rows_(measured_rows(Y, columns_)),
      table_([&]() -> FilledTable<double> {
        if (columns_.empty())
          throw InputError("view '" + name +
                           "' has no column that varies, so there is nothing to learn from; leave it out");
        return {Y(rows_, columns_), Matrix(guess(rows_, columns_)), compute};
      }()),
      features_(features),
      precision_(precision),
      mean_square_(table_.Y().squaredNorm() / double(table_.Y().size())) {
  const bool drawable = has_spectrum(kernel) || std::holds_alternative<BivariateSm>(kernel);
  if (features.kind == FeatureSpec::Kind::random && !drawable)
    throw InputError("view '" + name + "': the kernel " + kernel_name(kernel) +
                     " has no random features; use the exact kernel or inducing latents (nystrom)");
}

ViewTerm::ViewTerm(const ViewTerm& other)
    : columns_(other.columns_),
      rows_(other.rows_),
      table_(other.table_),
      single_(other.single_),
      in_single_(other.in_single_),
      patterns_(other.patterns_),
      features_(other.features_),
      precision_(other.precision_),
      mean_square_(other.mean_square_) {
  if (other.step_) set_guesses(other.guesses());
}

Matrix ViewTerm::filled() const {
  if (!step_) return in_single_ ? Matrix(single_->Y().cast<double>()) : table_.Y();
  FilledTable<double> table = table_;
  if (!table.complete()) table.set_guesses(step_->guesses());
  return table.Y();
}

Vector ViewTerm::guesses() const {
  if (step_) return step_->guesses();
  return in_single_ ? Vector(single_->guesses().cast<double>()) : table_.guesses();
}

void ViewTerm::set_guesses(const Vector& values) {
  table_.set_guesses(values);
  in_single_ = false;
  if (step_) step_->set_guesses(values);
}

const std::vector<MissingPattern>& ViewTerm::patterns() {
  if (patterns_ && patterns_->features == features_) return patterns_->patterns;
  patterns_ = {.features = features_};
  std::vector<MissingPattern>& out = patterns_->patterns;
  const Index N = table_.rows(), M = table_.cols();
  if (table_.complete()) return out;
  if (features_.kind == FeatureSpec::Kind::exact) {
    out = patterns_of(table_);
    if (!exact_evidence_pays(out, N, M)) out.clear();
  } else if (features_.kind == FeatureSpec::Kind::nystrom && precision_ != FloatingPoint::single_precision &&
             exact_feature_evidence_pays({}, N, M, features_.count)) {
    out = patterns_of(table_);
    if (!exact_feature_evidence_pays(out, N, M, features_.count)) out.clear();
  }
  return out;
}

bool ViewTerm::wants_single(double sigma2) const {
  if (features_.kind == FeatureSpec::Kind::exact || precision_ == FloatingPoint::double_precision)
    return false;
  if (precision_ == FloatingPoint::single_precision) return true;
  const double N = double(table_.rows()), M = double(table_.cols());
  return mean_square_ < largest_square && mean_square_ > 1 / largest_square &&
         sigma2 >= least_noise * mean_square_ &&
         N * std::min(N, M) * double(features_.count) >= many_products;
}

/// Guesses go along exactly to double, and rounded to single.
void ViewTerm::use(bool single, const Compute& compute) {
  if (single == in_single_) return;
  if (!single)
    table_.set_guesses(single_->guesses().cast<double>());
  else if (single_)
    single_->set_guesses(table_.guesses().cast<float>());
  else
    single_.emplace(in_single(table_, compute));
  in_single_ = single;
}

bool ViewTerm::on_device(const AnyKernel& kernel, const Compute& compute) const {
  return compute.engine && features_.kind == FeatureSpec::Kind::random && has_spectrum(kernel);
}

FeatureStep& ViewTerm::device_step(const Compute& compute) {
  use(false, compute);
  if (!step_) step_ = std::make_unique<FeatureStep>(compute.engine, table_);
  return *step_;
}

SpectralNoise ViewTerm::draw(const AnyKernel& kernel, const Rng& rng) const {
  Rng draws = rng;
  return draw_noise(kernel, features_.count, features_.directions, draws);
}

ViewEvidence ViewTerm::evaluate_on_device(const AnyKernel& kernel, double sigma2, const Matrix& X,
                                          const Rng& rng, const Compute& compute) {
  const SpectralNoise noise = draw(kernel, rng);
  FeatureStepResult e = device_step(compute).evaluate(frequencies(kernel, noise), sigma2, X, true);
  return {.value = e.value,
          .dsigma2 = e.dsigma2,
          .dtheta = frequencies_pullback(kernel, noise, e.gradient),
          .dX = std::move(e.dX),
          .jitter = e.jitter};
}

/// For features that are made on the processor.
void ViewTerm::leave_device() {
  const Vector guesses = step_->guesses();
  step_.reset();
  if (guesses.size() > 0) set_guesses(guesses);
}

ViewEvidence ViewTerm::evaluate(const AnyKernel& kernel, double sigma2, const Matrix& Z, const Matrix& X,
                                Index step, const Rng& rng, const Compute& compute) {
  if (on_device(kernel, compute)) return evaluate_on_device(kernel, sigma2, X, rng, compute);
  if (step_) leave_device();
  use(patterns().empty() && wants_single(sigma2), compute);
  if (features_.kind == FeatureSpec::Kind::exact)
    return exact(table_, patterns(), kernel, sigma2, X, step, compute);
  const auto with = [&](auto& table) {
    return features_.kind == FeatureSpec::Kind::nystrom
               ? nystrom(table, patterns(), kernel, sigma2, Z, X, step, compute)
               : random_features(table, kernel, sigma2, features_, X, step, rng, compute);
  };
  return in_single_ ? with(*single_) : with(table_);
}

}  // namespace bochner
