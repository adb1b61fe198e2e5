#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bochner/tables/csv.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing {

using Json = nlohmann::json;

inline std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The files of a run and of the folders in it, sorted; without report.html, which every run has and which tells the time.
inline std::vector<std::string> files_of(const std::string& run) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(run))
    if (!entry.is_directory() && entry.path().filename() != "report.html")
      out.push_back(std::filesystem::relative(entry.path(), run).string());
  std::sort(out.begin(), out.end());
  return out;
}

/// Their bytes; without log.jsonl and the seconds of metrics.json, which tell the time.
inline std::map<std::string, std::string> contents(const std::string& run) {
  std::map<std::string, std::string> out;
  for (const std::string& file : files_of(run)) {
    if (file == "log.jsonl") continue;
    out[file] = slurp(run + "/" + file);
    if (file != "metrics.json") continue;
    Json metrics = Json::parse(out[file]);
    EXPECT_GT(metrics["seconds"].get<double>(), 0);
    metrics["seconds"] = 0;
    out[file] = metrics.dump();
  }
  return out;
}

/// Nothing half-written, nothing hidden but the lock of a run that was killed.
inline void expect_whole_files(const std::string& run) {
  for (const std::string& file : files_of(run)) {
    if (file == ".lock") continue;
    const std::string path = run + "/" + file;
    EXPECT_FALSE(std::filesystem::path(file).filename().string().starts_with('.')) << file;
    if (file.ends_with(".csv")) {
      if (file.ends_with("_class.csv") || file == "labels.csv" || file == "imputed/kind.csv" ||
          file == "responses.csv" || file == "heldout_entries.csv" || file == "partial_dependence.csv" ||
          file == "top_columns.csv")
        EXPECT_NO_THROW(read_csv_text(path)) << file;
      else
        EXPECT_NO_THROW(read_csv(path)) << file;
    }
    if (file.ends_with(".json")) {
      EXPECT_TRUE(Json::accept(slurp(path))) << file;
    }
  }
}

/// Two tables of one bent line: "rna" has 30 samples and 5 columns, one of them never measured and one constant;
/// "protein" has 4 columns, lacks samples s0 to s3 and knows s30 and s31 besides. One entry in seven is a hole.
inline void write_example_tables(const TempFolder& folder) {
  const auto value = [](Index n, Index m, double phase) {
    const double t = 0.2 * static_cast<double>(n), k = static_cast<double>(m);
    return std::sin(t + phase * k) + 0.3 * std::cos(1.7 * t * (k + 1)) + 0.05 * std::sin(97.0 * t + 31 * k);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Table rna{.columns = {"a,1", "b \"q\"", "c", "constant", "never"}, .values = Matrix(30, 5)};
  Table protein{.columns = {"w", "x", "y", "z"}, .values = Matrix(28, 4)};
  for (Index n = 0; n < 30; ++n) {
    rna.ids.push_back("s" + std::to_string(n));
    for (Index m = 0; m < 3; ++m) rna.values(n, m) = (n + 2 * m) % 7 == 0 ? nan : 10 + value(n, m, 0.9);
    rna.values(n, 3) = 2.5;
    rna.values(n, 4) = nan;
  }
  for (Index i = 0; i < 28; ++i) {
    const Index n = 31 - i;  // the other way round
    protein.ids.push_back("s" + std::to_string(n));
    for (Index m = 0; m < 4; ++m) protein.values(i, m) = (n + 3 * m) % 7 == 0 ? nan : 100 * value(n, m, 0.4);
  }
  write_csv(folder.file("rna.csv"), rna);
  write_csv(folder.file("protein.csv"), protein);
}

}  // namespace bochner::testing
