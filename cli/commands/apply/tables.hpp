#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/tables/read_table.hpp"

namespace bochner::cli {

/// A view that a model knows.
struct ModelView {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> classes{};  // of each column, where the columns are labels
  bool indicators = false;                          // columns are the classes of one label
};

/// New samples as the model knows its own: views under the model's names with the model's columns, joined by id. A
/// single table without a name is the view of a model that has one view only, and others without a name are those whose columns
/// they have. Arrays without names, NPY and plain HDF5
/// of the same number of rows, are never in memory as a whole; other tables are.
class NewSamples {
 public:
  /// InputError for a view or a column that does not belong. Adds to `notes` what the user should know.
  NewSamples(const std::vector<std::string>& views, const std::vector<ModelView>& model,
             std::vector<std::string>& notes);

  Index rows() const;
  Dataset block(Index begin, Index end) const;  // the samples begin .. end - 1

 private:
  struct Stream {
    std::string name;
    std::vector<std::string> columns;
    std::vector<Index> places;  // of these columns in the array
    AnyRows rows;
  };
  std::variant<std::vector<Stream>, std::vector<Dataset>> source_;  // one data set, where there is one
};

}  // namespace bochner::cli
