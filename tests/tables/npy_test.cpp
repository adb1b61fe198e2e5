#include "bochner/tables/npy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/npz.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::npy_test {
namespace {

using testing::expect_message;
using testing::slurp;
using testing::TempFolder;
using Names = std::vector<std::string>;

const Matrix X{{1, 2, 3}, {4, 5, 6.5}};

// A file by hand: any header text in front of any data.
std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string out = std::string("\x93NUMPY", 6) + version + std::string(1, '\0');
  const std::size_t n = dictionary.size();
  out += static_cast<char>(n & 0xff);
  out += static_cast<char>(n >> 8);
  if (version > 1) out += std::string(2, '\0');
  return out + dictionary + data;
}
std::string f8(std::initializer_list<double> values) {
  std::string out;
  for (const double v : values) out.append(reinterpret_cast<const char*>(&v), sizeof v);
  return out;
}
Table parse(const std::string& bytes) { return parse_npy(bytes, "a.npy"); }

TEST(Npy, ReadsWhatNumpyWrites) {
  for (const std::string* file :
       {&testing::npy_f8, &testing::npy_f4_fortran_big, &testing::npy_v2, &testing::npy_v3}) {
    const Table t = parse(*file);
    EXPECT_EQ(t.values, X);
    EXPECT_TRUE(t.ids_generated && t.columns_generated);
    EXPECT_EQ(t.ids, (Names{"0", "1"}));
    EXPECT_EQ(t.columns, (Names{"0", "1", "2"}));
  }
  EXPECT_EQ(parse(testing::npy_i2_big).values, (Matrix{{1, -2}, {300, -32768}, {5, 6}}));
  EXPECT_EQ(parse(testing::npy_i8).values, (Matrix{{-0x1p53, 0x1p40}}));
  EXPECT_EQ(parse(testing::npy_u8_big).values, (Matrix{{0x1p63}}));
  EXPECT_EQ(parse(testing::npy_u1).values, (Matrix{{0}, {255}, {7}}));  // one dimension is one column
  EXPECT_EQ(parse(testing::npy_b1).values, (Matrix{{1, 0}}));
  const Matrix half = parse(testing::npy_f2).values;
  EXPECT_EQ(half.leftCols(2), (Matrix{{0.5, -2}}));
  EXPECT_TRUE(std::isnan(half(0, 2)));
}

TEST(Npy, WritesWhatNumpyWrites) {
  const TempFolder folder;
  write_npy(folder.file("x.npy"), X);
  const std::string bytes = slurp(folder.file("x.npy"));
  EXPECT_EQ(bytes.size() % 64, 48u);  // 2 x 3 doubles behind an aligned header
  EXPECT_EQ(bytes.substr(bytes.size() - 48), testing::npy_f8.substr(testing::npy_f8.size() - 48));
  EXPECT_EQ(bytes, testing::npy_f8);
  Matrix wide = Rng(3).normal(5, 9);
  write_npy(folder.file("part.npy"), wide.middleCols(2, 4));  // rows that lie apart
  EXPECT_EQ(read_npy(folder.file("part.npy")).values, wide.middleCols(2, 4));
}

TEST(Npy, RoundTripsAnyShapeInBlocks) {
  const TempFolder folder;
  Rng rng(5);
  for (const auto& [N, M] : {std::pair<Index, Index>{1, 1}, {7, 3}, {2000, 150}, {3, 40000}, {1, 200000}}) {
    Matrix values = rng.normal(N, M);
    values(N / 2, M / 2) = std::numeric_limits<double>::quiet_NaN();
    const std::string c_order = folder.file("c.npy"), f_order = folder.file("f.npy");
    write_npy(c_order, values);
    std::string bytes = slurp(c_order);
    const Eigen::MatrixXd columns = values;  // column-major
    bytes.replace(bytes.find("False"), 5, "True ");
    std::memcpy(bytes.data() + bytes.size() - std::size_t(8 * N * M), columns.data(), std::size_t(8 * N * M));
    folder.write("f.npy", bytes);
    for (const std::string& path : {c_order, f_order}) {
      const auto same = [&](const Matrix& got, Index begin) {
        const Matrix want = values.middleRows(begin, got.rows());
        return std::memcmp(got.data(), want.data(), sizeof(double) * std::size_t(got.size())) == 0;
      };
      EXPECT_TRUE(same(read_npy(path).values, 0)) << path << N << "x" << M;
      const NpyRows rows(path);
      ASSERT_EQ(rows.rows(), N);
      ASSERT_EQ(rows.cols(), M);
      for (const Index n : {Index{1}, std::max<Index>(1, N / 3), N})
        for (Index begin = 0; begin + n <= N; begin += n * 3) {
          Matrix block(n, M);
          rows.read(begin, block);
          EXPECT_TRUE(same(block, begin)) << path << begin << "+" << n;
        }
      Matrix inside = Matrix::Zero(N, M + 2);  // into the middle of something wider
      rows.read(0, inside.middleCols(1, M));
      EXPECT_TRUE(same(Matrix(inside.middleCols(1, M)), 0));
      EXPECT_EQ(inside.col(0).norm() + inside.col(M + 1).norm(), 0);
    }
  }
}

