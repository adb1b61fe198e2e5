#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::cli {

/// labels.csv of `apply`: the likeliest class of every sample, and the probability of each class.
class LabelFile {
 public:
  LabelFile(std::string path, const std::vector<std::string>& classes);
  void write(const std::vector<std::string>& ids, MatrixIn indicators);  // N x classes, as predicted
  void commit() const;                                                   // nothing is on the disk before

 private:
  std::string path_;
  std::vector<std::string> classes_;
  TextTable table_;
};

/// The class with the largest value in each row, "" where there is none.
std::vector<std::string> likeliest(MatrixIn values, const std::vector<std::string>& classes);

}  // namespace bochner::cli
