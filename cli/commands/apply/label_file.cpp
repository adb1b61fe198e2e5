#include "label_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bochner/data/labels.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner::cli {

LabelFile::LabelFile(std::string path, const std::vector<std::string>& classes)
    : path_(std::move(path)), classes_(classes) {
  table_.columns = {"label"};
  for (const std::string& name : classes) table_.columns.push_back("probability of " + name);
  table_.cells.resize(table_.columns.size());
}

void LabelFile::write(const std::vector<std::string>& ids, MatrixIn indicators) {
  const Matrix probabilities = class_probabilities(indicators);
  const std::vector<std::string> best = likeliest(indicators, classes_);
  table_.ids.insert(table_.ids.end(), ids.begin(), ids.end());
  table_.cells[0].insert(table_.cells[0].end(), best.begin(), best.end());
  for (Index n = 0; n < probabilities.rows(); ++n)
    for (Index k = 0; k < probabilities.cols(); ++k) {
      const double p = probabilities(n, k);
      table_.cells[static_cast<std::size_t>(k) + 1].push_back(std::isnan(p) ? "" : fmt::format("{:.6g}", p));
    }
}

void LabelFile::commit() const { write_csv(path_, table_); }

std::vector<std::string> likeliest(MatrixIn values, const std::vector<std::string>& classes) {
  std::vector<std::string> out;
  for (Index n = 0; n < values.rows(); ++n) {
    Index best = 0;
    if (std::isnan(values.row(n).sum()))
      out.emplace_back();
    else
      values.row(n).maxCoeff(&best), out.push_back(classes[static_cast<std::size_t>(best)]);
  }
  return out;
}

}  // namespace bochner::cli
