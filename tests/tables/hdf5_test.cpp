#include "bochner/tables/hdf5.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/store/model_file.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::hdf5_test {
namespace {

using testing::expect_message;
using testing::TempFolder;
using Names = std::vector<std::string>;

const Matrix X{{1, 2, 3}, {4, 5, 6.5}};

struct Files : ::testing::Test {
  TempFolder folder;
  std::vector<std::string> paths = {folder.write("earliest.h5", testing::hdf5_earliest),
                                    folder.write("v110.h5", testing::hdf5_v110)};
};
using Hdf5 = Files;

TEST_F(Hdf5, ReadsWhatH5pyWrites) {
  for (const std::string& path : paths) {
    EXPECT_EQ(read_hdf5(path, "/X").values, X);
    EXPECT_EQ(read_hdf5(path, "X").values, X);
    EXPECT_EQ(read_hdf5(path, "y").values, (Matrix{{1}, {2}, {3}}));
    EXPECT_EQ(read_hdf5(path, "/flags").values, (Matrix{{1, 0}, {0, 1}}));
    EXPECT_EQ(read_hdf5(path, "/deep/gz").values, (Matrix{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}}));
    EXPECT_TRUE(read_hdf5(path, "X").ids_generated);
    EXPECT_EQ(hdf5_datasets(path), (Names{"/X", "/deep/gz", "/flags", "/infinite", "/lzf", "/y"}));
  }
}

TEST_F(Hdf5, ReadsBlocksOfRows) {
  for (const std::string& path : paths) {
    const Hdf5Rows rows(path, "/deep/gz");
    ASSERT_EQ(rows.rows(), 4);
    ASSERT_EQ(rows.cols(), 3);
    Matrix wide = Matrix::Zero(2, 5);
    rows.read(1, wide.middleCols(1, 3));
    EXPECT_EQ(wide, (Matrix{{0, 3, 4, 5, 0}, {0, 6, 7, 8, 0}}));
    Matrix out(2, 3), narrow(2, 2);
    EXPECT_THROW(rows.read(3, out), std::invalid_argument);
    EXPECT_THROW(rows.read(0, narrow), std::invalid_argument);
  }
}

