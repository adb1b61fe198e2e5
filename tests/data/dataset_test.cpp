#include "bochner/data/dataset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::dataset_test {
namespace {

using Ids = std::vector<std::string>;
const double nan = std::numeric_limits<double>::quiet_NaN();

View view_of(std::string name, Ids ids, Matrix Y) {
  View view = make_view(std::move(name), std::move(Y));
  view.ids = std::move(ids);
  return view;
}

/// Two columns; row n holds 10 n and 10 n + 1.
View counting_view(std::string name, Ids ids) {
  Matrix Y(static_cast<Index>(ids.size()), 2);
  for (Index n = 0; n < Y.rows(); ++n) Y.row(n) << 10.0 * double(n), 10.0 * double(n) + 1;
  return view_of(std::move(name), std::move(ids), std::move(Y));
}

std::string complaint(std::vector<View> views, const JoinOptions& options = {}) {
  try {
    join(std::move(views), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Equal, with NaN equal to NaN.
bool same(const Matrix& A, const Matrix& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         ((A.array() == B.array()) || (A.array().isNaN() && B.array().isNaN())).all();
}

TEST(Dataset, UnionKeepsTheOrderOfFirstAppearance) {
  const Dataset data = join({counting_view("a", {"s3", "s1"}), counting_view("b", {"s2", "s1", "s0"})});
  EXPECT_EQ(data.ids(), (Ids{"s3", "s1", "s2", "s0"}));
  Matrix a(4, 2), b(4, 2);
  a << 0, 1, 10, 11, nan, nan, nan, nan;
  b << nan, nan, 10, 11, 0, 1, 20, 21;
  EXPECT_TRUE(same(data.view("a").Y, a));
  EXPECT_TRUE(same(data.view("b").Y, b));
  for (const View& view : data.views()) EXPECT_EQ(view.ids, data.ids());
}

TEST(Dataset, SharedRowsKeepTheOrderOfTheFirstView) {
  const Dataset data = join({counting_view("a", {"s3", "s1", "s2"}), counting_view("b", {"s2", "s9", "s3"})},
                            {.rows = JoinOptions::Rows::shared});
  EXPECT_EQ(data.ids(), (Ids{"s3", "s2"}));
  EXPECT_EQ(data.view("a").Y(1, 0), 20);
  EXPECT_EQ(data.view("b").Y(0, 1), 21);
  EXPECT_TRUE(data.present(0).all() && data.present(1).all());
}

TEST(Dataset, AbsentIsNotTheSameAsPresentWithEverythingMissing) {
  const Dataset data =
      join({view_of("a", {"s1", "s2"}, Matrix::Constant(2, 2, nan)), counting_view("b", {"s1", "s3"})});
  EXPECT_EQ(data.present(0), (VectorT<bool>{{true, true, false}}));
  EXPECT_EQ(data.present(1), (VectorT<bool>{{true, false, true}}));
  EXPECT_EQ(data.empty_rows(), (std::vector<Index>{1}));
}

TEST(Dataset, CountsAndMasks) {
  Matrix A = Matrix::Zero(2, 3);
  A(0, 2) = nan;
  const Dataset data =
      join({view_of("a", {"s1", "s2"}, A), counting_view("b", {"s2", "s3"})});  // 3 rows, 3 + 2 columns
  EXPECT_EQ(data.rows(), 3);
  EXPECT_EQ(data.view_count(), 2);
  EXPECT_EQ(data.observed(0), 5);
  EXPECT_EQ(data.observed(1), 4);
  EXPECT_EQ(data.observed(), 9);
  EXPECT_DOUBLE_EQ(data.fraction_observed(0), 5.0 / 9);
  EXPECT_DOUBLE_EQ(data.fraction_observed(), 9.0 / 15);
  BoolMatrix mask(3, 3);
  mask << true, true, false, true, true, true, false, false, false;
  EXPECT_EQ(data.mask(0), mask);
}

TEST(Dataset, ViewsAreFoundByName) {
  const Dataset data = join({counting_view("rna", {"s"}), counting_view("protein", {"s"})});
  EXPECT_EQ(data.view_index("protein"), 1);
  try {
    data.view("methylation");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "there is no view 'methylation'; the views are 'rna', 'protein'");
  }
}

TEST(Dataset, IdsThatNeverMeetAreExplained) {
  EXPECT_NE(complaint({counting_view("rna", {"S1", "S2"}), counting_view("protein", {"s1", "s2"})})
                .find("views 'rna' and 'protein' have no sample in common: 'S1' in 'rna' looks like 's1' in "
                      "'protein'"),
            std::string::npos);
}

TEST(Dataset, ViewsMayMeetThroughAThird) {
  const View a = counting_view("a", {"s1"}), b = counting_view("b", {"s2"}),
             bridge = counting_view("c", {"s1", "s2"});
  EXPECT_EQ(complaint({a, b, bridge}), "");
  EXPECT_NE(complaint({a, b}), "");
  EXPECT_NE(complaint({a, bridge, counting_view("d", {"s9"})}).find("'a' and 'd'"), std::string::npos);
}

TEST(Dataset, DisjointViewsCanBeAllowed) {
  const Dataset data =
      join({counting_view("a", {"s1"}), counting_view("b", {"s2"})}, {.allow_disjoint = true});
  EXPECT_EQ(data.rows(), 2);
  EXPECT_NE(complaint({counting_view("a", {"s1"}), counting_view("b", {"s2"})},
                      {.rows = JoinOptions::Rows::shared, .allow_disjoint = true})
                .find("no sample is in all 2 views"),
            std::string::npos);
}

TEST(Dataset, NoSampleInAllViewsNamesTheSmallest) {
  const std::string text = complaint(
      {counting_view("a", {"s1", "s2"}), counting_view("b", {"s2", "s3"}), counting_view("c", {"s3"})},
      {.rows = JoinOptions::Rows::shared});
  EXPECT_NE(text.find("no sample is in all 3 views"), std::string::npos) << text;
  EXPECT_NE(text.find("leave out 'c'"), std::string::npos) << text;
}

TEST(Dataset, BadViewsAndNamesAreRefused) {
  EXPECT_NE(complaint({}), "");
  EXPECT_NE(complaint({counting_view("a", {"s1", "s1"})}).find("in rows 1 and 2"), std::string::npos);
  EXPECT_EQ(complaint({counting_view("a", {"s1"}), counting_view("a", {"s1"})}),
            "two views are named 'a'; give every view a name of its own");
}

TEST(Dataset, TakeRowsKeepsPresenceAndOrder) {
  const Dataset data = join({counting_view("a", {"s1", "s2", "s3"}), counting_view("b", {"s3", "s1"})});
  const Dataset part = data.take_rows(IndexVector{{2, 1}});
  EXPECT_EQ(part.ids(), (Ids{"s3", "s2"}));
  EXPECT_EQ(part.view("a").Y(0, 0), 20);
  EXPECT_EQ(part.view("b").Y(0, 0), 0);
  EXPECT_EQ(part.present(1), (VectorT<bool>{{true, false}}));
  EXPECT_EQ(part.observed(1), 2);
  EXPECT_THROW(data.take_rows(IndexVector{{0, 3}}), std::domain_error);
  EXPECT_THROW(data.take_rows(IndexVector{{1, 1}}), std::invalid_argument);
  EXPECT_THROW(data.take_rows(IndexVector(0)), std::invalid_argument);
}

TEST(Dataset, WithValuesReplacesTheTables) {
  const Dataset data = join({counting_view("a", {"s1", "s2"}), counting_view("b", {"s2"})});
  const Dataset other = data.with_values({Matrix::Constant(2, 2, nan), Matrix::Ones(2, 2)});
  EXPECT_EQ(other.observed(0), 0);
  EXPECT_EQ(other.observed(1), 4);
  EXPECT_EQ(other.ids(), data.ids());
  EXPECT_FALSE(other.present(1)(0));
  EXPECT_THROW(data.with_values({Matrix::Ones(2, 2)}), std::invalid_argument);
  EXPECT_THROW(data.with_values({Matrix::Ones(2, 2), Matrix::Ones(2, 3)}), std::invalid_argument);
  EXPECT_THROW(
      data.with_values({Matrix::Ones(2, 2), Matrix::Constant(2, 2, std::numeric_limits<double>::infinity())}),
      InputError);
}

// Random tables with random rows and holes: every entry is found again under its id, nothing else is there.
TEST(Dataset, JoinIsALookupById) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    SCOPED_TRACE(seed);
    std::vector<View> views;
    std::vector<std::map<std::string, Vector>> rows(1 + static_cast<std::size_t>(rng.below(4)));
    std::set<std::string> all;
    for (std::size_t v = 0; v < rows.size(); ++v) {
      const Index M = 1 + rng.below(3);
      Ids ids{"common"};
      for (Index n = 0; n < 30; ++n)
        if (rng.uniform() < 0.5) ids.push_back("s" + std::to_string(n));
      const IndexVector order = rng.permutation(static_cast<Index>(ids.size()));
      Ids shuffled;
      for (const Index i : order) shuffled.push_back(ids[i]);
      Matrix Y = rng.normal(order.size(), M);
      for (Index i = 0; i < Y.size(); ++i)
        if (rng.uniform() < 0.3) Y.data()[i] = nan;
      for (Index n = 0; n < Y.rows(); ++n) rows[v][shuffled[n]] = Y.row(n).transpose();
      all.insert(shuffled.begin(), shuffled.end());
      views.push_back(view_of("v" + std::to_string(v), shuffled, Y));
    }
    const Dataset data = join(views);
    EXPECT_EQ(std::set<std::string>(data.ids().begin(), data.ids().end()), all);
    ASSERT_EQ(data.rows(), static_cast<Index>(all.size()));
    EXPECT_TRUE(std::equal(views[0].ids.begin(), views[0].ids.end(), data.ids().begin()));
    for (Index v = 0; v < data.view_count(); ++v)
      for (Index n = 0; n < data.rows(); ++n) {
        const auto found = rows[v].find(data.ids()[n]);
        ASSERT_EQ(data.present(v)(n), found != rows[v].end());
        const Matrix expected = found != rows[v].end()
                                    ? Matrix(found->second.transpose())
                                    : Matrix(Matrix::Constant(1, data.view(v).cols(), nan));
        ASSERT_TRUE(same(data.view(v).Y.row(n), expected));
      }
  }
}

}  // namespace
}  // namespace bochner::dataset_test
