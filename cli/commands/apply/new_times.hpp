#pragma once
#include <map>
#include <string>
#include <vector>

#include "bochner/models/bayes/fit.hpp"

namespace bochner::cli {

struct ApplySettings;

/// Times and groups of new samples for a model over time, by the names that their columns had in the fit or by those of --time
/// and --group.
class NewTimes {
 public:
  /// InputError for an option that the model has no use for, and for a column named by one that nothing has.
  NewTimes(const BayesFit& fit, const ApplySettings& settings);

  /// Empty for a model without, and where nothing has the column. InputError for a cell that is not a time.
  TimeAxis of(const std::vector<std::string>& ids) const;

  bool known() const { return !times_.empty(); }  // of some samples

  /// A note for the user; may be empty.
  const std::string& note() const { return note_; }

 private:
  std::string unknown_text() const;

  TimeAxis fit_;
  std::map<std::string, std::string> times_, groups_;  // cells by sample
  std::string note_;
};

}  // namespace bochner::cli