TEST_F(Hdf5, TakesNamesFromAnnData) {
  const std::string path = folder.write("a.h5ad", testing::anndata_file);
  for (const char* dataset : {"", "/X", "X"}) {
    const Table t = read_hdf5(path, dataset);
    EXPECT_EQ(t.values, X);
    EXPECT_EQ(t.ids, (Names{"cell1", "cell\xce\xb2"}));
    EXPECT_EQ(t.columns, (Names{"TP53", "ACTB", "MYC"}));
    EXPECT_FALSE(t.ids_generated || t.columns_generated);
  }
  const Table pca = read_hdf5(path, "/obsm/pca");
  EXPECT_EQ(pca.values, (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(pca.ids, (Names{"cell1", "cell\xce\xb2"}));
  EXPECT_EQ(pca.columns, (Names{"0", "1"}));
  EXPECT_TRUE(pca.columns_generated && !pca.ids_generated);
  EXPECT_EQ(Hdf5Rows(path).ids().size(), 2u);
  std::string repeated = testing::anndata_file;
  repeated.replace(repeated.find("ACTB"), 4, "TP53");
  expect_message([&] { read_hdf5(folder.write("r.h5ad", repeated)); },
                 {"r.h5ad", "names 1 and 2", "'/var/_index'", "'TP53'", "var_names_make_unique()"});
}

TEST_F(Hdf5, ExplainsWhatItCannotRead) {
  for (const std::string& path : paths) {
    const auto read = [&](const char* dataset) { return [&path, dataset] { read_hdf5(path, dataset); }; };
    expect_message(read(""), {path, "6 tables", "'/X'", "'/deep/gz'", path + ":/X"});
    expect_message(read("/Y"), {path, "no '/Y'", "'/X'", "'/y'"});
    expect_message(read("/X/more"), {path, "'/X/more'"});
    expect_message(read("deep"), {path, "'deep'", "group", "'/deep/gz'"});
    expect_message(read("words"), {path, "'words'", "text"});
    expect_message(read("cube"), {path, "'cube'", "3 dimensions"});
    expect_message(read("none"), {path, "'none'", "empty", "0 x 3"});
    expect_message(read("named"), {path, "'named'", "named fields"});
    expect_message(read("lzf"), {path, "'lzf'", "gzip"});
    expect_message(read("sparse"), {path, "sparse matrix", "encoding-type", "toarray()"});
    expect_message(read("infinite"), {path + ":infinite, row 2, column 2", "infinite"});
  }
  expect_message([&] { read_hdf5(folder.file("earlist.h5"), "X"); }, {"did you mean 'earliest.h5'?"});
  expect_message([&] { read_hdf5(folder.file(""), "X"); }, {"folder"});
  expect_message([&] { read_hdf5(folder.write("t.h5", "id,a\nx,1\n"), "X"); }, {"t.h5", "not an HDF5 file"});
  expect_message([&] { hdf5_datasets(folder.write("e.h5", "")); }, {"e.h5", "not an HDF5 file"});
}

TEST_F(Hdf5, ReadsModelFilesTooAndLargeOnesInManyRequests) {
  const Matrix big = Rng(1).normal(30000, 150);  // 36 MB, more than the child sends at once
  write_model(folder.file("m.bochner"), ModelGroup().set("W", big).set("name", "x"));
  EXPECT_EQ(read_hdf5(folder.file("m.bochner")).values, big);  // the only table in it
  const Hdf5Rows rows(folder.file("m.bochner"), "W");
  Matrix out(30000, 150);
  for_each_block(Threads(3), 30000, 7000,
                 [&](Index begin, Index n) { rows.read(begin, out.middleRows(begin, n)); });
  EXPECT_EQ(out, big);
  std::vector<Hdf5Rows> many;  // each has a child of its own, and none keeps another's pipe open
  for (int i = 0; i < 5; ++i) many.emplace_back(folder.file("m.bochner"), "W");
  many.erase(many.begin(), many.begin() + 3);
  Matrix one(1, 150);
  many[1].read(29999, one);
  EXPECT_EQ(one, big.bottomRows(1));
}

TEST_F(Hdf5, SurvivesBytesThatCrashTheLibrary) {
  // HDF5 1.10.8 overruns its buffers on each of these. Whether it dies of that depends on what lies behind them; the
  // reader must live in either case.
  struct Crash {
    const std::string& file;
    std::size_t at;
    char value;
    const char* dataset;
  };
  for (const Crash& c :
       {Crash{testing::anndata_file, 2532, 1, "/X"}, Crash{testing::anndata_file, 2483, 1, "/X"},
        Crash{testing::hdf5_earliest, 4718, 2, "/deep/gz"}}) {
    std::string bytes = c.file;
    bytes[c.at] = c.value;
    const std::string path = folder.write("crash.h5", bytes);
    try {
      read_hdf5(path, c.dataset);
    } catch (const InputError& error) {
      EXPECT_TRUE(testing::is_one_message(error.what()));
      EXPECT_NE(std::string(error.what()).find("crash.h5"), std::string::npos) << error.what();
    }
    EXPECT_EQ(read_hdf5(paths[0], "X").values, X);  // and life goes on
  }
}

TEST_F(Hdf5, EveryCutAndEveryFlipIsATableOrAMessage) {
  int tables = 0, messages = 0;
  for (const std::string* file : {&testing::hdf5_earliest, &testing::hdf5_v110}) {
    for (std::size_t n = 0; n < file->size(); n += 97) {
      for (const bool cut : {true, false}) {
        std::string bytes = cut ? file->substr(0, n) : *file;
        if (!cut) bytes[n] = static_cast<char>(bytes[n] ^ 0xff);
        const std::string path = folder.write("damaged.h5", bytes);
        try {
          read_hdf5(path, n % 2 ? "/deep/gz" : "/X");
          ++tables;
        } catch (const InputError& error) {
          EXPECT_TRUE(testing::is_one_message(error.what()));
          EXPECT_NE(std::string(error.what()).find("damaged.h5"), std::string::npos) << error.what();
          ++messages;
        }
      }
    }
  }
  EXPECT_GT(tables, 40);
  EXPECT_GT(messages, 200);
}

}  // namespace
}  // namespace bochner::hdf5_test
