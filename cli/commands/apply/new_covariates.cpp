#include "new_covariates.hpp"

#include <fmt/format.h>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "new_columns.hpp"

namespace bochner::cli {

NewCovariates::NewCovariates(const BayesFit& fit, const ApplySettings& settings)
    : covariates_(fit.covariates) {
  if (covariates_.columns.empty()) return;
  std::vector<std::string> views;
  for (const BayesViewFit& view : fit.views) views.push_back(view.name);
  const NewColumns columns(settings, views);
  for (const Covariate& own : covariates_.columns) {
    cells_.push_back(columns.by_sample(own.name));
    if (cells_.back().empty())
      throw InputError(fmt::format(
          "the model was fitted with covariate {}, but {} such a column; use --meta for the "
          "table that has it",
          quote(own.name),
          settings.meta.empty() ? "the new samples do not have"
                                : "neither " + printable(settings.meta) + " nor the new samples have"));
  }
}

Matrix NewCovariates::of(const std::vector<std::string>& ids) const {
  if (covariates_.columns.empty()) return {};
  std::vector<std::vector<std::string>> cells;
  for (const auto& by_sample : cells_) {
    cells.emplace_back();
    for (const std::string& id : ids) {
      const auto at = by_sample.find(id);
      cells.back().push_back(at == by_sample.end() ? "" : at->second);
    }
  }
  return encode(covariates_, cells, ids);
}

}  // namespace bochner::cli
