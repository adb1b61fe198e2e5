#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

// Labels of classes and groups as whole numbers. The command line and the Python package encode with these functions, so
// that one table gives one model.

/// False for a missing label: an empty cell, NA, N/A, `#N/A`, NaN, `<NA>` or null in any case. Other marks of missing
/// numbers may be labels: None, -, ?
bool is_label(std::string_view text);

/// The label that a number is: the shortest decimal that reads back as the number, "3" for 3.0; "" for NaN.
std::string label_text(double value);

/// The distinct names, in the one order that codes follow: as numbers if all of them are numbers (core/parse_number.hpp),
/// else byte by byte. Names of the same number, such as 1 and 1.0, stay distinct and are ordered byte by byte.
std::vector<std::string> sorted_labels(std::vector<std::string> names);

/// Row n carries names[code(n)], unless it is missing.
struct Labels {
  static constexpr Index missing = -1, unknown = -2;
  IndexVector code;                // N
  std::vector<std::string> names;  // distinct
};

/// The labels that are found, in the order of sorted_labels.
Labels encode_labels(const std::vector<std::string>& labels);

/// The place of each label among `names`, those of a model: of the same text, else of the same number (1 and 1.0), else
/// Labels::unknown.
Labels encode_labels(const std::vector<std::string>& labels, std::vector<std::string> names);

/// Probabilities of classes (N x K) from what a model predicts for their indicators, columns that are 1 for the class of a
/// sample and 0 for others: negative ones are 0, and all are divided by their sum. Alike where nothing is left, NaN where
/// one is.
Matrix class_probabilities(MatrixIn indicators);

}  // namespace bochner
