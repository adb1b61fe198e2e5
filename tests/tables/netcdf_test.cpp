#include "src/tables/hdf5/netcdf.hpp"

#include <gtest/gtest.h>

#include "bochner/core/errors.hpp"
#include "bochner/tables/hdf5.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::netcdf_test {
namespace {

using namespace testing;
using detail::NetcdfFile, detail::NetcdfGroup, detail::NetcdfType, detail::NetcdfVariable;

void write_example(const std::string& path) {
  const auto lock = detail::lock_hdf5();
  NetcdfFile file(path);
  {
    NetcdfGroup group = file.group("g");
    group.attribute("title", "one");
    group.attribute("count", std::int64_t{7});
    group.dimension("x", std::vector<std::string>{"a", "\xC3\xA4", ""});
    group.dimension("y", 2);
    NetcdfVariable v = group.variable("v", {"x", "y"});
    const double whole[6] = {0, 1, 2, 3, 4, 5}, row[2] = {-1, -2};
    v.put(whole);
    v.put({1}, row);
    NetcdfVariable w = group.variable("w", {"y"}, NetcdfType::integer);
    const double big[2] = {1e15, -3};
    w.put(big);
    group.texts("labels", "y", {"p", "q"});
  }
  file.finish();
}

TEST(Netcdf, ValuesArePutWhereTheyBelong) {
  TempFolder folder;
  write_example(folder.file("a.nc"));
  const Matrix v = read_hdf5(folder.file("a.nc"), "/g/v").values;
  EXPECT_EQ(v, (Matrix(3, 2) << 0, 1, -1, -2, 4, 5).finished());
  EXPECT_EQ(read_hdf5(folder.file("a.nc"), "/g/w").values(0, 0), 1e15);
  EXPECT_EQ(read_hdf5(folder.file("a.nc"), "/g/y").values(1, 0), 1);  // its coordinate
}

TEST(Netcdf, TheSameValuesAreTheSameBytes) {
  TempFolder folder;
  write_example(folder.file("a.nc"));
  write_example(folder.file("b.nc"));
  EXPECT_EQ(slurp(folder.file("a.nc")), slurp(folder.file("b.nc")));
  for (const char* part : {"DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_SCALE", "_Netcdf4Dimid"})
    EXPECT_NE(slurp(folder.file("a.nc")).find(part), std::string::npos) << part;
}

TEST(Netcdf, LargeWholeNumbersAreCompressed) {
  TempFolder folder;
  {
    const auto lock = detail::lock_hdf5();
    NetcdfFile file(folder.file("a.nc"));
    {
      NetcdfGroup group = file.group("g");
      group.dimension("chain", 2);
      group.dimension("draw", 3);
      group.dimension("entry", 5000);
      NetcdfVariable v = group.variable("v", {"chain", "draw", "entry"}, NetcdfType::integer);
      std::vector<double> values(5000);
      for (Index s = 0; s < 6; ++s) {
        for (Index i = 0; i < 5000; ++i) values[static_cast<std::size_t>(i)] = double((i * 7 + s) % 5);
        v.put({s / 3, s % 3}, values.data());
      }
    }
    file.finish();
  }
  EXPECT_LT(slurp(folder.file("a.nc")).size(), 8U * 30000 / 3);
}

TEST(Netcdf, RefusesAFolderThatIsNotThere) {
  TempFolder folder;
  const auto lock = detail::lock_hdf5();
  const detail::QuietH5 quiet;
  EXPECT_THROW(NetcdfFile(folder.file("none/a.nc")), WriteError);
}

}  // namespace
}  // namespace bochner::netcdf_test
