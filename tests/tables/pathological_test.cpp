// Over a hundred tables that nobody wishes for, each written to a file and read through the common door: either the
// table comes back as it was meant, or one clear sentence says what is wrong and where.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

#include "bochner/random/rng.hpp"
#include "bochner/tables/read_table.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::pathological_test {
namespace {

using testing::slurp;
using testing::TempFolder;

const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

struct Case {
  std::string what, file, bytes;
  Index rows = -1, cols = -1;      // of the table that must come back, or
  std::vector<std::string> parts;  // what the message must hold
  std::string part = "";           // of an archive
  Matrix expected = Matrix(0, 0);  // bit for bit, where given
};

bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    if (!(std::isnan(x) && std::isnan(y)) && std::memcmp(&x, &y, sizeof x) != 0) return false;
  }
  return true;
}

std::string csv(const Matrix& values, const char* delimiter = ",", const char* line_end = "\n") {
  std::string out = "id";
  for (Index m = 0; m < values.cols(); ++m) out += delimiter + ("v" + std::to_string(m));
  out += line_end;
  for (Index n = 0; n < values.rows(); ++n) {
    out += "s" + std::to_string(n);
    for (Index m = 0; m < values.cols(); ++m) {
      char cell[40] = "";
      if (!std::isnan(values(n, m))) std::snprintf(cell, sizeof cell, "%.17g", values(n, m));
      out += delimiter + std::string(cell);
    }
    out += line_end;
  }
  return out;
}

std::string npy(const Matrix& values) {
  const TempFolder folder;
  write_npy(folder.file("x.npy"), values);
  return slurp(folder.file("x.npy"));
}

