#include "bochner/compute/shared_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bochner/compute/lane_sum.hpp"
#include "bochner/compute/loopback.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::shared_sum_test {
namespace {

const std::vector<Index> many_ranks{1, 2, 3, 4, 5, 6, 7, 8, 16};

/// Numbers of very different size and both signs: any other order of additions changes the last bits.
Vector uneven(Index n, std::uint64_t seed) {
  Vector x = Rng(seed).normal(n);
  for (double& v : x) v = std::exp(8 * std::abs(v)) * (v > 0 ? 1 : -1);
  return x;
}

TEST(SharedPlan, EveryBlockIsOfOneRank) {
  for (const Index P : {1, 2, 3, 5, 7, 16, 40})
    for (const Index lanes : {1, 2, 8, 16, 21, 64}) {
      const RowPlan plan{.rows = 10 * lanes + 3, .block = 2, .lanes = lanes};
      std::vector<int> seen(std::size_t(plan.rows), 0);
      Index roots = 0, next = 0;
      for (Index r = 0; r < P; ++r) {
        RowPlan own = plan;
        own.ranks = P;
        own.rank = r;
        for (const RowPlan::Strand& root : own.roots_of(r)) {
          EXPECT_EQ(root.first, next);  // without gaps
          next = root.first + root.count;
          ++roots;
        }
      }
      EXPECT_EQ(next, lanes);
      EXPECT_LE(roots, 2 * lanes);
      run_loopback(P, [&](const Communicator& comm) {
        const RowPlan own = plan.shared_by(comm);
        EXPECT_EQ(own.is_shared(), P > 1);
        for_each_block(Threads(1), own, [&](Index lane, Index begin, Index size) {
          const RowPlan::Strand strand = own.strand(own.strand_of(lane));
          EXPECT_TRUE(strand.first <= lane && lane < strand.first + strand.count);
          EXPECT_TRUE(own.first_row(comm.rank()) <= begin && begin + size <= own.first_row(comm.rank() + 1));
          for (Index n = begin; n < begin + size; ++n) ++seen[std::size_t(n)];
        });
        EXPECT_LE(own.strands(), 20);
      });
      EXPECT_EQ(seen, std::vector<int>(std::size_t(plan.rows), 1));
    }
}

struct Moments {
  double count = 0;
  Matrix M;
  Vector v;
  Moments& operator+=(const Moments& other) {
    count += other.count;
    M += other.M;
    v += other.v;
    return *this;
  }
  template <class F>
  void each_array(F&& f) {
    f(Eigen::Map<Vector>(&count, 1));
    f(Eigen::Map<Vector>(M.data(), M.size()));
    f(Eigen::Map<Vector>(v.data(), v.size()));
  }
};

struct Sums {
  double number = 0;
  Index count = 0;
  Matrix small, large;
  MatrixT<float> single;
  Moments moments;
  friend bool operator==(const Sums& a, const Sums& b) {
    return a.number == b.number && a.count == b.count && a.small == b.small && a.large == b.large &&
           a.single == b.single && a.moments.count == b.moments.count && a.moments.M == b.moments.M &&
           a.moments.v == b.moments.v;
  }
};

/// Sums of all kinds over the rows of a plan.
Sums sums_of(const Compute& compute, const RowPlan& plan, const Vector& x) {
  const Vector scale = Rng(1).normal(5000);  // several pieces, several slices
  const Matrix few = Rng(2).normal(2, 3);
  Sums out;
  out.number = sum_over_rows<double>(compute, plan, 0,
                                     [&](double& sum, Index n, Index k) { sum += x.segment(n, k).sum(); });
  out.count = sum_over_rows<Index>(compute, plan, 0, [&](Index& sum, Index, Index k) { sum += k; });
  out.small = sum_over_rows<Matrix>(compute, plan, Matrix::Zero(2, 3),
                                    [&](Matrix& sum, Index n, Index) { sum += x(n) * few; });
  out.large = sum_over_rows<Matrix>(compute, plan, Matrix::Zero(50, 100), [&](Matrix& sum, Index n, Index) {
    Eigen::Map<Vector>(sum.data(), sum.size()) += scale * x(n);
  });
  out.single = sum_over_rows<MatrixT<float>>(
      compute, plan, MatrixT<float>::Zero(20, 100),
      [&](MatrixT<float>& sum, Index n, Index) { sum.array() += float(std::tanh(x(n))); });
  out.moments = sum_over_rows<Moments>(compute, plan, {0, Matrix::Zero(2, 3), Vector::Zero(4)},
                                       [&](Moments& sum, Index n, Index k) {
                                         sum.count += double(k);
                                         sum.M += x(n) * few;
                                         sum.v.array() += x(n) / 3;
                                       });
  return out;
}

TEST(SharedSum, HasTheBytesOfOneProcess) {
  for (const Index lanes : {1, 2, 4, 8, 16, 21, 32, 64, 256}) {
    const Vector x = uneven(2 * lanes + 1, std::uint64_t(lanes));
    const RowPlan plan{.rows = x.size(), .block = 1, .lanes = lanes};
    const Sums want = sums_of(Threads(2), plan, x);
    for (const Index P : many_ranks)
      run_loopback(P, [&](const Communicator& comm) {
        const Compute compute(Threads(comm.rank() % 2 == 0 ? 1 : 3), Device::cpu(), comm);
        EXPECT_TRUE(sums_of(compute, plan.shared_by(comm), x) == want) << lanes << " lanes, " << comm.name();
        EXPECT_TRUE(sums_of(compute, plan, x) == want);  // what is not shared stays as it was
      });
  }
}

TEST(SharedSum, PlansOfARealNumberOfRows) {
  for (const Index rows : {1, 255, 1000, 5000, 9999}) {
    const Vector x = uneven(rows, std::uint64_t(rows));
    const RowPlan plan = RowPlan::make(rows, 64);
    const Sums want = sums_of(Threads(2), plan, x);
    for (const Index P : many_ranks)
      run_loopback(P, [&](const Communicator& comm) {
        const Compute compute(Threads(2), Device::cpu(), comm);
        EXPECT_TRUE(sums_of(compute, plan.shared_by(comm), x) == want) << rows << " rows, " << comm.name();
      });
  }
}

TEST(SharedSum, SendsSlices) {
  const Index n = 100'000;
  const RowPlan plan{.rows = 16, .block = 1, .lanes = 16};
  for (const Index P : {2, 4, 8, 16}) {
    std::vector<Traffic> traffic;
    run_loopback(P, traffic, [&](const Communicator& comm) {
      const Compute compute(Threads(1), Device::cpu(), comm);
      sum_over_rows<Vector>(compute, plan.shared_by(comm), Vector::Zero(n),
                            [](Vector& sum, Index row, Index) { sum.array() += double(row); });
    });
    for (const Traffic& own : traffic) {  // one root a rank: as a ring would send
      EXPECT_EQ(own.exchanged, std::vector<Index>{8 * n * (P - 1) / P});
      EXPECT_NEAR(double(own.bytes()), 16.0 * double(n) * double(P - 1) / double(P), 1000);
    }
  }
}

TEST(SharedSum, AnExceptionOnOneRankEndsAll) {
  const RowPlan plan = RowPlan::make(5000, 64);
  for (const Index P : {2, 3, 8}) {
    const auto job = [&](const Communicator& comm) {
      const Compute compute(Threads(2), Device::cpu(), comm);
      const RowPlan own = plan.shared_by(comm);
      for (int step = 0; step < 4; ++step)
        sum_over_rows<Vector>(compute, own, Vector::Zero(2000), [&](Vector& sum, Index begin, Index) {
          if (step == 2 && comm.rank() == 1 && begin == own.first_row(1)) throw NumericalError("here");
          sum.array() += 1;
        });
    };
    EXPECT_THROW(run_loopback(P, job), NumericalError);
  }
}

TEST(SharedSum, LanesComeOnce) {
  run_loopback(2, [](const Communicator& comm) {
    const RowPlan plan = RowPlan{.rows = 64, .block = 1, .lanes = 64}.shared_by(comm);
    LaneSum<double> sum(plan, 0);
    const RowPlan::Strand first = plan.strand(0);
    ASSERT_GT(first.count, 1);
    sum[first.first + 1] += 1;
    EXPECT_THROW(sum[first.first] += 1, std::logic_error);
  });
}

TEST(SharedSum, RowsAreBroughtTogether) {
  for (const Index rows : {1, 300, 1000, 5001}) {
    const Matrix want = Rng(3).normal(rows, 7);
    for (const Index P : many_ranks)
      run_loopback(P, [&](const Communicator& comm) {
        const Compute compute(Threads(2), Device::cpu(), comm);
        const RowPlan plan = RowPlan::make(rows, 64).shared_by(comm);
        Matrix A = Matrix::Zero(rows, 7);
        for_each_block(compute, plan, [&](Index, Index begin, Index size) {
          A.middleRows(begin, size) = want.middleRows(begin, size);
        });
        gather_rows(compute, plan, A);
        EXPECT_EQ(A, want);
      });
  }
}

}  // namespace
}  // namespace bochner::shared_sum_test
