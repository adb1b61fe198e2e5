#include "monitors.hpp"

#include <algorithm>
#include <cmath>

namespace bochner {

Monitors::Monitors(const BayesModel& model, const Dataset& data, Rng rng) {
  constexpr Index entries = 40, pairs = 40;
  const Index N = data.rows();
  for (std::size_t v = 0; v < model.tables.size(); ++v) {
    const BayesTable& t = model.tables[v];
    const View& view = data.view(static_cast<Index>(v));
    groups_.push_back(t.groups);
    covariates_.push_back(t.covariates);
    for (Index k = 0; k < entries; ++k) {
      const Index n = rng.below(N), j = rng.below(t.cols());
      const auto again = [&](const Entry& e) { return e.view == v && e.n == n && e.j == j; };
      if (t.seen(n, j) == 0 || std::any_of(functions_.begin(), functions_.end(), again)) continue;
      functions_.push_back({v, n, j});
      const std::string column =
          t.cols() == view.cols() ? view.columns[static_cast<std::size_t>(j)] : std::to_string(j);
      names_.push_back("f " + view.name + "/" + column + " of " + view.ids[static_cast<std::size_t>(n)]);
    }
  }
  for (Index k = 0; k < pairs && N > 1; ++k) {
    const Index a = rng.below(N), b = (a + 1 + rng.below(N - 1)) % N;
    const std::pair<Index, Index> pair = std::minmax(a, b);
    if (std::find(pairs_.begin(), pairs_.end(), pair) != pairs_.end()) continue;
    pairs_.push_back(pair);
    names_.push_back("distance of " + data.ids()[static_cast<std::size_t>(pair.first)] + " and " +
                     data.ids()[static_cast<std::size_t>(pair.second)]);
  }
  choose_coefficients(model, data, rng.split("coefficients"));
  for (std::size_t v = 0; v < model.tables.size(); ++v) {
    const std::string name = data.view(static_cast<Index>(v)).name;
    names_.push_back("amplitude of " + name);
    if (model.tables[v].likelihood == BayesLikelihood::gaussian) names_.push_back("noise of " + name);
    if (model.tables[v].likelihood == BayesLikelihood::negbinom) names_.push_back("dispersion of " + name);
    names_.push_back("concentration of " + name);
  }
  // Chains may have dimensions in any order: what is compared are the shortest length-scale, the second, ..
  paths_ = model.latent.dynamic ? model.Q : 0;
  for (Index q = 0; q < paths_; ++q)
    names_.push_back("length-scale " + std::to_string(q + 1) + " of the paths");
  for (Index q = 0; q < paths_; ++q) names_.push_back("variance " + std::to_string(q + 1) + " of the paths");
  names_.push_back("log posterior");
  names_.push_back("log density");
}

void Monitors::choose_coefficients(const BayesModel& model, const Dataset& data, Rng rng) {
  constexpr Index most = 40;  // of each view
  for (std::size_t v = 0; v < model.tables.size(); ++v) {
    const BayesTable& t = model.tables[v];
    const View& view = data.view(static_cast<Index>(v));
    for (Index k = 0; k < most && t.covariates.cols() > 0; ++k) {
      const Index c = rng.below(t.covariates.cols()), j = rng.below(t.cols());
      const auto again = [&](const Entry& e) { return e.view == v && e.n == c && e.j == j; };
      if (std::any_of(coefficients_.begin(), coefficients_.end(), again)) continue;
      coefficients_.push_back({v, c, j});
      const std::string column =
          t.cols() == view.cols() ? view.columns[static_cast<std::size_t>(j)] : std::to_string(j);
      names_.push_back("covariate " + model.covariate_names[static_cast<std::size_t>(c)] + " of " +
                       view.name + "/" + column);
    }
  }
}

double Monitors::common_part(std::size_t v, Index j, const Vector& f) const {
  for (std::size_t g = 0; g + 1 < groups_[v].size(); ++g)
    if (j < groups_[v][g + 1]) return f.segment(groups_[v][g], groups_[v][g + 1] - groups_[v][g]).mean();
  return 0;
}

Vector Monitors::values(const BayesState& state, double log_posterior, double log_density) const {
  Vector out(static_cast<Index>(names_.size()));
  Index at = 0;
  for (const auto& [v, n, j] : functions_) {
    const BayesViewState& view = state.views[v];
    const Matrix covariates = covariates_[v].size() > 0 ? Matrix(covariates_[v].row(n)) : Matrix();
    const Vector f = view.B.transpose() *
                     bayes_features(view.W, state.X.row(n), covariates, Threads(1)).row(0).transpose();
    out(at++) = f(j) - common_part(v, j, f);
  }
  for (const auto& [a, b] : pairs_) out(at++) = (state.X.row(a) - state.X.row(b)).norm();
  for (const auto& [v, c, j] : coefficients_) {
    const BayesViewState& view = state.views[v];
    const Vector own = view.B.row(2 * view.W.rows() + c).transpose();
    out(at++) = own(j) - common_part(v, j, own);
  }
  for (const BayesViewState& view : state.views) {
    out(at++) = std::log(view.amplitude);
    if (view.scale.size() > 0) out(at++) = view.scale.array().log().mean();
    out(at++) = std::log(view.mixture.alpha);
  }
  std::vector<double> ells, variances;
  for (const PathPrior& path : state.paths) {
    ells.push_back(std::log(path.ell));
    variances.push_back(std::log(path.variance));
  }
  std::sort(ells.begin(), ells.end());
  std::sort(variances.begin(), variances.end());
  for (const double ell : ells) out(at++) = ell;
  for (const double variance : variances) out(at++) = variance;
  out(at++) = log_posterior;
  out(at++) = log_density;
  return out;
}

}  // namespace bochner