std::string gzip(const std::string& text) {
  const TempFolder folder;
  gzFile out = gzopen(folder.file("x").c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  return slurp(folder.file("x"));
}

// Ugly but legitimate values, which must survive in every format.
void add_values(std::vector<Case>& cases) {
  Rng rng(8);
  const Matrix Z = rng.normal(12, 5);
  const auto changed = [&](const std::function<void(Matrix&)>& change) {
    Matrix out = Z;
    change(out);
    return out;
  };
  const std::vector<std::pair<std::string, Matrix>> tables = {
      {"constant table", Matrix::Constant(12, 5, 3.25)},
      {"all zero", Matrix::Zero(12, 5)},
      {"constant column", changed([](Matrix& A) { A.col(2).setConstant(7); })},
      {"duplicate columns", changed([](Matrix& A) { A.col(2) = A.col(0); })},
      {"duplicate rows", changed([](Matrix& A) { A.row(5) = A.row(1); })},
      {"column of holes", changed([](Matrix& A) { A.col(3).setConstant(nan); })},
      {"row of holes", changed([](Matrix& A) { A.row(4).setConstant(nan); })},
      {"nothing but holes", Matrix::Constant(12, 5, nan)},
      {"half of it holes", changed([](Matrix& A) {
         for (Index i = 0; i < A.size(); i += 2) A.data()[i] = nan;
       })},
      {"one sample", Z.topRows(1)},
      {"one column", Z.leftCols(1)},
      {"one number", Z.topLeftCorner(1, 1)},
      {"one hole", Matrix::Constant(1, 1, nan)},
      {"scale 1e12", 1e12 * Z},
      {"scale 1e-12", 1e-12 * Z},
      {"scale 1e300", 1e300 * Z},
      {"denormal scale", 1e-315 * Z},
      {"mixed scales", changed([](Matrix& A) {
         A.col(0) *= 1e12;
         A.col(1) *= 1e-12;
       })},
      {"largest and smallest double", changed([](Matrix& A) {
         A(0, 0) = 1.7976931348623157e308;
         A(1, 1) = 4.9e-324;
       })},
      {"negative zero", Matrix::Constant(3, 2, -0.0)},
      {"more columns than anything", Matrix(rng.normal(2, 5000))},
      {"more rows than anything", Matrix(rng.normal(20000, 2))},
  };
  for (const auto& [what, values] : tables) {
    cases.push_back({what, "t.csv", csv(values), values.rows(), values.cols(), {}, "", values});
    cases.push_back({what + ", NPY", "t.npy", npy(values), values.rows(), values.cols(), {}, "", values});
  }
  for (const double bad : {inf, -inf}) {
    const Matrix values = changed([bad](Matrix& A) { A(3, 2) = bad; });
    cases.push_back({"infinity", "t.csv", csv(values), -1, -1, {"t.csv, line 5, column 4 'v2'", "infinite"}});
    cases.push_back({"infinity, NPY", "t.npy", npy(values), -1, -1, {"t.npy, row 4, column 3", "infinite"}});
  }
  cases.push_back({"tabs", "t.tsv", csv(Z, "\t"), 12, 5, {}});
  cases.push_back({"tabs in a CSV file", "t.csv", csv(Z, "\t"), 12, 5, {}});
  cases.push_back({"semicolons and CRLF", "t.csv", csv(Z, ";", "\r\n"), 12, 5, {}});
  cases.push_back({"CR only", "t.csv", csv(Z, ",", "\r"), 12, 5, {}});
  cases.push_back({"byte-order mark", "t.csv", "\xef\xbb\xbf" + csv(Z), 12, 5, {}});
  cases.push_back({"gzip", "t.csv.gz", gzip(csv(Z)), 12, 5, {}});
  cases.push_back({"gzip without saying so", "t.csv", gzip(csv(Z)), 12, 5, {}});
  cases.push_back({"not gzip although it says so", "t.csv.gz", csv(Z), 12, 5, {}});
  cases.push_back({"gzip cut off", "t.csv.gz", gzip(csv(Z)).substr(0, 200), -1, -1, {"cut off"}});
  std::string broken = gzip(csv(Z));
  broken[broken.size() - 5] ^= 1;
  cases.push_back({"gzip with a wrong sum", "t.csv.gz", broken, -1, -1, {"damaged"}});
  cases.push_back({"NPY cut off", "t.npy", npy(Z).substr(0, 300), -1, -1, {"cut off"}});
  cases.push_back({"NPY with a tail", "t.npy", npy(Z) + "tail", -1, -1, {"damaged"}});
}

// Tables as people and programs write them.
void add_layouts(std::vector<Case>& cases) {
  const std::string latin = "id,a\nM\xfcller,1\n";
  const std::vector<Case> more = {
      {"empty file", "t.csv", "", -1, -1, {"empty"}},
      {"blank lines", "t.csv", "\n\n\n", -1, -1, {"empty"}},
      {"header only", "t.csv", "id,a,b\n", -1, -1, {"no row"}},
      {"header cut off", "t.csv", "id,a,\"b", -1, -1, {"line 1", "quote"}},
      {"ids only", "t.csv", "id\nx\ny\n", -1, -1, {"line 2", "'x'"}},
      {"ragged, short", "t.csv", "id,a,b\nx,1,2\ny,3\nz,4,5\n", -1, -1, {"line 3", "2 fields", "3"}},
      {"ragged, long", "t.csv", "id,a,b\nx,1,2\ny,3,4,5\n", -1, -1, {"line 3", "4 fields", "3"}},
      {"last line cut off", "t.csv", "id,a,b\nx,1,2\ny,3", -1, -1, {"line 3", "cut off"}},
      {"Latin-1", "t.csv", latin, -1, -1, {"line 2", "UTF-8"}},
      {"Latin-1 in the header",
       "t.csv",
       "id,gr\xf6\xdf"
       "e\nx,1\n",
       -1,
       -1,
       {"line 1", "UTF-8"}},
      {"UTF-16", "t.csv", std::string("\xff\xfei\0d\0,\0a\0\n\0", 12), -1, -1, {"UTF-16"}},
      {"UTF-8",
       "t.csv",
       "id,gr\xc3\xb6\xc3\x9f"
       "e,\xf0\x9f\xa7\xac\nM\xc3\xbcller,1,2\n",
       1,
       2,
       {}},
      {"NUL bytes", "t.csv", std::string("id,a\nx,1\n\0\0\0\0", 13), -1, -1, {"line 3", "NUL"}},
      {"binary noise", "t.csv", std::string("\x01\x8f\xfe\x00\x10\x99\xab", 7), -1, -1, {"line 1"}},
      {"duplicate ids", "t.csv", "id,a\nx,1\nx,2\n", -1, -1, {"lines 2 and 3", "'x'"}},
      {"duplicate ids far apart", "t.csv", "id,a\nx,1\ny,1\nz,1\nx,2\n", -1, -1, {"lines 2 and 5", "'x'"}},
      {"duplicate columns by name", "t.csv", "id,a,a\nx,1,2\n", -1, -1, {"columns 2 and 3", "'a'"}},
      {"ids that differ by case", "t.csv", "id,a\nx,1\nX,2\n", 2, 1, {}},
      {"id missing", "t.csv", "id,a\nx,1\n,2\n", -1, -1, {"line 3", "no sample id"}},
      {"name missing", "t.csv", "id,a,,c\nx,1,2,3\n", -1, -1, {"line 1", "column 3"}},
      {"ids like numbers", "t.csv", "id,a\n007,1\n7,2\n7.0,3\n", 3, 1, {}},
      {"ids with commas and quotes", "t.csv", "id,a\n\"a,\"\"b\"\"\",1\n", 1, 1, {}},
      {"ids with line ends", "t.csv", "id,a\n\"a\nb\",1\n\"c\r\nd\",2\n", 2, 1, {}},
      {"very long id", "t.csv", "id,a\n" + std::string(100000, 'x') + ",1\n", 1, 1, {}},
      {"very long name",
       "t.csv",
       "id," + std::string(100000, 'x') + "\ny,oops\n",
       -1,
       -1,
       {"line 2", "'oops'"}},
      {"very long number", "t.csv", "id,a\nx,0." + std::string(100000, '3') + "\n", 1, 1, {}},
      {"very long text in a cell",
       "t.csv",
       "id,a\nx," + std::string(100000, 'q') + "\n",
       -1,
       -1,
       {"line 2", "..."}},
      {"decimal commas", "t.csv", "id;a;b\nx;1,5;2,25\n", -1, -1, {"line 2", "decimal comma"}},
      {"decimal commas among commas", "t.csv", "id,a\nx,1,5\n", -1, -1, {"line 2", "3 fields"}},
      {"thousands separators", "t.csv", "id,a\nx,\"1,234,567.8\"\n", -1, -1, {"line 2", "thousands"}},
      {"percentages", "t.csv", "id,a\nx,50%\n", -1, -1, {"line 2", "percentage"}},
      {"detection limits", "t.csv", "id,a\nx,<LOD\n", -1, -1, {"line 2", "'<LOD'"}},
      {"Excel errors", "t.csv", "id,a\nx,#VALUE!\n", -1, -1, {"line 2", "spreadsheet"}},
      {"Excel's missing value", "t.csv", "id,a,b\nx,#N/A,1\n", 1, 2, {}},
      {"Excel's empty columns", "t.csv", "id,a,,,\nx,1,,,\n,,,,\n,,,,\n", 1, 1, {}},
      {"genes as dates", "t.csv", "id,1-Sep,1-Sep\nx,1,2\n", -1, -1, {"'1-Sep'", "Excel"}},
      {"words", "t.csv", "id,a,type\nx,1,tumor\n", -1, -1, {"line 2", "'type'", "'tumor'"}},
      {"logical values", "t.csv", "id,a\nx,TRUE\ny,FALSE\n", -1, -1, {"line 2", "1 and 0"}},
      {"dates", "t.csv", "id,a\nx,2024-02-30\n", -1, -1, {"line 2", "date"}},
      {"overflow", "t.csv", "id,a\nx,1e999\n", -1, -1, {"line 2", "too large"}},
      {"underflow", "t.csv", "id,a\nx,1e-999\n", 1, 1, {}},
      {"no header", "t.csv", "1,2\n3,4\n", -1, -1, {"header"}},
      {"no ids", "t.csv", "a,b\n0.5,1\n0.7,2\n", -1, -1, {"ids"}},
      {"title above", "t.csv", "My table\nid,a,b\nx,1,2\n", -1, -1, {"line 2", "title"}},
      {"all spellings of missing", "t.csv", "id,a,b,c,d,e,f\nx,NA,nan,NULL,None,?,-\n", 1, 6, {}},
      {"spaces everywhere", "t.csv", " id , a , b \n x , 1 , 2 \n", 1, 2, {}},
      {"blank lines between", "t.csv", "\n\nid,a\n\nx,1\n\n\ny,2\n\n", 2, 1, {}},
      {"quote never closed", "t.csv", "id,a\n\"x,1\ny,2\n", -1, -1, {"line 2", "never closes"}},
      {"text behind a quote", "t.csv", "id,a\n\"x\"z,1\n", -1, -1, {"line 2", "'z'"}},
      {"spreadsheet", "t.xlsx", "PK\x03\x04[Content_Types].xml", -1, -1, {"Excel", "CSV UTF-8"}},
      {"spreadsheet under another name", "t.csv", "PK\x03\x04[Content_Types].xml", -1, -1, {"Excel"}},
      {"failed download", "t.csv", "<!DOCTYPE html><html>", -1, -1, {"web page"}},
      {"text as NPY", "t.npy", "id,a\nx,1\n", -1, -1, {"not a NumPy array"}},
      {"text as NPZ", "t.npz", "id,a\nx,1\n", -1, -1, {"not a NumPy archive"}},
      {"text as HDF5", "t.h5", "id,a\nx,1\n", -1, -1, {"not an HDF5 file"}},
      {"NPZ without a name", "t.npz", testing::npz_stored, -1, -1, {"'X' and 'y'"}},
      {"NPZ with a wrong name", "t.npz", testing::npz_stored, -1, -1, {"'Z'", "'X' and 'y'"}, "Z"},
      {"HDF5 without a name", "t.h5", testing::hdf5_earliest, -1, -1, {"'/X'", "'/y'"}},
      {"HDF5, a cube", "t.h5", testing::hdf5_earliest, -1, -1, {"3 dimensions"}, "/cube"},
      {"HDF5, infinite", "t.h5", testing::hdf5_earliest, -1, -1, {"row 2, column 2"}, "/infinite"},
      {"HDF5 cut off", "t.h5", testing::hdf5_earliest.substr(0, 3000), -1, -1, {"t.h5"}, "/X"},
      // Two tables whose ids never meet: each is fine by itself, the join has its own sentence.
      {"ids of one laboratory", "t.csv", "id,a\nLAB-1,1\nLAB-2,2\n", 2, 1, {}},
      {"ids of another", "t.csv", "id,b\nclinic_7,1\nclinic_8,2\n", 2, 1, {}},
  };
  cases.insert(cases.end(), more.begin(), more.end());
}

TEST(Pathological, EachIsATableOrOneMessage) {
  std::vector<Case> cases;
  add_values(cases);
  add_layouts(cases);
  const TempFolder folder;
  int tables = 0, messages = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::string path = folder.write(c.file, c.bytes);
    std::string sentence;
    try {
      const Table t = read_table(c.part.empty() ? path : path + ":" + c.part);
      EXPECT_EQ(t.rows(), c.rows);
      EXPECT_EQ(t.cols(), c.cols);
      EXPECT_EQ(std::set<std::string>(t.ids.begin(), t.ids.end()).size(), static_cast<std::size_t>(t.rows()));
      EXPECT_EQ(std::set<std::string>(t.columns.begin(), t.columns.end()).size(),
                static_cast<std::size_t>(t.cols()));
      EXPECT_FALSE(t.values.array().isInf().any());
      EXPECT_TRUE(c.expected.size() == 0 || same_bits(t.values, c.expected));
      ++tables;
    } catch (const InputError& error) {
      sentence = error.what();
      EXPECT_EQ(c.rows, -1) << sentence;
      EXPECT_TRUE(testing::is_one_message(sentence));
      EXPECT_NE(sentence.find(path), std::string::npos) << sentence;
      for (const std::string& part : c.parts)
        EXPECT_NE(sentence.find(part), std::string::npos) << part << "\n" << sentence;
      ++messages;
    }
  }
  std::printf("%d pathological tables: %d read, %d refused with one message\n", tables + messages, tables,
              messages);
  EXPECT_GE(tables + messages, 100);
  EXPECT_EQ(static_cast<std::size_t>(tables + messages), cases.size());
}

}  // namespace
}  // namespace bochner::pathological_test
