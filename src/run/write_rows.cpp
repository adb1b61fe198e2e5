#include "bochner/run/write_rows.hpp"

#include <algorithm>

#include "bochner/compute/row_plan.hpp"

namespace bochner {
namespace {

constexpr Index cells_at_once = 4096;  // of which a thread makes the text
constexpr Index blocks_at_once = 64;   // whose text is in memory

}  // namespace

void write_rows(CsvWriter& file, const std::vector<std::string>& ids, MatrixIn values,
                const Compute& compute) {
  file.lines(ids, values, 0, 0);  // checks the shapes
  const Index block = std::max<Index>(1, cells_at_once / std::max<Index>(1, values.cols()));
  std::vector<std::string> text(static_cast<std::size_t>(blocks_at_once));
  for (Index first = 0; first < values.rows(); first += block * blocks_at_once) {
    const Index rows = std::min(block * blocks_at_once, values.rows() - first);
    for_each_block(compute, rows, block, [&](Index begin, Index size) {
      text[static_cast<std::size_t>(begin / block)] = file.lines(ids, values, first + begin, size);
    });
    for (Index b = 0; b * block < rows; ++b) file.write_lines(text[static_cast<std::size_t>(b)]);
  }
}

void write_table(const std::string& path, const std::vector<std::string>& ids,
                 const std::vector<std::string>& columns, MatrixIn values, const Compute& compute) {
  CsvWriter file(path, columns);
  write_rows(file, ids, values, compute);
  file.commit();
}

}  // namespace bochner
