#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bochner/models/bayes/draws.hpp"

namespace bochner {

/// Names of variables for the views of a fit: without spaces and slashes, which NetCDF does not take, unlike each other and the
/// dimensions that all groups have.
std::vector<std::string> netcdf_names(const BayesFit& fit);

/// Names of functions of a view: its columns, or column=class.
std::vector<std::string> function_labels(const BayesViewFit& view);

/// "z1", "z2", .. as in latent.csv.
std::vector<std::string> dim_labels(Index Q);

/// A quantity of the group posterior.
struct PosteriorVariable {
  std::string name, long_name;
  std::vector<std::pair<std::string, std::vector<std::string>>>
      dims{};  // behind chain and draw, with their labels
  Index size = 1;
  bool integer = false;
  std::function<void(const BayesDraw&, double*)> get;
};
std::vector<PosteriorVariable> posterior_variables(const BayesFit& fit);

}  // namespace bochner
