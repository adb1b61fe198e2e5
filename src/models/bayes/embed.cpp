#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/infer/elliptical_slice.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "likelihood.hpp"

namespace bochner {

namespace {

constexpr Index candidates = 200;    // training latents that a new sample is compared with first
constexpr Index moves_per_draw = 5;  // on ellipses, from where the draw before has left it

/// The views of the data that the model has, as tables, and which they are.
struct Known {
  std::vector<BayesTable> tables;
  std::vector<const BayesViewFit*> views;
};

Known known_views(const BayesFit& fit, const BayesData& data) {
  Known out;
  for (std::size_t v = 0; v < data.data.views().size(); ++v) {
    BayesKnown rows = known_rows(data, v);
    const BayesViewFit& own = fit.view(data.data.views()[v].name);
    if (rows.trials.size() == 0) rows.trials = Matrix::Constant(1, 1, own.trials);
    if (rows.exposure.size() == 0 && own.exposure.size() > 0)
      rows.exposure = Vector::Constant(rows.Y.rows(), own.typical_exposure);
    if (own.likelihood == BayesLikelihood::gaussian) rows.Y = own.scaling.apply(rows.Y);
    out.tables.push_back(make_bayes_table(own.likelihood, rows.Y, rows.trials, own.classes, rows.exposure));
    out.tables.back().covariates = data.design;
    out.views.push_back(&own);
  }
  return out;
}

/// As a state has them: coefficients of covariates before intercepts.
Matrix state_weights(const BayesFunctions& draw, bool covariates) {
  if (!covariates) return draw.B;
  const Index weights = draw.B.rows() - 1;
  Matrix out(draw.B.rows() + draw.covariates.rows(), draw.B.cols());
  out << draw.B.topRows(weights), draw.covariates, draw.B.bottomRows(1);
  return out;
}

}  // namespace

std::vector<Matrix> embed(const BayesFit& fit, const BayesData& data, const Rng& rng, const Compute& compute,
                          bool by_id) {
  if (data.design.size() > 0) {
    check_size("embed", "rows of the design", data.design.rows(), "samples", data.data.rows());
    check_size("embed", "columns of the design", data.design.cols(), "covariates of the model",
               fit.covariates.width());
  }
  const Known known = known_views(fit, data);
  const Index n = data.data.rows(), Q = fit.dims(), S = static_cast<Index>(fit.X.size());
  std::vector<Matrix> out(static_cast<std::size_t>(S), Matrix(n, Q));
  // States of the views of each draw, in the shape that the likelihood wants.
  std::vector<std::vector<BayesViewState>> states(static_cast<std::size_t>(S));
  for (Index s = 0; s < S; ++s)
    for (const BayesViewFit* view : known.views) {
      const BayesFunctions& draw = view->draws[static_cast<std::size_t>(s)];
      states[static_cast<std::size_t>(s)].push_back({.W = draw.W,
                                                     .mixture = {},
                                                     .B = state_weights(draw, data.design.size() > 0),
                                                     .scale = draw.scale});
    }
  compute.threads.run(n, [&](Index row) {
    // Not by its place among others.
    Rng own = by_id ? rng.split(data.data.ids()[static_cast<std::size_t>(row)]) : rng;
    const auto log_likelihood_of = [&](Index s) {
      const LatentLikelihood likelihood(known.tables, states[static_cast<std::size_t>(s)]);
      return [&, likelihood](const Vector& x) { return likelihood({row}, x.transpose())(0); };
    };
    // Where training samples are is where the functions have seen data.
    const auto first = log_likelihood_of(0);
    Vector x = Vector::Zero(Q);
    double best = first(x);
    const Index N = fit.X.front().rows();
    for (Index k = 0; k < std::min(candidates, N); ++k) {
      const Vector other = fit.X.front().row(k * N / std::min(candidates, N)).transpose();
      const double value = first(other);
      if (!(value > best)) continue;
      best = value;
      x = other;
    }
    for (Index s = 0; s < S; ++s) {
      const auto log_likelihood = log_likelihood_of(s);
      double value = log_likelihood(x);
      for (Index k = 0; k < (s == 0 ? 10 : 1) * moves_per_draw; ++k) {
        Vector nu = own.normal(Q);
        if (!fit.paths.empty()) {  // a sample without a time; that of a walk is the one at its start
          Vector sd(Q);
          for (Index d = 0; d < Q; ++d)
            sd(d) = std::sqrt(fit.paths[static_cast<std::size_t>(s)][static_cast<std::size_t>(d)].variance);
          nu = fit.turns[static_cast<std::size_t>(s)].transpose() * nu.cwiseProduct(sd);
        }
        const EllipticalSliceMove move = elliptical_slice(log_likelihood, x, value, nu, own);
        x = move.f;
        value = move.log_likelihood;
      }
      out[static_cast<std::size_t>(s)].row(row) = x.transpose();
    }
  });
  return out;
}

}  // namespace bochner
