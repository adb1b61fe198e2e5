#include "bochner/symmetry/input_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::input_map_test {
namespace {

using Names = std::vector<std::string>;

/// wind, hour (a circle of 24), lat, lon (a sphere), day (a circle of 7): D = 2 + 2 + 3 + 1.
InputMap example() {
  return {.columns = {"wind", "hour", "lat", "lon", "day"},
          .circles = {{.column = 4, .period = 7}, {.column = 1, .period = 24}},
          .spheres = {{.longitude = 3, .latitude = 2}}};
}

TEST(InputMap, PutsCirclesThenSpheresThenTheRest) {
  const InputMap map = example();
  EXPECT_EQ(map.names(), (Names{"cos day", "sin day", "cos hour", "sin hour", "x", "y", "z", "wind"}));
  Matrix table(3, 5);
  table << 5, 6, 30, 90, 0,   //
      -2, 18, -90, 45, 1.75,  //
      7, 8, 60, -120, 3.5;
  // By hand: 6 of 24 hours is a quarter turn, 8 a third; 1.75 of 7 days a quarter, 3.5 a half;
  // (lat 30, lon 90) is (0, sqrt(3)/2, 1/2), (lat -90) the south pole, (lat 60, lon -120) is (-1/4, -sqrt(3)/4, sqrt(3)/2).
  const double h = std::sqrt(3.0) / 2;
  Matrix expected(3, 8);
  expected << 1, 0, 0, 1, 0, h, 0.5, 5,  //
      0, 1, 0, -1, 0, 0, -1, -2,         //
      -1, 0, -0.5, h, -0.25, -h / 2, h, 7;
  EXPECT_LT((map.unfold(table) - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(InputMap, NamesSeveralSpheresByTheirLongitude) {
  const InputMap map{.columns = {"from", "lat1", "to", "lat2"}, .spheres = {{0, 1}, {2, 3}}};
  EXPECT_EQ(map.names(), (Names{"x from", "y from", "z from", "x to", "y to", "z to"}));
}

TEST(InputMap, WholeTurnsChangeNothingAndPointsLieOnCirclesAndSpheres) {
  const InputMap map = example();
  Matrix table = Rng(1).normal(50, 5) * 20;
  table = table.array().min(89).max(-89);
  // Multiples of 1/64, so that adding turns does not round and the answers can be held to be equal.
  table = (table.array() * 64).round() / 64;
  const Matrix once = map.unfold(table);
  Matrix later = table;
  later.col(1).array() += 24 * 1e6;
  later.col(3).array() -= 360 * 1000;
  later.col(4).array() += 7 * 12345;
  EXPECT_EQ(map.unfold(later), once);
  for (Index n = 0; n < 50; ++n) {
    EXPECT_NEAR(once.row(n).segment(0, 2).norm(), 1, 1e-15);
    EXPECT_NEAR(once.row(n).segment(2, 2).norm(), 1, 1e-15);
    EXPECT_NEAR(once.row(n).segment(4, 3).norm(), 1, 1e-15);
  }
  EXPECT_EQ(once.col(7), table.col(0));
}

// The straight-line distance of two points on the sphere is that of the great circle between them, 2 sin(angle / 2).
TEST(InputMap, DistancesOnTheSphereAreThoseOfTheHaversine) {
  const InputMap map{.columns = {"lon", "lat"}, .spheres = {{0, 1}}};
  Matrix table(2, 2);
  table << -0.1278, 51.5074, 2.3522, 48.8566;  // London and Paris, 343.556 km apart on a sphere of 6371 km
  const Matrix p = map.unfold(table);
  EXPECT_NEAR(6371 * 2 * std::asin((p.row(0) - p.row(1)).norm() / 2), 343.556, 0.01);
}

TEST(InputMap, CentresAndScalesWhatComesOut) {
  InputMap map{.columns = {"hour", "a", "b"}, .circles = {{0, 24}}};
  map.centre = Vector{{0, 0, 2, -1}};
  map.scale = Vector{{1, 1, 4, 0.5}};
  Matrix table(2, 3);
  table << 0, 6, 3, 12, -2, -1;
  Matrix expected(2, 4);
  expected << 1, 0, 1, 8, -1, 0, -1, 0;
  EXPECT_LT((map.apply(table) - expected).cwiseAbs().maxCoeff(), 1e-15);
  map.scale = Vector::Ones(3);
  EXPECT_THROW(map.apply(table), std::invalid_argument);
}

TEST(InputMap, NothingToDoLeavesTheTable) {
  const InputMap map{.columns = {"a", "b"}};
  const Matrix table = Rng(2).normal(4, 2);
  EXPECT_EQ(map.names(), (Names{"a", "b"}));
  EXPECT_EQ(map.unfold(table), table);
}

TEST(InputMap, HolesStayHoles) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix out = example().unfold(Matrix::Constant(1, 5, nan));
  EXPECT_TRUE(out.array().isNaN().all());
}

std::string message(const InputMap& map, const Matrix& table, Index first_row = 0) {
  try {
    map.unfold(table, first_row);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InputMap, ErrorsNameRowAndColumn) {
  Matrix table = Matrix::Zero(3, 5);
  table(2, 2) = 90.5;
  EXPECT_EQ(message(example(), table).substr(0, 47), "row 3, column 'lat': the latitude is 90.500000,");
  EXPECT_EQ(message(example(), table, 4096).substr(0, 10), "row 4099, ");
  table(2, 2) = -90;
  EXPECT_EQ(message(example(), table), "");
  InputMap twice = example();
  twice.circles.push_back({.column = 3, .period = 360});
  EXPECT_NE(message(twice, table).find("'lon' is used twice"), std::string::npos);
  EXPECT_THROW(twice.names(), InputError);
}

TEST(InputMap, ChecksItsNumbers) {
  const Matrix table = Matrix::Zero(2, 2);
  const Names columns{"a", "b"};
  EXPECT_THROW((InputMap{columns, {{.column = 2}}}.unfold(table)), std::domain_error);
  EXPECT_THROW((InputMap{columns, {{.column = -1}}}.names()), std::domain_error);
  EXPECT_THROW((InputMap{columns, {{.column = 0, .period = 0}}}.names()), std::domain_error);
  EXPECT_THROW((InputMap{columns, {}, {{.longitude = 0, .latitude = 5}}}.names()), std::domain_error);
  EXPECT_THROW((InputMap{columns, {}, {{.longitude = 1, .latitude = 1}}}.names()), InputError);
  EXPECT_THROW((InputMap{columns}.unfold(Matrix::Zero(2, 3))), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::input_map_test
