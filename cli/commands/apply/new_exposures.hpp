#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bochner/models/bayes/fit.hpp"

namespace bochner::cli {

struct ApplySettings;

/// Exposures of new samples (--offset, --meta) for the views of a model that has them: a number for all samples, or a column by
/// the name that it had in the fit, of --meta or of the tables of new samples. Views that the new samples lack may do without.
class NewExposures {
 public:
  /// InputError if counts of the new samples have no exposures.
  NewExposures(const BayesFit& fit, const ApplySettings& settings);

  /// Of some new samples of a view; empty if it has no exposures. `measured`: the view of these samples, if it is there.
  Vector of(const BayesViewFit& view, const std::vector<std::string>& ids, const View* measured) const;

 private:
  struct Source {
    std::string column{};
    double number = 0;                           // of all samples, if there is no column
    std::map<std::string, std::string> cells{};  // by sample
  };
  std::map<std::string, Source> sources_;  // by view
};

}  // namespace bochner::cli
