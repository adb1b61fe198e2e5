#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/tables/hdf5.hpp"
#include "bochner/tables/read_table.hpp"
#include "hdf5_files.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::anndata_test {
namespace {

using testing::expect_message;
using testing::Hdf5Writer;
using testing::sparse_by_columns;
using testing::SparseArrays;
using testing::TempFolder;
using Names = std::vector<std::string>;

const Matrix X{{0, 1, 0, 2}, {0, 0, 0, 0}, {3, 0, 0, 4}};
const Names cells{"cell1", "cell2", "cell3"}, genes{"TP53", "ACTB", "MYC", "GAPDH"};

TEST(AnnData, ReadsSparseMatrices) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  for (const SparseArrays& matrix : {SparseArrays{}, sparse_by_columns()}) {
    {
      Hdf5Writer file(path);
      file.frames();
      file.sparse("/X", matrix);
      file.group("/layers");
      file.sparse("/layers/counts", matrix);
      file.group("/obsm");
      file.matrix("/obsm/X_pca", X.leftCols(2));
    }
    for (const char* dataset : {"", ":/X", ":/layers/counts", ":layers//counts/"}) {
      const Table t = read_table(path + dataset);
      EXPECT_EQ(t.values, X) << matrix.format << dataset;
      EXPECT_EQ(t.ids, cells);
      EXPECT_EQ(t.columns, genes);
      EXPECT_FALSE(t.ids_generated || t.columns_generated);
    }
    EXPECT_EQ(read_table(path + ":/obsm/X_pca").values, X.leftCols(2));
    EXPECT_EQ(hdf5_datasets(path), (Names{"/X", "/layers/counts", "/obsm/X_pca"}));
    const Hdf5Rows rows(path, "/X");
    Matrix out(2, 4);
    for (const Index begin : {1, 0}) {
      rows.read(begin, out);
      EXPECT_EQ(out, X.middleRows(begin, 2));
    }
  }
}

TEST(AnnData, ReadsWhatAnnDataWrites) {
  const TempFolder folder;
  for (const std::string& bytes : {testing::anndata_csr, testing::anndata_csc}) {
    const Table t = read_hdf5(folder.write("a.h5ad", bytes));
    EXPECT_EQ(t.values, X);
    EXPECT_EQ(t.ids, cells);
    EXPECT_EQ(t.columns, genes);
    EXPECT_EQ(read_hdf5(folder.file("a.h5ad"), "/layers/counts").values, X);
  }
}

TEST(AnnData, SumsRepeatedEntriesAndKeepsMissingValues) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  SparseArrays matrix;
  matrix.indices = {3, 3, 0, 3};
  matrix.data = {1, 2, std::numeric_limits<double>::quiet_NaN(), 4};
  Hdf5Writer(path).sparse("/X", matrix);
  const Matrix read = read_hdf5(path).values;
  EXPECT_EQ(read.topRows(2), (Matrix{{0, 0, 0, 3}, {0, 0, 0, 0}}));
  EXPECT_TRUE(std::isnan(read(2, 0)));
  EXPECT_EQ(read(2, 3), 4);
}

TEST(AnnData, ReadsTheOldFormatAndAMatrixOfZeros) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  {
    Hdf5Writer file(path);
    file.group("/X");
    file.text_attribute("/X", "h5sparse_format", "csr");
    file.integers_attribute("/X", "h5sparse_shape", {2, 3});
    const double values[] = {1, 2};
    file.array("/X/data", {2}, values);
    file.integers("/X/indices", {0, 2});
    file.integers("/X/indptr", {0, 1, 2});
  }
  EXPECT_EQ(read_hdf5(path).values, (Matrix{{1, 0, 0}, {0, 0, 2}}));
  for (const char* format : {"csr_matrix", "csc_matrix"}) {
    Hdf5Writer(path).sparse("/X", {format, {2, 2}, {}, {}, {0, 0, 0}});
    EXPECT_EQ(read_hdf5(path).values, Matrix::Zero(2, 2));
  }
}

