#include "covariates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/messages.hpp"
#include "bochner/tables/csv.hpp"
#include "results.hpp"

namespace bochner::cli {

std::string covariates_text(const BayesResult& result) {
  std::string out;
  for (const CovariateEffects& own : result.effects)
    out += fmt::format("covar {}: {} of {} of {} have 90 % intervals without 0; see covariates.csv\n",
                       result.fit.covariates.text(), own.clear(), counted(own.mean.size(), "coefficient"),
                       printable(own.view, 40));
  return out.empty() ? out : out + "\n";
}

void write_covariates(const BayesResult& result, RunFolder& run) {
  if (result.effects.empty()) return;
  TextTable out{.columns = {"view", "column", "covariate", "mean", "sd", "low", "high", "rhat", "ess_bulk",
                            "ess_tail"}};
  out.cells.resize(out.columns.size());
  const std::vector<std::string> names = result.fit.covariates.names();
  for (const CovariateEffects& own : result.effects) {
    const std::vector<std::string> functions = function_names(result.fit.view(own.view));
    for (Index j = 0; j < own.mean.cols(); ++j)
      for (Index c = 0; c < own.mean.rows(); ++c) {
        out.ids.push_back(std::to_string(out.ids.size() + 1));
        out.cells[0].push_back(own.view);
        out.cells[1].push_back(functions[static_cast<std::size_t>(j)]);
        out.cells[2].push_back(names[static_cast<std::size_t>(c)]);
        std::size_t at = 3;
        for (const Matrix* values :
             {&own.mean, &own.sd, &own.low, &own.high, &own.rhat, &own.ess_bulk, &own.ess_tail}) {
          const double x = (*values)(c, j);
          out.cells[at++].push_back(std::isnan(x) ? "" : fmt::format("{}", x));
        }
      }
  }
  write_csv(run.path("covariates.csv"), out, "n");
}

}  // namespace bochner::cli
