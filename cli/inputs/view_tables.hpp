#pragma once
#include <string>
#include <vector>

#include "bochner/data/view.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// One `--view NAME=TABLE`. Without a name it is that of the file (or of the array in it) without its extensions.
struct ViewSpec {
  std::string name, table;
  bool named = false;  // by the user
};
/// Names may contain the equals sign: those in `known` are tried first.
ViewSpec split_view(const std::string& value, const std::vector<std::string>& known = {});

/// A table under the name of its view, and its columns of words, if these were left out.
struct ViewTable {
  ViewSpec spec;
  Table table;
  TextTable words{};
};

/// Names of views become names of files: InputError if one cannot be, or if two collide. Results of a view are called like
/// it with an ending: those of every command, and `more` of this one.
void check_view_names(const std::vector<ViewSpec>& specs, const std::vector<std::string>& more = {});

/// Whether the name of a likelihood behind the colon of a text table, as in spikes.csv:poisson, is an error or a column.
enum class Likelihoods { refused, columns };

/// Checks the names and reads the tables, one after the other. Columns of words (columns_of_words) are an error.
std::vector<ViewTable> read_view_tables(const std::vector<ViewSpec>& specs,
                                        Likelihoods likelihoods = Likelihoods::refused);

/// The same without columns of words and of dates in CSV files, but for those that are `wanted`. Adds a note for each table to
/// `notes`, but for columns that say something else about samples (`described`).
std::vector<ViewTable> read_view_tables_without_words(const std::vector<ViewSpec>& specs,
                                                      Likelihoods likelihoods,
                                                      const std::vector<std::string>& wanted,
                                                      std::vector<std::string>& notes,
                                                      const std::vector<std::string>& described = {});

/// "rna.csv has ids in the column 'sample'; protein.npy has no ids": where each table has them from.
std::string ids_text(const std::vector<ViewTable>& tables);

/// Tables without sample ids take them, by position, from those that have some, if all of these have the same ids and
/// there are as many rows; otherwise they keep their numbers. Adds a note for each to `notes`.
void share_ids(std::vector<ViewTable>& tables, std::vector<std::string>& notes);

std::vector<View> as_views(std::vector<ViewTable> tables);

}  // namespace bochner::cli
