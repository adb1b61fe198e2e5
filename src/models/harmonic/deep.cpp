#include "deep.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

using Draws = std::vector<HiddenDraw>;  // of each layer

std::vector<HiddenFactors> factorise_all(const std::vector<HiddenLayer>& hidden, const Compute& compute) {
  std::vector<HiddenFactors> out;
  for (const HiddenLayer& layer : hidden) out.push_back(factorise(layer, compute));
  return out;
}

Draws draw_all(const std::vector<HiddenLayer>& hidden, const std::vector<HiddenFactors>& factors, MatrixIn X,
               const HiddenNoise& noise, const Compute& compute) {
  Draws out;
  for (std::size_t l = 0; l < hidden.size(); ++l)
    out.push_back(
        draw_hidden(hidden[l], factors[l], l, l == 0 ? X : MatrixIn(out[l - 1].out), noise, compute));
  return out;
}

HiddenNoise from_row(HiddenNoise noise, Index row) {
  noise.first_row += row;
  return noise;
}

/// f(begin, size) for tiles of rows, in order.
template <class F>
void for_each_tile_of_rows(Index rows, Index each, const F& f) {
  for (Index begin = 0; begin < rows; begin += each) f(begin, std::min(each, rows - begin));
}

}  // namespace

double row_bytes(Index places, Index d, Index R, Index m, Index H) {
  return 8 * double(places) * (3 * double(d) + 7 * double(H * m) + double((3 * H + 5) * R));
}

Index tile_rows(const std::vector<HiddenLayer>& hidden, double memory) {
  double each = 0;
  for (const HiddenLayer& l : hidden)
    each += row_bytes(l.places(), l.map.rows(), l.functions(), l.inducing(), l.groups());
  return std::max<Index>(1, Index(std::min(1e9, memory / std::max(each, 1.0))));
}

HarmonicBound deep_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale, const HiddenNoise& noise,
                         const Compute& compute, HarmonicGradient* gradient, NaturalTarget* target,
                         double tile_memory) {
  const std::vector<HiddenLayer>& hidden = gp.hidden;
  const auto last = [&](MatrixIn inputs) {
    if (gradient == nullptr) return harmonic_bound(gp, inputs, Y, scale, compute);
    return target == nullptr ? harmonic_bound(gp, inputs, Y, scale, *gradient, compute)
                             : harmonic_bound(gp, inputs, Y, scale, *gradient, *target, compute);
  };
  if (hidden.empty()) return last(X);

  const std::vector<HiddenFactors> factors = factorise_all(hidden, compute);
  const Index each = std::min(X.rows(), tile_rows(hidden, tile_memory));
  Matrix inputs(X.rows(), hidden.back().outputs());
  Draws kept;  // where one tile holds all rows; otherwise they are drawn again on the way back
  for_each_tile_of_rows(X.rows(), each, [&](Index begin, Index size) {
    Draws draws = draw_all(hidden, factors, X.middleRows(begin, size), from_row(noise, begin), compute);
    inputs.middleRows(begin, size) = draws.back().out;
    if (size == X.rows()) kept = std::move(draws);
  });
  HarmonicBound bound = last(inputs);
  for (const HiddenLayer& layer : hidden) bound.kl += divergence(layer);
  if (gradient == nullptr) return bound;

  gradient->hidden.clear();
  for (const HiddenLayer& layer : hidden) gradient->hidden.push_back(zero_gradient(layer));
  Matrix dX(X.rows(), X.cols());
  for_each_tile_of_rows(X.rows(), each, [&](Index begin, Index size) {
    const Draws draws =
        kept.empty() ? draw_all(hidden, factors, X.middleRows(begin, size), from_row(noise, begin), compute)
                     : std::move(kept);
    Matrix d = gradient->X.middleRows(begin, size);
    for (std::size_t l = hidden.size(); l-- > 0;)
      d = pull_hidden(hidden[l], factors[l], draws[l], d, gradient->hidden[l], compute);
    dX.middleRows(begin, size) = d;
  });
  gradient->X = std::move(dX);
  for (std::size_t l = 0; l < hidden.size(); ++l) subtract_divergence(hidden[l], gradient->hidden[l]);
  return bound;
}

Matrix sample_hidden(const HarmonicGp& gp, MatrixIn X, const HiddenNoise& noise, const Compute& compute) {
  if (gp.hidden.empty()) return X;
  const std::vector<HiddenFactors> factors = factorise_all(gp.hidden, compute);
  // Tiles of one size, filled up with zeros: products give a row the same bytes wherever it stands in them.
  constexpr Index most_rows = 256;
  constexpr double memory = 2e8;
  const Index each = std::min(most_rows, tile_rows(gp.hidden, memory));
  Matrix out(X.rows(), gp.hidden.back().outputs());
  for_each_tile_of_rows(X.rows(), each, [&](Index begin, Index size) {
    Matrix rows = Matrix::Zero(each, X.cols());
    rows.topRows(size) = X.middleRows(begin, size);
    out.middleRows(begin, size) =
        draw_all(gp.hidden, factors, rows, from_row(noise, begin), compute).back().out.topRows(size);
  });
  return out;
}

void for_each_draw(const HarmonicGp& gp, MatrixIn X, Index draws, const Rng& rng, const Compute& compute,
                   const std::function<void(MatrixIn inputs)>& f) {
  check_at_least("predict_draws", "draws", draws, 1);
  if (gp.hidden.empty()) return f(X);
  for (Index s = 0; s < draws; ++s) {
    const HiddenNoise noise{
        .rng = rng.split(static_cast<std::uint64_t>(s / 2)), .alike = true, .sign = s % 2 == 0 ? 1.0 : -1.0};
    f(sample_hidden(gp, X, noise, compute));
  }
}

std::vector<LatentMarginals> predict_draws(const HarmonicGp& gp, MatrixIn X, Index draws, const Rng& rng,
                                           const Compute& compute) {
  std::vector<LatentMarginals> out;
  for_each_draw(gp, X, draws, rng, compute,
                [&](MatrixIn inputs) { out.push_back(predict_latent(gp, inputs, compute)); });
  return out;
}

Matrix mixture_log_predictive(const AnyLikelihood& likelihood, MatrixIn Y,
                              const std::vector<LatentMarginals>& draws) {
  std::vector<Matrix> each;
  for (const LatentMarginals& f : draws) each.push_back(log_predictive(likelihood, Y, f.mean, f.variance));
  if (each.size() == 1) return std::move(each.front());
  Matrix largest = each.front(), sum = Matrix::Zero(largest.rows(), largest.cols());
  for (const Matrix& one : each) largest = largest.cwiseMax(one);
  for (const Matrix& one : each) sum.array() += (one - largest).array().exp();
  return largest.array() + (sum.array() / double(each.size())).log();
}

}  // namespace bochner