TEST(AnnData, RefusesSparseMatricesThatContradictThemselves) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  struct Case {
    SparseArrays matrix;
    std::string part;
  };
  const auto changed = [](auto change) {
    SparseArrays matrix;
    change(matrix);
    return matrix;
  };
  const std::vector<Case> cases = {
      {changed([](SparseArrays& m) {
         m.indptr = {0, 3, 2, 4};
       }),
       "indptr decreases at entry 3"},
      {changed([](SparseArrays& m) {
         m.indptr = {1, 2, 2, 4};
       }),
       "begins with 1"},
      {changed([](SparseArrays& m) {
         m.indptr = {-1, 2, 2, 4};
       }),
       "begins with -1"},
      {changed([](SparseArrays& m) {
         m.indptr = {0, 2, 2, 5};
       }),
       "indptr ends with 5"},
      {changed([](SparseArrays& m) {
         m.indptr = {0, 2, 4};
       }),
       "indptr has 3 entries, but 3 rows need 4"},
      {changed([](SparseArrays& m) {
         m.indices = {1, 3, 4, 3};
       }),
       "entry 3 of indices is 4, but the matrix has 4 columns"},
      {changed([](SparseArrays& m) {
         m.indices = {1, -3, 0, 3};
       }),
       "entry 2 of indices is -3"},
      {changed([](SparseArrays& m) {
         m.indices = {1, 3, 0};
       }),
       "4 values and 3 indices"},
      {changed([](SparseArrays& m) { m.shape = {3}; }), "shape is not two integers"},
      {changed([](SparseArrays& m) {
         m.shape = {3, -4};
       }),
       "3 x -4"},
      {changed([](SparseArrays& m) {
         m.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
       }),
       "x 1099511627776"},
      {changed([](SparseArrays& m) {
         m.shape = {3, 0};
       }),
       "empty (3 x 0)"},
      {changed([](SparseArrays& m) { m.format = "coo_matrix"; }), "encoding-type"},
      {changed([](SparseArrays& m) {
         m = sparse_by_columns();
         m.indices = {3, 0, 0, 2};
       }),
       "entry 1 of indices is 3, but the matrix has 3 rows"},
  };
  for (const Case& c : cases) {
    Hdf5Writer(path).sparse("/X", c.matrix);
    expect_message([&] { read_hdf5(path, "/X"); }, {"a.h5ad", "'/X'", c.part});
  }
  SparseArrays infinite;
  infinite.data[2] = std::numeric_limits<double>::infinity();
  Hdf5Writer(path).sparse("/X", infinite);
  expect_message([&] { read_hdf5(path, "/X"); }, {"a.h5ad:/X, row 3, column 1", "infinite"});
  {
    Hdf5Writer file(path);
    file.group("/X");
    file.text_attribute("/X", "encoding-type", "csr_matrix");
    file.integers_attribute("/X", "shape", {3, 4});
    file.matrix("/X/data", Matrix::Ones(2, 2));
    file.integers("/X/indptr", {0, 2, 2, 4});
    file.array("/X/indices", {4}, SparseArrays().data.data());
  }
  expect_message([&] { read_hdf5(path, "/X"); }, {"a.h5ad", "data has 2 dimensions"});
}

TEST(AnnData, RefusesAMatrixThatDoesNotFitIntoMemory) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  Hdf5Writer(path).sparse("/X", {.shape = {3, 1'000'000'000'000}});
  expect_message([&] { read_hdf5(path); }, {"a.h5ad", "8.0 TB", "more than there is"});
  std::vector<std::int64_t> indptr(1'000'001, 0);
  Hdf5Writer(path).sparse("/X", {"csr_matrix", {1'000'000, 1'000'000}, {}, {}, indptr});
  expect_message([&] { read_hdf5(path); }, {"a.h5ad", "1000000 x 1000000", "8.0 TB", "more than there is"});
}

TEST(AnnData, NeverNamesThePartsOfASparseMatrix) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  {
    Hdf5Writer file(path);
    file.frames();
    file.sparse("/X", {.format = "coo_matrix"});
    file.group("/obsm");
    file.matrix("/obsm/a", X);
    file.matrix("/obsm/b", X);
  }
  for (const char* dataset : {"", "/X", "/Z"}) {
    try {
      read_hdf5(path, dataset);
      ADD_FAILURE() << dataset;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find("/X/"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(hdf5_datasets(path), (Names{"/obsm/a", "/obsm/b"}));
}

TEST(AnnData, NamesMustBeAsManyAsRowsAndColumns) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad");
  const auto write = [&](const Names& rows, const Names& columns) {
    Hdf5Writer file(path);
    file.frame("/obs", rows);
    file.frame("/var", columns);
    file.matrix("/X", X);
    file.group("/obsm");
    file.matrix("/obsm/pca", X);
  };
  write({"a", "b"}, genes);
  for (const char* dataset : {"/X", "//X", "/obsm/pca"})
    expect_message([&] { read_hdf5(path, dataset); }, {"a.h5ad", "'/obs/_index' has 2 names", "has 3 rows"});
  write({"a", "b", "c", "d"}, genes);
  expect_message([&] { read_hdf5(path); }, {"a.h5ad", "'/obs/_index' has 4 names", "'/X' has 3 rows"});
  write(cells, {"g"});
  expect_message([&] { read_hdf5(path); }, {"a.h5ad", "'/var/_index' has 1 name,", "'/X' has 4 columns"});
  EXPECT_EQ(read_hdf5(path, "/obsm/pca").ids, cells);
}

TEST(AnnData, RefusesNamesFromAnotherFile) {
  const TempFolder folder;
  const std::string path = folder.file("a.h5ad"), other = folder.file("other.h5");
  Hdf5Writer(other).frame("/obs", cells);
  {
    Hdf5Writer file(path);
    file.matrix("/X", X);
    file.frame("/var", genes);
    Hdf5Writer::must(H5Lcreate_external(other.c_str(), "/obs", file.id(), "obs", H5P_DEFAULT, H5P_DEFAULT));
  }
  expect_message([&] { read_hdf5(path); }, {"a.h5ad", "'/obs'", "another file", "other.h5"});
}

}  // namespace
}  // namespace bochner::anndata_test
