#pragma once
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/tables/csv.hpp"

namespace bochner {

/// CsvWriter::write by several threads: the same bytes.
void write_rows(CsvWriter& file, const std::vector<std::string>& ids, MatrixIn values,
                const Compute& compute);

/// write_csv by several threads: the same bytes.
void write_table(const std::string& path, const std::vector<std::string>& ids,
                 const std::vector<std::string>& columns, MatrixIn values, const Compute& compute);

}  // namespace bochner
