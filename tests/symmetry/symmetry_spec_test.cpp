#include "bochner/symmetry/symmetry_spec.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/symmetry/input_map.hpp"

namespace bochner::symmetry_spec_test {
namespace {

using Names = std::vector<std::string>;

const Names abcd{"a", "b", "c", "d"};
const Matrix nothing(0, 0);

Symmetry one(const std::string& word, const Names& columns) {
  const std::vector<Symmetry> made = make_symmetries({word}, columns, nothing);
  EXPECT_EQ(made.size(), 1u) << word;
  EXPECT_EQ(made.front().name, word);
  return made.front();
}

Vector moved(const Symmetry& s, const Vector& x) { return s.generator.apply(x.transpose()).row(0); }

std::string refusal(const Names& words, const Names& columns, const Matrix& X = nothing) {
  try {
    make_symmetries(words, columns, X);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << words.front() << " was taken";
  return "";
}

Names pixels(Index count) {
  Names out;
  for (Index i = 0; i < count; ++i) out.push_back("p" + std::to_string(i));
  return out;
}

/// An image of three rows and four columns whose pixel in row r and column c is 10 r + c.
Vector image() {
  Vector out(12);
  for (Index i = 0; i < 12; ++i) out(i) = double(10 * (i / 4) + i % 4);
  return out;
}

TEST(SymmetrySpec, Negate) {
  const Vector x{{1, 2, 3, 4}};
  EXPECT_EQ(moved(one("negate", abcd), x), -x);
  EXPECT_EQ(moved(one("negate:a,c", abcd), x), (Vector{{-1, 2, -3, 4}}));
  EXPECT_EQ(moved(one("negate:2,d", abcd), x), (Vector{{1, -2, 3, -4}}));
  EXPECT_EQ(one("negate:a", abcd).order, 2);
  const std::vector<Symmetry> axes = make_symmetries({"negate:axes:3"}, abcd, nothing);
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(moved(axes[0], x), (Vector{{-1, 2, 3, -4}}));
  EXPECT_EQ(moved(axes[1], x), (Vector{{1, -2, 3, 4}}));
  EXPECT_EQ(moved(axes[2], x), (Vector{{1, 2, -3, 4}}));
  for (const Symmetry& s : axes) EXPECT_EQ(s.name, "negate:axes:3");
}

TEST(SymmetrySpec, NegatePrincipalDirections) {
  // Rows along an orthonormal basis, variances 9, 4, 1 and 1/4 in the order of the columns of Q.
  const Matrix Q = Rng(1).normal(4, 4).householderQr().householderQ();
  const Vector sd{{3, 2, 1, 0.5}};
  Matrix X(8, 4);
  for (Index j = 0; j < 4; ++j) {
    X.row(2 * j) = 2 * sd(j) * Q.col(j).transpose();
    X.row(2 * j + 1) = -X.row(2 * j);
  }
  const std::vector<Symmetry> two = make_symmetries({"negate:pca:2"}, abcd, X);
  ASSERT_EQ(two.size(), 2u);
  for (Index j = 0; j < 4; ++j) {  // directions 0 and 2 in the first group, 1 and 3 in the second
    const Vector q = Q.col(j);
    EXPECT_LT((moved(two[0], q) - (j % 2 == 0 ? -1 : 1) * q).norm(), 1e-14) << j;
    EXPECT_LT((moved(two[1], q) - (j % 2 == 1 ? -1 : 1) * q).norm(), 1e-14) << j;
  }
  const std::vector<Symmetry> three = make_symmetries({"negate:pca:3"}, abcd, X);
  ASSERT_EQ(three.size(), 3u);
  for (Index j = 0; j < 4; ++j)
    for (Index g = 0; g < 3; ++g) {
      const Vector q = Q.col(j);
      EXPECT_LT((moved(three[std::size_t(g)], q) - (j % 3 == g ? -1 : 1) * q).norm(), 1e-14);
    }
  EXPECT_EQ(moved(one("negate:pca:1", abcd), sd), -sd);
  EXPECT_NO_THROW(check_symmetries(Rbf{.ell = Vector::Ones(4)}, three, X));
}

TEST(SymmetrySpec, Rotate) {
  const Vector x{{1, 2, 3, 4}};
  EXPECT_LT((moved(one("rotate:b,d:4", abcd), x) - Vector{{1, -4, 3, 2}}).norm(), 1e-14);
  const Symmetry third = one("rotate:1,2:3", abcd);
  EXPECT_EQ(third.order, 3);
  const double c = -0.5, s = std::sqrt(3.0) / 2;
  EXPECT_LT((moved(third, x) - Vector{{c - 2 * s, s + 2 * c, 3, 4}}).norm(), 1e-14);
}

TEST(SymmetrySpec, TranslatesACircleAndTurnsASphere) {
  const InputMap map{.columns = {"wind", "hour", "lon", "lat"},
                     .circles = {{.column = 1, .period = 24}},
                     .spheres = {{.longitude = 2, .latitude = 3}}};
  Matrix table(2, 4), later(2, 4), east(2, 4);
  table << 1, 5, 10, 50, 2, 23, -170, -20;
  later = table;
  later.col(1).array() += 8;  // a third of a day
  east = table;
  east.col(2).array() += 30;
  const Symmetry hours = one("translate:hour:3", map.names()), earth = one("longitude:12", map.names());
  EXPECT_EQ(hours.order, 3);
  EXPECT_EQ(earth.order, 12);
  EXPECT_LT((hours.generator.apply(map.unfold(table)) - map.unfold(later)).norm(), 1e-14);
  EXPECT_LT((earth.generator.apply(map.unfold(table)) - map.unfold(east)).norm(), 1e-14);
}

TEST(SymmetrySpec, SeveralSpheresHaveNames) {
  const InputMap map{.columns = {"from", "lat1", "to", "lat2"}, .spheres = {{0, 1}, {2, 3}}};
  const Symmetry s = one("longitude:to:4", map.names());
  EXPECT_LT((moved(s, Vector{{1, 2, 3, 4, 5, 6}}) - Vector{{1, 2, 3, -5, 4, 6}}).norm(), 1e-14);
  EXPECT_EQ(
      refusal({"longitude:4"}, map.names()),
      "the symmetry 'longitude:4' does not say which sphere; name its longitude, one of 'from' and 'to', "
      "as in longitude:from:4");
}

TEST(SymmetrySpec, Permute) {
  // a to b, b to d, d to a
  const Symmetry s = one("permute:a,b,d", abcd);
  EXPECT_EQ(s.order, 3);
  EXPECT_EQ(moved(s, Vector{{1, 2, 3, 4}}), (Vector{{4, 1, 3, 2}}));
}

TEST(SymmetrySpec, Images) {
  Vector expected(12);
  expected << 20, 21, 22, 23, 10, 11, 12, 13, 0, 1, 2, 3;
  EXPECT_EQ(moved(one("flip:3x4:ud", pixels(12)), image()), expected);
  expected << 3, 2, 1, 0, 13, 12, 11, 10, 23, 22, 21, 20;
  EXPECT_EQ(moved(one("flip:3x4:lr", pixels(12)), image()), expected);
  const Symmetry down = one("shift:3x4:1,0", pixels(12)), both = one("shift:3x4:1,2", pixels(12));
  EXPECT_EQ(down.order, 3);
  EXPECT_EQ(both.order, 6);
  expected << 12, 13, 10, 11, 22, 23, 20, 21, 2, 3, 0, 1;
  EXPECT_EQ(moved(both, image()), expected);
  EXPECT_EQ(one("shift:28x28:0,7", pixels(784)).order, 4);
  EXPECT_EQ(one("flip:28x28:ud", pixels(784)).order, 2);
}

TEST(SymmetrySpec, EveryWordIsBackAfterItsOrderAndNotBefore) {
  const InputMap map{
      .columns = {"lon", "lat", "hour", "u", "v", "w"}, .circles = {{2, 24}}, .spheres = {{0, 1}}};
  const Matrix X = Rng(2).normal(20, 8), P = Rng(3).normal(5, 12);
  const auto check = [](const std::vector<Symmetry>& made, const Matrix& points) {
    for (const Symmetry& s : made) {
      Matrix now = points;
      for (Index turn = 1; turn <= s.order; ++turn) {
        now = s.generator.apply(now);
        EXPECT_EQ((now - points).cwiseAbs().maxCoeff() < 1e-12, turn == s.order) << s.name << " " << turn;
      }
    }
  };
  for (const char* word : {"negate", "negate:u", "negate:axes:2", "negate:pca:3", "rotate:u,w:5",
                           "translate:hour:6", "longitude:7", "permute:u,v,w"})
    check(make_symmetries({word}, map.names(), X), X);
  for (const char* word : {"flip:3x4:ud", "flip:3x4:lr", "shift:3x4:1,2", "shift:12x1:4,0"})
    check(make_symmetries({word}, pixels(12), P), P);
}

TEST(SymmetrySpec, ProductsCommute) {
  const InputMap map{.columns = {"lon", "lat", "hour", "u", "v"}, .circles = {{2, 24}}, .spheres = {{0, 1}}};
  const Names words{"translate:hour:4", "longitude:6", "negate:u", "negate:v"};
  Matrix table = Rng(4).normal(40, 5) * 10;
  const Matrix X = map.unfold(table);
  const std::vector<Symmetry> made = make_symmetries(words, map.names(), X);
  ASSERT_EQ(made.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(made[i].name, words[i]);
  const AnyKernel kernel = Matern{.ell = Vector::Constant(X.cols(), 1.5)};
  EXPECT_NO_THROW(check_symmetries(kernel, made, X));
  EXPECT_EQ(group_elements(made, X.cols()).size(), 4u * 6 * 2 * 2);
  const Matrix P = Rng(5).normal(30, 12);
  EXPECT_NO_THROW(
      check_symmetries(Rbf{.ell = Vector::Ones(12)},
                       make_symmetries({"shift:3x4:1,0", "shift:3x4:0,1", "negate"}, pixels(12), P), P));
}

TEST(SymmetrySpec, NoWordsMakeNone) { EXPECT_TRUE(make_symmetries({}, abcd, nothing).empty()); }

TEST(SymmetrySpec, RefusalsAreMessages) {
  const Names weather{"cos hour", "sin hour", "x", "y", "z", "wind", "pressure"};
  EXPECT_EQ(
      refusal({"flop:3x4:ud"}, abcd),
      "the symmetry 'flop:3x4:ud' is none of 'negate', 'rotate', 'translate', 'longitude', 'permute', 'flip' "
      "and 'shift'; did you mean 'flip'?");
  EXPECT_EQ(
      refusal({"negate:presure"}, weather),
      "the symmetry 'negate:presure' has the column 'presure', but there is none of that name; did you mean "
      "'pressure'?");
  EXPECT_EQ(
      refusal({"rotate:a,nosuchthing:4"}, abcd),
      "the symmetry 'rotate:a,nosuchthing:4' has the column 'nosuchthing', but there is none of that name; "
      "there are 'a', 'b', 'c' and 'd'");
  EXPECT_EQ(
      refusal({"negate:hour"}, weather),
      "the symmetry 'negate:hour' has the column 'hour', which is a circle; use translate:hour:T, or its "
      "columns 'cos hour' and 'sin hour'");
  EXPECT_EQ(refusal({"translate:wind:4"}, weather),
            "the symmetry 'translate:wind:4' is for a circle, and the column 'wind' is a line; declare it a "
            "circle by "
            "its period, or leave the symmetry out");
  EXPECT_EQ(
      refusal({"translate:huor:4"}, weather),
      "the symmetry 'translate:huor:4' has the circle 'huor', but there is none of that name; did you mean "
      "'hour'?");
  EXPECT_EQ(refusal({"longitude:12"}, abcd),
            "the symmetry 'longitude:12' needs a sphere; say which columns are longitude and latitude");
  EXPECT_EQ(refusal({"flip:28x28:ud"}, abcd),
            "the symmetry 'flip:28x28:ud' is for images of 784 pixels, but there are 4 columns; give the "
            "height and "
            "width of yours");
  EXPECT_EQ(
      refusal({"flip:1x2:lr"}, {"a"}),
      "the symmetry 'flip:1x2:lr' is for images of 2 pixels, but there is 1 column; give the height and "
      "width of yours");
  EXPECT_EQ(refusal({"negate:pca:5"}, abcd),
            "the symmetry 'negate:pca:5' makes more groups than there are columns; use at most negate:pca:4");
  EXPECT_EQ(refusal({"rotate:a,b:1"}, abcd),
            "the symmetry 'rotate:a,b:1' needs at least T = 2 turns to be back where it began");
  EXPECT_EQ(refusal({"rotate:a,b,c:3"}, abcd),
            "the symmetry 'rotate:a,b,c:3' turns 3 columns, but a plane has two; write it as rotate:a,b:T");
  EXPECT_EQ(refusal({"permute:a,b,a"}, abcd),
            "the symmetry 'permute:a,b,a' has the column 'a' twice; name it once");
  EXPECT_EQ(
      refusal({"shift:2x2:2,0"}, abcd),
      "the symmetry 'shift:2x2:2,0' goes round an image of 2x2 pixels; use fewer than 2 rows and 2 columns");
  EXPECT_EQ(refusal({"shift:2x2:0,0"}, abcd), "the symmetry 'shift:2x2:0,0' moves nothing; leave it out");
  EXPECT_EQ(refusal({"negate", "negate"}, abcd), "the symmetry 'negate' comes twice; name it once");
  EXPECT_EQ(
      refusal({"negate:x"}, {"x", "y", "z", "x"}),
      "the symmetry 'negate:x' has the column 'x', but several are called so; say its number, from 1 to 4");
  EXPECT_EQ(
      refusal({"negate:axes:12", "negate"}, pixels(12)),
      "the symmetry 'negate' makes more than 4096 motions together with those before it; use fewer turns, "
      "groups or symmetries");
}

TEST(SymmetrySpec, WhatCannotBeReadShowsTheForm) {
  const Names four{"a", "b", "c", "d"};
  for (const char* word : {"",
                           ":",
                           "negate:",
                           "negate:a,",
                           "negate:5",
                           "negate:0",
                           "negate:axes:",
                           "negate:pca:0",
                           "negate:pca:-1",
                           "negate:pca:x",
                           "rotate",
                           "rotate:",
                           "rotate:a,b",
                           "rotate:a,b:",
                           "rotate:a,b:2.5",
                           "rotate:a,b:-3",
                           "rotate:a,b:99999999999999999999",
                           "rotate:a,b:5000",
                           "rotate:a,a:3",
                           "rotate::3",
                           "translate",
                           "translate:a",
                           "translate::3",
                           "longitude",
                           "longitude:",
                           "longitude:x",
                           "longitude:1",
                           "permute",
                           "permute:",
                           "permute:a",
                           "flip",
                           "flip:2x2",
                           "flip:2x2:xx",
                           "flip:2x2x1:ud",
                           "flip:4:ud",
                           "flip:0x4:ud",
                           "flip:-2x-2:ud",
                           "flip:1x4:ud",
                           "shift",
                           "shift:2x2",
                           "shift:2x2:1",
                           "shift:2x2:1,1,1",
                           "shift:2x2:-1,0",
                           "shift:2x2:1,",
                           "shift:2x2:1,0:3",
                           "flip:1000000x1000000:ud",
                           "auto"})
    EXPECT_NE(refusal({word}, four, Rng(1).normal(6, 4)).find("the symmetry '" + std::string(word) + "' "),
              std::string::npos);
}

// Looking for each name among all the others would take minutes here.
TEST(SymmetrySpec, LongWordsAreReadOrRefusedAtOnce) {
  const Names columns = pixels(100000);
  std::string all = "negate:p0";
  for (std::size_t i = 1; i < columns.size(); ++i) all += "," + columns[i];
  EXPECT_EQ(one(all, columns).order, 2);
  std::string message = refusal({all + ",p7"}, columns);
  EXPECT_NE(message.find("has the column 'p7' twice; name it once"), std::string::npos);
  EXPECT_LT(message.size(), 400u);  // the word is cut
  message = refusal({"permute:" + all.substr(7)}, columns);
  EXPECT_NE(message.find("makes more than 4096 motions"), std::string::npos) << message;
  Names words;
  for (std::size_t i = 0; i < 30000; ++i) words.push_back("negate:" + columns[i]);
  EXPECT_NE(refusal(words, columns).find("the symmetry 'negate:p12' makes more than 4096 motions"),
            std::string::npos);
}

TEST(SymmetrySpec, ErrorMessagesAreOneShortLine) {
  const std::string message = refusal({"negate:\n\x1b[2J" + std::string(100000, 'x')}, abcd);
  EXPECT_NE(message.find("'negate:\\n\\x1b[2Jxx"), std::string::npos) << message;
  EXPECT_LT(message.size(), 1000u);
}

TEST(SymmetrySpec, SaysWhichMixColumns) {
  for (const char* word : {"rotate:a,b:4", "permute:a,b", "flip:2x2:ud", "shift:2x2:1,0"}) {
    EXPECT_TRUE(mixes_columns({word})) << word;
    EXPECT_TRUE(mixes_columns({"negate", word})) << word;
  }
  EXPECT_FALSE(mixes_columns(
      {"negate", "negate:a", "negate:axes:2", "negate:pca:2", "translate:hour:4", "longitude:12", "auto"}));
  EXPECT_FALSE(mixes_columns({}));
}

}  // namespace
}  // namespace bochner::symmetry_spec_test
