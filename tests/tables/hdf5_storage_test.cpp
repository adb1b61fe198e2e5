// HDF5 gives zeros for what is not in the file. Each of these must be an error instead.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "bochner/tables/hdf5.hpp"
#include "hdf5_files.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::hdf5_storage_test {
namespace {

using testing::expect_message;
using testing::Hdf5Writer;
using testing::TempFolder;

const Matrix X{{1, 2}, {3, 4}, {5, 6}, {7, 8}};

template <class T>
T must(T result) {
  return Hdf5Writer::must(result);
}

/// Chunks of 2 x 2, perhaps with a fill value.
hid_t chunked(const double* fill = nullptr) {
  const hid_t creation = must(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[2] = {2, 2};
  must(H5Pset_chunk(creation, 2, chunk));
  if (fill) must(H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, fill));
  return creation;
}

/// Writes the first n rows of X into the dataset X of 4 x 2.
void write_rows(const Hdf5Writer& file, hsize_t n) {
  const hid_t dataset = must(H5Dopen2(file.id(), "X", H5P_DEFAULT));
  const hid_t there = must(H5Dget_space(dataset));
  const hsize_t start[2] = {0, 0}, count[2] = {n, 2};
  must(H5Sselect_hyperslab(there, H5S_SELECT_SET, start, nullptr, count, nullptr));
  const hid_t here = must(H5Screate_simple(2, count, nullptr));
  must(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, X.data()));
  H5Sclose(here);
  H5Sclose(there);
  H5Dclose(dataset);
}

TEST(Hdf5Storage, AFileCutWhileItIsReadIsRefused) {
  const TempFolder folder;
  const std::string path = folder.file("x.h5");
  Hdf5Writer(path).matrix("X", Matrix::Ones(20000, 4));
  const Hdf5Rows rows(path, "X");
  Matrix out(100, 4);
  rows.read(0, out);
  EXPECT_EQ(out, Matrix::Ones(100, 4));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_message([&] { rows.read(19900, out); }, {"x.h5", "changed while it was read"});
}

TEST(Hdf5Storage, AFileCutThatSaysSoItselfIsRefused) {
  const TempFolder folder;
  const std::string path = folder.file("x.h5");
  Hdf5Writer(path).matrix("X", Matrix::Ones(2000, 4));
  std::string bytes = testing::slurp(path);
  bytes.resize(bytes.size() - 16000);
  const std::uint64_t end = bytes.size();
  std::memcpy(bytes.data() + 40, &end, sizeof end);  // the end-of-file address of a superblock of version 0
  folder.write("x.h5", bytes);
  expect_message([&] { read_hdf5(path, "X"); }, {"x.h5"});
}

