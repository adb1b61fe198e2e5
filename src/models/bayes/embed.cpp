#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/infer/elliptical_slice.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "likelihood.hpp"
#include "path_places.hpp"

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

/// The best of some training latents in the first draw: where they are is where the functions have seen data.
template <class LogLikelihood>
Vector where_functions_are_known(const BayesFit& fit, const LogLikelihood& log_likelihood) {
  const Index N = fit.X.front().rows();
  Vector x = Vector::Zero(fit.dims());
  double best = log_likelihood(x);
  for (Index k = 0; k < std::min(candidates, N); ++k) {
    const Vector other = fit.X.front().row(k * N / std::min(candidates, N)).transpose();
    const double value = log_likelihood(other);
    if (!(value > best)) continue;
    best = value;
    x = other;
  }
  return x;
}

/// On ellipses of w ~ N(0, I), which the paths of each draw place: x = turn' (mean + sd o turn w). From draw to draw a sample moves
/// with the path, in the frame that all draws share. It starts at the best of where the functions are known, and of the path itself.
template <class OfDraw>
void embed_over_time(const BayesFit& fit, const PathPlaces& places, Index row,
                     const OfDraw& log_likelihood_of, Rng& own, std::vector<Matrix>& out) {
  const Index Q = fit.dims();
  Vector w = Vector::Zero(Q);
  for (std::size_t s = 0; s < out.size(); ++s) {
    const Matrix& turn = fit.turns[s];
    const Vector mean = places.mean[s].row(row).transpose(), sd = places.sd[s].row(row).transpose();
    const auto at = [&](const Vector& now) -> Vector {
      return turn.transpose() * (mean + sd.cwiseProduct(turn * now));
    };
    const auto of_x = log_likelihood_of(static_cast<Index>(s));
    const auto of_w = [&](const Vector& now) { return of_x(at(now)); };
    if (s == 0 && (sd.array() > 0).all()) {
      const Vector there =
          turn.transpose() * (turn * where_functions_are_known(fit, of_x) - mean).cwiseQuotient(sd);
      if (of_w(there) - 0.5 * there.squaredNorm() > of_w(w)) w = there;
    }
    double value = of_w(w);
    for (Index k = 0; k < (s == 0 ? 10 : 1) * moves_per_draw; ++k) {
      const EllipticalSliceMove move = elliptical_slice(of_w, w, value, own.normal(Q), own);
      w = move.f;
      value = move.log_likelihood;
    }
    out[s].row(row) = at(w).transpose();
  }
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
  const bool over_time = !fit.paths.empty();
  const PathPlaces places =
      over_time ? path_places(fit, data.axis, n, rng.split("paths"), compute) : PathPlaces{};
  compute.threads.run(n, [&](Index row) {
    // Not by its place among others.
    Rng own = by_id ? rng.split(data.data.ids()[static_cast<std::size_t>(row)]) : rng;
    const auto log_likelihood_of = [&](Index s) {
      const LatentLikelihood likelihood(known.tables, states[static_cast<std::size_t>(s)]);
      return [&, likelihood](const Vector& x) { return likelihood({row}, x.transpose())(0); };
    };
    if (over_time) {
      embed_over_time(fit, places, row, log_likelihood_of, own, out);
      return;
    }
    Vector x = where_functions_are_known(fit, log_likelihood_of(0));
    for (Index s = 0; s < S; ++s) {
      const auto log_likelihood = log_likelihood_of(s);
      double value = log_likelihood(x);
      for (Index k = 0; k < (s == 0 ? 10 : 1) * moves_per_draw; ++k) {
        const EllipticalSliceMove move = elliptical_slice(log_likelihood, x, value, own.normal(Q), own);
        x = move.f;
        value = move.log_likelihood;
      }
      out[static_cast<std::size_t>(s)].row(row) = x.transpose();
    }
  });
  return out;
}

}  // namespace bochner
