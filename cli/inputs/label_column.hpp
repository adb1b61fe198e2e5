#pragma once
#include <string>
#include <vector>

#include "bochner/tables/csv.hpp"

namespace bochner::cli {

/// A class per sample, as read; data/labels.hpp encodes it.
struct LabelColumn {
  std::string table, column;
  std::vector<std::string> ids, labels;
  bool ids_generated = false;
  std::string id_name{};
};

/// A column of text, or an array of numbers taken for names of classes. InputError if there is not exactly one.
LabelColumn read_labels(const std::string& spec, const CsvOptions& csv = {});

}  // namespace bochner::cli