TEST(NpyRows, ReadsFromManyThreads) {
  const TempFolder folder;
  const Matrix values = Rng(9).normal(4096, 20);
  write_npy(folder.file("x.npy"), values);
  const NpyRows rows(folder.file("x.npy"));
  Matrix out(4096, 20);
  for_each_block(Threads(4), 4096, 100,
                 [&](Index begin, Index n) { rows.read(begin, out.middleRows(begin, n)); });
  EXPECT_EQ(out, values);
}

TEST(NpyRows, ChecksItsArguments) {
  const TempFolder folder;
  write_npy(folder.file("x.npy"), X);
  const NpyRows rows(folder.file("x.npy"));
  Matrix out(2, 3), narrow(2, 2);
  EXPECT_THROW(rows.read(1, out), std::invalid_argument);
  EXPECT_THROW(rows.read(-1, out), std::invalid_argument);
  EXPECT_THROW(rows.read(0, narrow), std::invalid_argument);
}

TEST(NpyRows, SaysWhenTheFileShrinksOrIsInfinite) {
  const TempFolder folder;
  Matrix values = Matrix::Ones(100, 3);
  values(41, 2) = -std::numeric_limits<double>::infinity();
  write_npy(folder.file("x.npy"), values);
  const NpyRows rows(folder.file("x.npy"));
  Matrix out(10, 3);
  expect_message([&] { rows.read(40, out); }, {"x.npy, row 42, column 3", "infinite"});
  expect_message([&] { read_npy(folder.file("x.npy")); }, {"x.npy, row 42, column 3", "infinite"});
  std::filesystem::resize_file(folder.file("x.npy"), 1000);
  expect_message([&] { rows.read(90, out); }, {"x.npy", "shorter"});
}

