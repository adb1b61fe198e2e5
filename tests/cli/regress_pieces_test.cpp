#include "bochner/store/model_file.hpp"
#include "regression_tables.hpp"

// GCC and clang say it differently.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BOCHNER_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BOCHNER_SANITIZED
#endif
#endif

namespace bochner::testing::regress_pieces_test {

namespace {

class RegressPieces : public RegressionTables {};

TEST_F(RegressPieces, InPiecesItIsTheSame) {
  ModelGroup arrays;  // a model file is HDF5
  arrays.set("X", truth.X).set("Y", truth.Y);
  write_model(folder.file("all.h5"), arrays);
  const auto bytes = [&](const Words& tables, const char* out) {
    const Outcome outcome = good(tables + few + Words{"--out", out});
    const bool in_pieces = tables.back() == "0";
    EXPECT_EQ(outcome.out.find("in blocks") != std::string::npos, in_pieces) << outcome.out;
    auto files = contents(folder.file(out));
    EXPECT_EQ(files.erase("config.toml"), 1u);  // it names the tables
    return files;
  };
  const auto whole = bytes({"regress", "--x", "x.npy", "--y", "y.npy"}, "whole");
  EXPECT_EQ(bytes({"regress", "--x", "x.npy", "--y", "y.npy", "--memory", "0"}, "pieces"), whole);
  EXPECT_EQ(bytes({"regress", "--x", "all.h5:/X", "--y", "all.h5:/Y"}, "h5"), whole);
  EXPECT_EQ(bytes({"regress", "--x", "all.h5:/X", "--y", "all.h5:/Y", "--memory", "0"}, "h5_pieces"), whole);
  const auto classes = bytes({"classify", "--x", "x.npy", "--y", "kind.npy"}, "classes");
  EXPECT_EQ(bytes({"classify", "--x", "x.npy", "--y", "kind.npy", "--memory", "0"}, "class_pieces"), classes);
  // Inputs in pieces, outcomes with ids.
  const auto ids = bytes({"regress", "--x", "x.npy", "--y", "houses.csv:price"}, "ids");
  EXPECT_EQ(bytes({"regress", "--x", "x.npy", "--y", "houses.csv:price", "--memory", "0"}, "id_pieces"), ids);
}

TEST_F(RegressPieces, TenMillionRowsAreNeverInMemory) {
#if defined(BOCHNER_SANITIZED)
  GTEST_SKIP() << "sanitizers reserve terabytes of address space";
#endif
  // Bytes on the disk, but a gigabyte of doubles.
  const auto write = [&](const std::string& name, Index rows, Index cols) {
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(cols) + "), }";
    header.resize(118 - 1, ' ');
    header += '\n';
    std::ofstream file(folder.file(name), std::ios::binary);
    file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header;
    std::string block(std::size_t(1) << 20, '\0');
    Rng rng(5);
    for (char& c : block) c = char(rng.below(256));
    for (Index left = rows * cols; left > 0; left -= Index(block.size()))
      file.write(block.data(), std::min(left, Index(block.size())));
  };
  write("large_x.npy", 10'000'000, 12);
  write("large_y.npy", 10'000'000, 1);
  const Outcome outcome =
      run_program({"regress", "--x", "large_x.npy", "--y", "large_y.npy", "--inducing", "5", "--steps", "3",
                   "--test", "0.0005", "--validation", "0.0005", "--threads", "1", "--out", "run"},
                  {.folder = folder.file(""), .memory_bytes = 400'000'000});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("read  10000000 rows of 12 inputs and 1 outcome, in blocks"), std::string::npos);
  EXPECT_EQ(read("run/predictions.csv").rows(), 5000);
}

}  // namespace

}  // namespace bochner::testing::regress_pieces_test
