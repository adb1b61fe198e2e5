#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/data/covariates.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/bayes/data.hpp"
#include "bochner/models/bayes/options.hpp"
#include "bochner/tables/table.hpp"
#include "cli/commands/fit/settings.hpp"

namespace bochner::cli {

/// The tables of a Bayesian fit as the model wants them. Labels are numbers, a column of time is no measurement.
struct BayesTables {
  Dataset data;
  std::vector<BayesLikelihood> likelihoods{};  // one per view
  std::vector<Matrix> trials{};                // per view, of binomial ones
  std::vector<std::vector<std::vector<std::string>>> classes{};
  std::vector<Vector> exposure{};             // per view, of those that have them ..
  std::vector<std::string> exposure_names{};  // .. and their columns
  Covariates covariates{};
  Matrix design{};  // of the covariates
  TimeAxis axis{};
  std::optional<TextTable> meta{};
  std::vector<std::string> notes{};
  std::string ids{};   // where the tables have their sample ids from
  std::string kept{};  // what --most-variable kept
};

/// Reads them. InputError that names view, sample and column for a number that its likelihood cannot have.
BayesTables read_bayes_tables(const FitSettings& settings);

/// InputError for the first number that the likelihood cannot have. `trials`: N x M, 1 x 1, or empty; `file`: that of the
/// view, if it is known.
void check_counts(const View& view, BayesLikelihood likelihood, const Matrix& trials,
                  const std::string& file = "");

/// A number of trials, at least 1. InputError of --trials otherwise; nothing if the word is no number.
std::optional<double> trials_number(const std::string& word);

/// A table of labels as numbers: the place of each label among the `classes` of its column, which are found if there are none
/// and otherwise must have it.
Table labels_as_numbers(const TextTable& text, std::vector<std::vector<std::string>>& classes);

/// Any table as text.
TextTable read_labels_table(const std::string& spec);

/// "counts=spikes.csv:poisson": a likelihood at the end is cut off and returned, "" if there is none.
std::string cut_likelihood(std::string& table);

}  // namespace bochner::cli
