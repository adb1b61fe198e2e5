#include "kernel.hpp"

#include "bochner/models/bayes/spectrum.hpp"
#include "cli/commands/fit/latent_tables.hpp"

namespace bochner::cli {

namespace {

Json numbers(const Vector& v) { return std::vector<double>(v.data(), v.data() + v.size()); }

Json spread_json(const Spread& s) { return {{"q05", s.low}, {"median", s.median}, {"q95", s.high}}; }

Json band_json(const Band& band, const char* at) {
  Json out{{at, numbers(band.at)}};
  const std::vector<std::string> names = latent_columns(band.median.cols());
  for (Index q = 0; q < band.median.cols(); ++q)
    out[names[static_cast<std::size_t>(q)]] = {{"q05", numbers(band.low.col(q))},
                                               {"median", numbers(band.median.col(q))},
                                               {"q95", numbers(band.high.col(q))}};
  return out;
}

}  // namespace

Json kernel_json(const BayesFit& fit) {
  Json out = Json::object();
  const bool dirichlet = fit.options.priors.frequencies.dirichlet;
  for (const BayesViewFit& view : fit.views) {
    const SpectralPosterior s = spectral_posterior(view);
    Json own{{"kernel", dirichlet ? "dp" : "rbf"},
             {"draws", view.draws.size()},
             {"amplitude", spread_json(s.amplitude)},
             {"spectral_density", band_json(s.density, "angular_frequency")},
             {"kernel_along", band_json(s.kernel, "distance")}};
    if (dirichlet) {
      own["concentration"] = spread_json(s.concentration);
      own["n_components"] = spread_json(s.components);
    }
    out[view.name] = own;
  }
  return out;
}

}  // namespace bochner::cli
