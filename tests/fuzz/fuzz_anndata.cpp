// AnnData files with dense and sparse matrices. The table read whole and read in blocks of rows must be the same.
#include "bochner/tables/hdf5.hpp"
#include "scratch.hpp"

using namespace bochner;

namespace {

void read_in_blocks(const Table& whole, const char* dataset) {
  const Hdf5Rows rows(fuzz::scratch(), dataset);
  if (rows.rows() != whole.rows() || rows.cols() != whole.cols()) fuzz::find("another shape in blocks");
  const Index begin = whole.rows() / 2;
  Matrix block(whole.rows() - begin, whole.cols());
  rows.read(begin, block);
  for (Index n = 0; n < block.rows(); ++n)
    for (Index m = 0; m < block.cols(); ++m) {
      const double a = block(n, m), b = whole.values(begin + n, m);
      if (!(a == b || (std::isnan(a) && std::isnan(b)))) fuzz::find("another number in blocks");
    }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::prepare_scratch();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::write_scratch(data, size);
  // A fork is dear: one way in per input.
  const char* dataset = size % 4 == 1 ? "/layers/counts" : size % 4 == 2 ? "/obsm/pca" : "";
  fuzz::read_and_judge(fuzz::scratch(), [&] {
    Table whole = read_hdf5(fuzz::scratch(), dataset);
    if (size % 8 == 0) read_in_blocks(whole, dataset);
    return whole;
  });
  return 0;
}
