#include "bochner/tables/read_table.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <thread>

#include "bochner/store/model_file.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::read_table_test {
namespace {

using testing::expect_message;
using testing::slurp;
using testing::TempFolder;
using Names = std::vector<std::string>;

const Matrix X{{1, 2, 3}, {4, 5, 6.5}};
const char* const csv = "id,a,b,c\nx,1,2,3\ny,4,5,6.5\n";

void gzip_file(const std::string& path, const std::string& bytes) {
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
}

TEST(SplitSpec, SplitsBehindTheFile) {
  const TempFolder folder;
  const std::string path = folder.write("a.h5", ""), odd = folder.write("odd:name", "");
  EXPECT_EQ(split_spec(path + ":/g:1/x").path, path);
  EXPECT_EQ(split_spec(path + ":/g:1/x").part, "/g:1/x");
  EXPECT_EQ(split_spec(odd).path, odd);
  EXPECT_EQ(split_spec("missing.csv:type").path, "missing.csv");
  EXPECT_EQ(split_spec("missing.csv.gz:type").part, "type");
  EXPECT_EQ(split_spec("missing:type").path, "missing:type");
  expect_message([] { split_spec("https://example.org/a.csv"); }, {"web address", "download"});
}

TEST(ReadTable, ChoosesByExtensionAndByContent) {
  const TempFolder folder;
  for (const char* name : {"a.csv", "a.CSV", "a.tsv", "a.txt", "a", "a.data"})
    EXPECT_EQ(read_table(folder.write(name, csv)).values, X) << name;
  for (const char* name : {"b.csv.gz", "b.gz", "b", "b.tsv.GZ", "b.csv"}) {
    gzip_file(folder.file(name), csv);
    EXPECT_EQ(read_table(folder.file(name)).values, X) << name;
    EXPECT_EQ(read_table(folder.file(name)).ids, (Names{"x", "y"})) << name;
  }
  for (const char* name : {"c.npy", "c", "c.bin"})
    EXPECT_EQ(read_table(folder.write(name, testing::npy_f8)).values, X) << name;
  for (const char* name : {"c.npy.gz", "c.gz"}) {
    gzip_file(folder.file(name), testing::npy_f8);
    EXPECT_EQ(read_table(folder.file(name)).values, X) << name;
  }
  for (const char* name : {"d.npz", "d", "d.zip"})
    EXPECT_EQ(read_table(folder.write(name, testing::npz_deflated) + ":X").values, X) << name;
  for (const char* name : {"e.h5", "e.h5ad", "e", "e.mat"})
    EXPECT_EQ(read_table(folder.write(name, testing::hdf5_earliest) + ":/X").values, X) << name;
}

TEST(ReadTable, ReadsOneColumnWhateverTheOthersHold) {
  const TempFolder folder;
  const std::string path = folder.write("samples.csv", "id,type,age\nx,tumor,41\ny,normal,NA\n");
  const Table age = read_table(path + ":age");
  EXPECT_EQ(age.columns, Names{"age"});
  EXPECT_EQ(age.ids, (Names{"x", "y"}));
  EXPECT_EQ(age.values(0, 0), 41);
  EXPECT_TRUE(std::isnan(age.values(1, 0)));
  expect_message([&] { read_table(path + ":type"); }, {"samples.csv", "sample 'x'", "'tumor'"});
  const TextTable type = read_text_table(path + ":type");
  EXPECT_EQ(type.columns, Names{"type"});
  EXPECT_EQ(type.column("type"), (Names{"tumor", "normal"}));
  expect_message([&] { read_text_table(path + ":typ"); }, {"samples.csv", "did you mean 'type'?"});
}

TEST(ReadTable, ReadsAPipe) {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& bytes : {std::string(csv), testing::npy_f8}) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << bytes; });
    EXPECT_EQ(read_table(pipe).values, X);
    writer.join();
  }
}

TEST(ReadTable, SentencesForFilesOfAnotherKind) {
  const TempFolder folder;
  expect_message([&] { read_table(folder.write("a.npy", csv)); }, {"a.npy", "not a NumPy array"});
  expect_message([&] { read_table(folder.write("a.npz", csv)); }, {"a.npz", "not a NumPy archive"});
  expect_message([&] { read_table(folder.write("a.h5", csv)); }, {"a.h5", "not an HDF5 file"});
  expect_message([&] { read_table(folder.write("a.csv", testing::npy_f8)); },
                 {"a.csv", "NumPy array", ".npy"});
  expect_message([&] { read_table(folder.write("b.npy", testing::npy_f8) + ":X"); },
                 {"b.npy", "no parts", "':X'"});
  write_model(folder.file("m.csv"), ModelGroup().set("a", 1));
  expect_message([&] { read_table(folder.file("m.csv")); }, {"m.csv", "model"});
  gzip_file(folder.file("a.h5.gz"), testing::hdf5_earliest);
  expect_message([&] { read_table(folder.file("a.h5.gz")); }, {"a.h5.gz", "unpack"});
  expect_message([&] { read_table(folder.file("xlsx") + ".xlsx"); }, {"xlsx.xlsx", "no such file"});
  expect_message([&] { read_table(folder.write("t.xlsx", "PK\x03\x04..[Content_Types].xml")); }, {"Excel"});
}

TEST(OpenRows, OffersBothFormatsThroughOneDoor) {
  const TempFolder folder;
  for (const std::string& spec : {folder.write("c.npy", testing::npy_f4_fortran_big),
                                  folder.write("e.h5", testing::hdf5_v110) + ":X"}) {
    const AnyRows source = open_rows(spec);
    ASSERT_EQ(rows(source), 2);
    ASSERT_EQ(cols(source), 3);
    Matrix row(1, 3);
    read_rows(source, 1, row);
    EXPECT_EQ(row, X.bottomRows(1));
  }
  expect_message([&] { open_rows(folder.write("a.csv", csv)); }, {"a.csv", "NPY and HDF5"});
}

}  // namespace
}  // namespace bochner::read_table_test
