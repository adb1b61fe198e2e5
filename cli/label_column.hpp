#pragma once
#include <string>
#include <vector>

namespace bochner::cli {

/// A class per sample, as read.
struct LabelColumn {
  std::string table, column;
  std::vector<std::string> ids, labels;
  bool ids_generated = false;
};

/// A column of text, or an array of numbers taken for names of classes. InputError if there is not exactly one.
LabelColumn read_labels(const std::string& spec);

/// Not an empty cell, nor what R and pandas write for one.
bool is_label(const std::string& text);

}  // namespace bochner::cli
