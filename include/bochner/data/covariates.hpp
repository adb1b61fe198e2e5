#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// A column that describes samples and enters a model linearly: a number in standard deviations from its mean, or of text a
/// column of zeros and ones for every level but the first, which is the reference.
struct Covariate {
  std::string name;
  std::vector<std::string> levels{};  // of text, in the order of data/labels.hpp; none: a number
  double centre = 0, scale = 1;       // of a number

  Index width() const { return levels.empty() ? 1 : static_cast<Index>(levels.size()) - 1; }
};

/// Columns that were learned with a model, as they are stored with it.
struct Covariates {
  std::vector<Covariate> columns{};

  Index width() const;
  std::vector<std::string> names() const;  // of the encoded columns: "age", "sex=m"
  Vector units() const;                    // of the encoded columns: what one step of a number is
  std::string text() const;                // "age, sex (f, m; reference f)"; "" if there are none
};

/// A column of text is numbers if all its cells are. `cells`: of each column, one for each sample. InputError that names column
/// and sample for a cell without a value, and for a column that does not vary or hardly repeats.
Covariates learn_covariates(const std::vector<std::string>& names,
                            const std::vector<std::vector<std::string>>& cells,
                            const std::vector<std::string>& ids);

/// N x width. InputError for what is missing, is no number or a level that was not seen.
Matrix encode(const Covariates& covariates, const std::vector<std::vector<std::string>>& cells,
              const std::vector<std::string>& ids);

}  // namespace bochner
