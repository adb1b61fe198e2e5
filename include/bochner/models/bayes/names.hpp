#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/options.hpp"

namespace bochner {

// The settings of a Bayesian fit as the words of the command line, configuration and model files.
// What cannot be read throws InputError with the words that can.

/// "gaussian", "poisson", "negbinom", "binomial", "bernoulli", "multinomial", "categorical".
std::string to_text(BayesLikelihood likelihood);
BayesLikelihood parse_bayes_likelihood(const std::string& text);
bool is_bayes_likelihood(const std::string& text);
const std::vector<std::string>& bayes_likelihood_names();

/// "matern12", "matern32", "matern52", "walk".
std::string to_text(PathKind kind);
PathKind parse_path_kind(const std::string& text);

/// "auto", "variational", "isomap", "spectral", "pca", "random", "given".
std::string to_text(BayesStart start);
BayesStart parse_bayes_start(const std::string& text);

}  // namespace bochner
