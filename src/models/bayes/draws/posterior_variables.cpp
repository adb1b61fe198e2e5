#include "posterior_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bochner {

std::vector<std::string> netcdf_names(const BayesFit& fit) {
  const std::set<std::string> reserved{"chain", "draw", "sample", "dim", "time", "latent", "path"};
  std::vector<std::string> out;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    std::string name = fit.views[v].name;
    for (char& c : name)
      if (c == '/' || static_cast<unsigned char>(c) <= ' ') c = '_';
    const bool taken = reserved.contains(name) || std::find(out.begin(), out.end(), name) != out.end();
    const bool plain = !name.empty() && (std::isalnum(static_cast<unsigned char>(name[0])) != 0 ||
                                         static_cast<unsigned char>(name[0]) >= 128);
    if (taken || !plain) name = fmt::format("view_{}{}", v, name);
    out.push_back(name);
  }
  return out;
}

std::vector<std::string> function_labels(const BayesViewFit& view) {
  if (view.likelihood != BayesLikelihood::categorical) return view.columns;
  std::vector<std::string> out;
  for (std::size_t m = 0; m < view.columns.size(); ++m)
    for (const std::string& name : view.class_names[m]) out.push_back(view.columns[m] + "=" + name);
  return out;
}

std::vector<std::string> dim_labels(Index Q) {
  std::vector<std::string> out;
  for (Index q = 0; q < Q; ++q) out.push_back(fmt::format("z{}", q + 1));
  return out;
}

namespace {

void add_view(const BayesFit& fit, std::size_t v, const std::string& name,
              std::vector<PosteriorVariable>& out) {
  const BayesViewFit& view = fit.views[v];
  const auto J = static_cast<Index>(view.columns.size());
  if (view.likelihood == BayesLikelihood::gaussian)
    out.push_back({.name = "sigma_" + name,
                   .long_name = "standard deviation of the noise, in units of the table",
                   .dims = {{name + "_column", view.columns}},
                   .size = J,
                   .get = [v, units = view.scaling.scale](const BayesDraw& draw, double* to) {
                     const Vector& noise = draw.functions[v].scale;
                     for (Index j = 0; j < noise.size(); ++j) to[j] = std::sqrt(noise(j)) * units(j);
                   }});
  if (view.likelihood == BayesLikelihood::negbinom)
    out.push_back({.name = "dispersion_" + name,
                   .long_name = "r of the negative binomial: the variance is mean + mean^2 / r",
                   .dims = {{name + "_column", view.columns}},
                   .size = J,
                   .get = [v](const BayesDraw& draw, double* to) {
                     const Vector& r = draw.functions[v].scale;
                     std::copy(r.data(), r.data() + r.size(), to);
                   }});
  if (fit.covariates.width() > 0)
    out.push_back(
        {.name = "covariate_" + name,
         .long_name =
             "coefficients of covariates: of a standard deviation of numbers, of levels beside the reference",
         .dims = {{"covariate", fit.covariates.names()}, {name + "_function", function_labels(view)}},
         .size = fit.covariates.width() * view.functions(),
         .get = [v](const BayesDraw& draw, double* to) {
           const Matrix& own = draw.functions[v].covariates;
           std::copy(own.data(), own.data() + own.size(), to);
         }});
  if (view.draws.front().spectrum.components() == 0) return;  // a model file of an earlier release
  out.push_back(
      {.name = "amplitude_" + name,
       .long_name = "variance of f around its intercept: the kernel at zero distance",
       .get = [v](const BayesDraw& draw, double* to) { *to = draw.functions[v].spectrum.amplitude; }});
  if (!fit.options.priors.frequencies.dirichlet) return;
  out.push_back(
      {.name = "concentration_" + name,
       .long_name = "concentration of the Dirichlet process of frequencies",
       .get = [v](const BayesDraw& draw, double* to) { *to = draw.functions[v].spectrum.concentration; }});
  out.push_back({.name = "n_components_" + name,
                 .long_name = "components of the mixture of frequencies",
                 .integer = true,
                 .get = [v](const BayesDraw& draw, double* to) {
                   *to = double(draw.functions[v].spectrum.components());
                 }});
}

void add_paths(const BayesFit& fit, std::vector<PosteriorVariable>& out) {
  const Index Q = fit.dims();
  std::vector<std::string> labels;
  for (Index q = 0; q < Q; ++q) labels.push_back(std::to_string(q));
  const auto add = [&](const char* name, const char* long_name, double PathPrior::*member) {
    out.push_back({.name = name,
                   .long_name = long_name,
                   .dims = {{"path", labels}},
                   .size = Q,
                   .get = [member](const BayesDraw& draw, double* to) {
                     for (std::size_t q = 0; q < draw.paths.size(); ++q) to[q] = draw.paths[q].*member;
                     std::sort(to, to + draw.paths.size());
                   }});
  };
  // Chains may have dimensions in any order: as in the monitors, the shortest comes first.
  add("path_length_scale",
      "length-scales over time of the latents before they were rotated, ascending in each draw",
      &PathPrior::ell);
  add("path_variance", "variances over time of the latents before they were rotated, ascending in each draw",
      &PathPrior::variance);
}

}  // namespace

std::vector<PosteriorVariable> posterior_variables(const BayesFit& fit) {
  std::vector<PosteriorVariable> out;
  const std::vector<std::string> names = netcdf_names(fit);
  out.push_back({.name = "latent",
                 .long_name = "latents, all draws rotated to one frame",
                 .dims = {{"sample", fit.ids}, {"dim", dim_labels(fit.dims())}},
                 .size = fit.latent.mean.size(),
                 .get = [](const BayesDraw& draw, double* to) {
                   std::copy(draw.X.data(), draw.X.data() + draw.X.size(), to);
                 }});
  if (!fit.paths.empty()) add_paths(fit, out);
  for (std::size_t v = 0; v < fit.views.size(); ++v) add_view(fit, v, names[v], out);
  return out;
}

}  // namespace bochner
