#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/io/table.hpp"
#include "bochner/models/bayes_options.hpp"
#include "fit_settings.hpp"

namespace bochner::cli {

/// The tables of a Bayesian fit as the model wants them. Labels are numbers, a column of time is no measurement.
struct BayesTables {
  Dataset data;
  std::vector<BayesLikelihood> likelihoods{};  // one per view
  std::vector<Matrix> trials{};                // per view, of binomial ones
  std::vector<std::vector<std::vector<std::string>>> classes{};
  Vector time{};
  std::vector<Index> group{};
  std::optional<TextTable> meta{};
  std::vector<std::string> notes{};
};

/// Reads them. InputError of one sentence that names view, sample and column for a number that its likelihood cannot have.
BayesTables read_bayes_tables(const FitSettings& settings);

/// "counts=spikes.csv:poisson": a likelihood at the end is cut off and returned, "" if there is none.
std::string cut_likelihood(std::string& table);

}  // namespace bochner::cli