TEST(Hdf5Storage, ATableMadeShorterWhileItIsReadIsRefused) {
  // Without waiting: the time stamp of the file may not have moved, and its size does not.
  const TempFolder folder;
  const std::string path = folder.file("x.h5");
  const hsize_t shape[2] = {20000, 4}, endless[2] = {H5S_UNLIMITED, 4}, chunk[2] = {1000, 4};
  const auto resize = [&](hsize_t rows) {
    const hid_t access = must(H5Pcreate(H5P_FILE_ACCESS));
    const hid_t file = must(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    const hid_t dataset = must(H5Dopen2(file, "X", H5P_DEFAULT));
    const hsize_t size[2] = {rows, 4};
    must(H5Dset_extent(dataset, size));
    H5Dclose(dataset);
    H5Fclose(file);
    H5Pclose(access);
  };
  {
    const Hdf5Writer file(path);
    const hid_t creation = must(H5Pcreate(H5P_DATASET_CREATE)),
                space = must(H5Screate_simple(2, shape, endless));
    must(H5Pset_chunk(creation, 2, chunk));
    const hid_t dataset =
        must(H5Dcreate2(file.id(), "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    const Matrix ones = Matrix::Ones(20000, 4);
    must(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones.data()));
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
  }
  const Hdf5Rows rows(path, "X");
  resize(500);
  Matrix out(100, 4);
  expect_message([&] { rows.read(19900, out); }, {"x.h5", "changed while it was read"});
}

TEST(Hdf5Storage, AnUnchangedFileIsReadAgainAndAgain) {
  const TempFolder folder;
  const std::string path = folder.file("x.h5");
  Hdf5Writer(path).matrix("X", X, chunked());
  const Hdf5Rows rows(path, "X");
  Matrix out(2, 2);
  for (int i = 0; i < 20; ++i) {
    rows.read(i % 3, out);
    EXPECT_EQ(out, X.middleRows(i % 3, 2));
  }
}

TEST(Hdf5Storage, ADatasetNeverWrittenIsRefused) {
  const TempFolder folder;
  const double zero = 0;
  for (const bool latest : {false, true})
    for (const hid_t creation : {hid_t{H5P_DEFAULT}, chunked(), chunked(&zero)}) {
      Hdf5Writer(folder.file("x.h5"), latest).array("X", {4, 2}, nullptr, creation);
      expect_message([&] { read_hdf5(folder.file("x.h5"), "X"); },
                     {"x.h5", "'X'", "no value was ever written"});
    }
}

TEST(Hdf5Storage, PartsNeverWrittenHaveTheStatedFillValueOrNone) {
  const TempFolder folder;
  const std::string path = folder.file("x.h5");
  const double zero = 0, nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool latest : {false, true}) {
    const auto write = [&](const double* fill, hsize_t rows) {
      Hdf5Writer file(path, latest);
      file.array("X", {4, 2}, nullptr, chunked(fill));
      write_rows(file, rows);
    };
    write(nullptr, 2);
    expect_message([&] { read_hdf5(path, "X"); }, {"x.h5", "parts of 'X' were never written", "fill value"});
    write(nullptr, 4);
    EXPECT_EQ(read_hdf5(path, "X").values, X);
    write(&zero, 2);
    EXPECT_EQ(read_hdf5(path, "X").values, (Matrix{{1, 2}, {3, 4}, {0, 0}, {0, 0}}));
    write(&nan, 2);
    const Matrix missing = read_hdf5(path, "X").values;
    EXPECT_EQ(missing.topRows(2), X.topRows(2));
    EXPECT_TRUE(missing.bottomRows(2).array().isNaN().all());
  }
}

TEST(Hdf5Storage, VirtualDatasetsAreRefused) {
  const TempFolder folder;
  const std::string path = folder.file("v.h5");
  Hdf5Writer(folder.file("source.h5")).matrix("X", X);
  for (const char* source : {"source.h5", "gone.h5"}) {
    {
      const Hdf5Writer file(path);
      const hsize_t shape[2] = {4, 2};
      const hid_t space = must(H5Screate_simple(2, shape, nullptr)),
                  creation = must(H5Pcreate(H5P_DATASET_CREATE));
      must(H5Pset_virtual(creation, space, folder.file(source).c_str(), "X", space));
      H5Dclose(must(H5Dcreate2(file.id(), "X", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT)));
      H5Pclose(creation);
      H5Sclose(space);
    }
    expect_message([&] { read_hdf5(path, "X"); }, {"v.h5", "'X'", "virtual dataset", "plain copy"});
    expect_message([&] { read_hdf5(path); }, {"v.h5", "'/X'", "virtual dataset", "plain copy"});
    EXPECT_TRUE(hdf5_datasets(path).empty());
  }
}

TEST(Hdf5Storage, ValuesInOtherFilesAreRefused) {
  const TempFolder folder;
  const std::string path = folder.file("e.h5");
  folder.write("secret", std::string(64, '\1'));
  {
    Hdf5Writer file(path);
    const hid_t creation = must(H5Pcreate(H5P_DATASET_CREATE));
    must(H5Pset_external(creation, folder.file("secret").c_str(), 0, 64));
    file.array("X", {4, 2}, nullptr, creation);
    H5Pclose(creation);
  }
  expect_message([&] { read_hdf5(path, "X"); }, {"e.h5", "'X'", "another file", "plain copy"});
}

TEST(Hdf5Storage, ExternalLinksAreRefusedAndSoftLinksAreNot) {
  const TempFolder folder;
  const std::string path = folder.file("l.h5"), other = folder.file("other.h5");
  {
    Hdf5Writer file(other);
    file.group("g");
    file.matrix("g/X", X);
  }
  {
    Hdf5Writer file(path);
    file.group("g");
    file.matrix("g/X", 2 * X);
    must(H5Lcreate_external(other.c_str(), "/g", file.id(), "away", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_external(other.c_str(), "/g/X", file.id(), "table", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_soft("/away", file.id(), "detour", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_soft("/g", file.id(), "soft", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_soft("/nowhere", file.id(), "dangling", H5P_DEFAULT, H5P_DEFAULT));
  }
  for (const char* dataset : {"/away/X", "table", "/detour/X"})
    expect_message([&] { read_hdf5(path, dataset); }, {"l.h5", "another file", "other.h5", "plain copy"});
  EXPECT_EQ(read_hdf5(path, "/soft/X").values, 2 * X);
  EXPECT_EQ(read_hdf5(path).values, 2 * X);  // the only table of this file
  expect_message([&] { read_hdf5(path, "dangling"); }, {"l.h5", "'dangling'", "link to nothing"});
}

TEST(Hdf5Storage, ManyGroupsAreListedInLinearTime) {
  const TempFolder folder;
  const auto seconds = [&](const std::string& path) {
    const auto start = std::chrono::steady_clock::now();
    try {
      hdf5_datasets(path);
    } catch (const InputError&) {
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  {
    Hdf5Writer file(folder.file("wide.h5"));
    for (int i = 0; i < 5000; ++i) file.group("g" + std::to_string(i));
    file.matrix("g4999/X", X);
  }
  EXPECT_EQ(read_hdf5(folder.file("wide.h5")).values, X);
  EXPECT_LT(seconds(folder.file("wide.h5")), 5);
  {
    const Hdf5Writer file(folder.file("deep.h5"));
    hid_t group = must(H5Gopen2(file.id(), "/", H5P_DEFAULT));
    for (int i = 0; i < 5000; ++i) {
      const hid_t inner = must(H5Gcreate2(group, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      H5Gclose(group);
      group = inner;
    }
    H5Gclose(group);
  }
  EXPECT_LT(seconds(folder.file("deep.h5")), 5);
  expect_message([&] { read_hdf5(folder.file("deep.h5")); }, {"deep.h5", "name one"});
  {
    Hdf5Writer file(folder.file("circle.h5"));
    file.group("a");
    file.matrix("a/X", X);
    must(H5Lcreate_hard(file.id(), "/", file.id(), "a/up", H5P_DEFAULT, H5P_DEFAULT));
  }
  EXPECT_EQ(hdf5_datasets(folder.file("circle.h5")), std::vector<std::string>{"/a/X"});
}

}  // namespace
}  // namespace bochner::hdf5_storage_test