TEST(Npy, RefusesBadFilesInOneMessage) {
  const std::string ok = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n", data = f8({1, 2});
  EXPECT_EQ(parse(npy(ok, data)).values, (Matrix{{1, 2}}));
  EXPECT_EQ(parse(npy("{\"shape\":(2L,),\"fortran_order\":True,\"descr\":\"<f8\"}", data)).values,
            (Matrix{{1}, {2}}));
  struct Case {
    std::string bytes;
    std::vector<std::string> parts;
  };
  const auto with = [&](const std::string& descr, const std::string& shape) {
    return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n", data);
  };
  const std::vector<Case> cases = {
      {"", {"ends in the middle of the header"}},
      {"\x93NUM", {"ends in the middle of the header"}},
      {"id,a,b\nx,1,2\n", {"not a NumPy array"}},
      {npy(ok, data, 9), {"version 9"}},
      {npy(ok, data).substr(0, 40), {"ends in the middle of the header"}},
      {npy(ok, data).substr(0, npy(ok, data).size() - 1), {"1 x 2", "16 bytes", "15 bytes", "cut off"}},
      {npy(ok, data + "x"), {"1 x 2", "16 bytes", "17 bytes", "damaged"}},
      {npy("{'descr': '<f8', 'fortran_order': False}", data), {"header", "damaged"}},
      {npy("{'descr': '<f8', 'fortran_order': Perhaps, 'shape': (1, 2)}", data), {"header", "damaged"}},
      {npy(ok + "junk", data), {"header", "damaged"}},
      {npy("{'shape': (1, 2), " + ok.substr(1), data), {"header", "damaged"}},
      {npy("", data), {"header", "damaged"}},
      {npy("{", data), {"header", "damaged"}},
      {npy("{'descr': '<f8", data), {"header", "damaged"}},
      {with("'<f8'", "(-1, 2)"), {"header", "damaged"}},
      {with("'<f8'", "(1, 2"), {"header", "damaged"}},
      {with("'<f8'", "(99999999999999999999, 2)"), {"header", "damaged"}},
      {with("'<f8'", "(4294967296, 4294967296)"), {"4294967296 x 4294967296", "damaged"}},
      {with("'<f8'", "(18446744073709551615, 1)"), {"damaged"}},
      {with("'<f8'", "(1000000000, 1000)"), {"1000000000 x 1000", "8.0 TB", "cut off"}},
      {with("'<f8'", "(0, 2)"), {"empty", "0 x 2"}},
      {with("'<f8'", "()"), {"single number"}},
      {with("'<f8'", "(1, 2, 1)"), {"3 dimensions"}},
      {with("'|O'", "(2,)"), {"Python objects", "astype(float)"}},
      {with("'<U3'", "(2,)"), {"text"}},
      {with("'<c16'", "(1,)"), {"complex"}},
      {with("'<M8[ns]'", "(2,)"), {"dates"}},
      {with("'<f16'", "(1,)"), {"'<f16'"}},
      {with("'<f3'", "(1,)"), {"'<f3'"}},
      {with("'<x8'", "(1,)"), {"'<x8'"}},
      {with("''", "(1,)"), {"type"}},
      {with("[('a', '<f8'), ('b', '<f8')]", "(1,)"), {"named fields"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.bytes.substr(0, 90));
    std::vector<std::string> parts = c.parts;
    parts.push_back("a.npy");
    expect_message([&] { parse(c.bytes); }, parts);
  }
  std::string endless("\x93NUMPY\x02\0\xff\xff\xff\xff", 12);
  expect_message([&] { parse(endless); }, {"a.npy", "longer than 1 MB"});
  expect_message(
      [&] {
        parse(npy(ok, f8({1, std::numeric_limits<double>::infinity()})));
      },
      {"a.npy, row 1, column 2", "infinite"});
}

TEST(Npy, EveryPrefixIsAMessage) {
  for (const std::string* file : {&testing::npy_f8, &testing::npy_f4_fortran_big, &testing::npy_v3})
    for (std::size_t n = 0; n < file->size(); ++n)
      expect_message([&] { parse(file->substr(0, n)); }, {"a.npy"});
}

TEST(Npz, ReadsWhatNumpyWrites) {
  const TempFolder folder;
  for (const std::string* file : {&testing::npz_stored, &testing::npz_deflated}) {
    EXPECT_EQ(parse_npz(*file, "a.npz", "X").values, X);
    EXPECT_EQ(parse_npz(*file, "a.npz", "X.npy").values, X);
    EXPECT_EQ(parse_npz(*file, "a.npz", "y").values, (Matrix{{1}, {2}}));
    const std::string path = folder.write("a.npz", *file);
    EXPECT_EQ(read_npz(path, "X").values, X);
    EXPECT_EQ(npz_arrays(path), (Names{"X", "y"}));
    expect_message([&] { read_npz(path); }, {"a.npz", "2 arrays", "'X' and 'y'", "a.npz:X"});
    expect_message([&] { read_npz(path, "Z"); }, {"a.npz", "'Z'", "'X' and 'y'"});
  }
}

TEST(Npz, DamageIsAMessage) {
  expect_message([] { parse_npz("", "a.npz"); }, {"a.npz", "empty"});
  expect_message([] { parse_npz("PK\x03\x04 and then nothing", "a.npz"); }, {"a.npz", "not a NumPy archive"});
  expect_message([] { read_npz("/no/such.npz"); }, {"no folder"});
  int found = 0;
  for (const std::string* file : {&testing::npz_stored, &testing::npz_deflated}) {
    for (std::size_t n = 0; n < file->size(); ++n) {
      for (const bool cut : {true, false}) {
        std::string bytes = cut ? file->substr(0, n) : *file;
        if (!cut) bytes[n] = static_cast<char>(bytes[n] ^ 0x41);
        try {
          // Some bytes do not matter (times, flags); what is read must then be right.
          EXPECT_EQ(parse_npz(bytes, "a.npz", "X").values, X) << n;
        } catch (const InputError& error) {
          EXPECT_TRUE(testing::is_one_message(error.what()));
          EXPECT_NE(std::string(error.what()).find("a.npz"), std::string::npos) << error.what();
          ++found;
        }
      }
    }
  }
  EXPECT_GT(found, 900);  // nearly all of the 954 prefixes, and the flips that matter
}

}  // namespace
}  // namespace bochner::npy_test
