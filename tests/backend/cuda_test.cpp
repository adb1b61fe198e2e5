// The operations of a card against the host twin: fresh random numbers, shapes that fill nothing evenly, outputs that hold NaN
// before. Skipped where there is no plugin or no card (make cuda, docs/gpu.md).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/backend/device_array.hpp"
#include "bochner/backend/feature_step.hpp"
#include "bochner/backend/host_engine.hpp"
#include "bochner/backend/open_device.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::cuda_test {
namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    try {
      engine = open_cuda(0);
    } catch (const InputError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  std::shared_ptr<Engine> engine, host = make_host_engine();
};

/// rows x cols in rows of `stride`, or a batch of them, on both devices.
struct Both {
  Slice::Size rows, cols, stride, batch, step;
  DeviceArray<double> here, there;
  Slice slice(const DeviceArray<double>& array) const {
    return {array.data(), rows, cols, stride, batch, step};
  }
};

Both both(const std::shared_ptr<Engine>& host, const std::shared_ptr<Engine>& card, const Vector& values,
          Index rows, Index cols, Index gap, Index batch = 1) {
  const Index stride = cols + gap, step = rows * stride;
  Both out{rows, cols, stride, batch, step, {host, batch * step}, {card, batch * step}};
  out.here.upload(values.data());
  out.there.upload(values.data());
  return out;
}

class Operations : public Cuda {
 protected:
  Both random(Index rows, Index cols, Index gap = 0, Index batch = 1) {
    return both(host, engine, rng.normal(batch * rows * (cols + gap)), rows, cols, gap, batch);
  }
  Both poisoned(Index rows, Index cols, Index gap = 0, Index batch = 1) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return both(host, engine, Vector::Constant(batch * rows * (cols + gap), nan), rows, cols, gap, batch);
  }
  void expect_same(const Both& out, double tolerance, const char* what) {
    for (Slice::Size i = 0; i < out.batch; ++i) {
      Matrix a(out.rows, out.cols), b(out.rows, out.cols);
      host->download_rows(out.slice(out.here).one(i), a.data());
      engine->download_rows(out.slice(out.there).one(i), b.data());
      EXPECT_TRUE(b.allFinite()) << what;
      EXPECT_LE((a - b).norm(), tolerance * a.norm()) << what << ", " << out.rows << " x " << out.cols;
    }
  }
  template <class F>
  void on_each(const F& f) {
    f(*host, &Both::here);
    f(*engine, &Both::there);
    engine->wait();
  }
  Rng rng{11};
};

TEST_F(Operations, MemoryComesBackAsItWent) {
  for (const Index size : {1, 7, 1000, 3000001}) {
    const Vector sent = rng.normal(size);
    DeviceArray<double> array(engine, size);
    array.upload(sent.data());
    Vector got = Vector::Zero(size);
    array.download(got.data());
    EXPECT_EQ(sent, got);
  }
  const Both from = random(5, 3, 4), to = poisoned(5, 3, 2);
  engine->copy(from.slice(from.there), to.slice(to.there));
  host->copy(from.slice(from.here), to.slice(to.here));
  expect_same(to, 0, "copy");
  const Both constant = poisoned(9, 5, 2);
  on_each([&](Engine& e, auto of) { e.fill(constant.slice(constant.*of), -3.5); });
  expect_same(constant, 0, "fill");
}

TEST_F(Operations, Products) {
  for (const auto& [n, k, m] :
       {std::tuple<Index, Index, Index>{1, 1, 1}, {3, 5, 7}, {17, 130, 33}, {200, 64, 985}})
    for (const bool left : {false, true})
      for (const bool right : {false, true}) {
        const Both A = left ? random(k, n, 3, 4) : random(n, k, 3, 4);
        const Both B = right ? random(m, k, 1, 4) : random(k, m, 1, 4);
        const Both D = poisoned(n, m, 5, 4), E = poisoned(n, m, 8), C = random(n, m, 2);
        on_each([&](Engine& e, auto of) {
          const Factor a(A.slice(A.*of), left), b(B.slice(B.*of), right);
          e.product(-1.5, a, b, 0, {}, D.slice(D.*of));
          e.product(-1.5, a, b, 0.5, D.slice(D.*of), D.slice(D.*of));
          e.product(-1, Factor(A.slice(A.*of).one(1), left), Factor(B.slice(B.*of).one(1), right), 1,
                    C.slice(C.*of), E.slice(E.*of));
        });
        expect_same(D, 1e-13, "product");
        expect_same(E, 1e-13, "product added to another matrix");
      }
}

TEST_F(Operations, SumsOfParts) {
  for (const Index parts : {1, 2, 8, 16, 64, 512})
    for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {3, 37}, {130, 65}}) {
      const Both in = random(rows, cols, 2, parts), out = poisoned(rows, cols, 3);
      on_each([&](Engine& e, auto of) { e.tree_sum(in.slice(in.*of), out.slice(out.*of)); });
      expect_same(out, 0, "tree_sum");  // the same tree
    }
}

TEST_F(Operations, Reductions) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {37, 5}, {301, 784}}) {
    const Both A = random(rows, cols, 3), sum = poisoned(1, 1);
    on_each([&](Engine& e, auto of) { e.sum_of_squares(A.slice(A.*of), (sum.*of).data()); });
    expect_same(sum, 1e-13, "sum_of_squares");
  }
  for (const Index n : {1, 30, 700}) {
    const Both C = random(n, n, 2, 2), sums = poisoned(1, 3), factor = random(1, 2), scaled = poisoned(n, n);
    on_each([&](Engine& e, auto of) {
      e.scale((factor.*of).data(), C.slice(C.*of).one(1), scaled.slice(scaled.*of));
      e.product(1, transposed(scaled.slice(scaled.*of)), scaled.slice(scaled.*of), 0, {},
                C.slice(C.*of).one(0));
      e.log_determinant(C.slice(C.*of).one(0), (sums.*of).data() + 2);
      e.add_diagonal((factor.*of).data(), C.slice(C.*of), (sums.*of).data());
    });
    expect_same(scaled, 0, "scale");
    expect_same(sums, 1e-12, "traces and log_determinant");
    expect_same(C, 1e-13, "add_diagonal");
  }
}

TEST_F(Operations, Factors) {
  for (const Index n : {1, 5, 64, 131, 200, 600, 1217, 2111, 4101})  // the last one by cuSOLVER
    for (const Index batch : {1, 2, 3}) {
      if (n > 2000 && batch == 3) continue;
      const Both root = random(n, n + 3, 0, batch), C = poisoned(n, n, 4, batch),
                 inverse = poisoned(n, n, 0, batch);
      const Both trouble = poisoned(1, batch), one = random(1, batch), L = poisoned(n, n),
                 logs = poisoned(1, 1);
      on_each([&](Engine& e, auto of) {
        const Slice c = C.slice(C.*of);
        e.product(1, root.slice(root.*of), transposed(root.slice(root.*of)), 0, {}, c);
        const Vector ones = Vector::Ones(batch);
        e.upload(ones.data(), (one.*of).data(), sizeof(double) * std::size_t(batch));
        e.add_diagonal((one.*of).data(), c, (trouble.*of).data());
        e.cholesky(c, inverse.slice(inverse.*of), (trouble.*of).data());
        e.log_determinant(c.one(batch - 1), (logs.*of).data());
        e.product(1, inverse.slice(inverse.*of).one(batch - 1),
                  transposed(inverse.slice(inverse.*of).one(batch - 1)), 0, {}, L.slice(L.*of));
      });
      expect_same(inverse, 1e-10, "L^-1");
      expect_same(L, 1e-9, "L^-1 L^-T");
      expect_same(logs, 1e-12, "log_determinant");
      expect_same(trouble, 0, "trouble");
    }
}

TEST_F(Operations, FactorsThatDoNotExistAreReported) {
  for (const Index n : {40, 700, 1300})
    for (const Index bad : {Index{0}, n / 2 - 1, n - 1}) {
      Matrix values = 2 * Matrix::Identity(n, n);
      values(bad, bad) = -1;
      const Both C = both(host, engine, values.reshaped<Eigen::RowMajor>(), n, n, 0),
                 inverse = poisoned(n, n), trouble = poisoned(1, 1);
      on_each([&](Engine& e, auto of) {
        e.cholesky(C.slice(C.*of), inverse.slice(inverse.*of), (trouble.*of).data());
      });
      double there = 0;
      trouble.there.download(&there);
      EXPECT_EQ(there, double(bad + 1));
    }
}

TEST_F(Operations, MissingEntries) {
  const Both table = random(50, 20, 4), residual = random(50, 20, 4), sum = poisoned(1, 1);
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 3; i < 50 * 24; i += 7)
    if (i % 24 < 20) offsets.push_back(i);
  const auto count = Index(offsets.size());
  DeviceArray<std::int64_t> at(engine, count);
  at.upload(offsets.data());
  host->subtract_at(offsets.data(), count, residual.here.data(), table.here.data());
  host->squares_at(offsets.data(), count, table.here.data(), sum.here.data());
  engine->subtract_at(at.data(), count, residual.there.data(), table.there.data());
  engine->squares_at(at.data(), count, table.there.data(), sum.there.data());
  expect_same(table, 0, "subtract_at");
  expect_same(sum, 1e-14, "squares_at");
}

TEST_F(Operations, FourierFeatures) {
  struct Shape {
    Index N, J, D, pieces, tiles;
  };
  for (const Shape& s : {Shape{1, 1, 1, 1, 1},
                         {33, 50, 2, 4, 1},
                         {257, 131, 3, 16, 2},
                         {100, 300, 2, 8, 4},
                         {60, 17, 7, 2, 1},
                         {300, 128, 4, 512, 1}})
    for (const bool paired : {false, true})
      for (const bool weighted : {false, true}) {
        const Both X = random(s.N, s.D), mean = random(s.D, s.J), half = random(paired ? s.D : 0, s.J);
        const Both amplitude = random(1, s.J), weight = random(1, s.N);
        const Both Phi = poisoned(s.N, 2 * s.J, 3), copy = poisoned(s.N, 2 * s.J, 3),
                   dPhi = random(s.N, 2 * s.J, 1);
        const Both dX = poisoned(s.N, s.D, 0, s.tiles), sums = poisoned(1, s.J * (2 * s.D + 1), 0, s.pieces);
        on_each([&](Engine& e, auto of) {
          const FeatureWaves w{mean.slice(mean.*of), half.slice(half.*of), (amplitude.*of).data()};
          e.fourier_fill(w, X.slice(X.*of), Phi.slice(Phi.*of), weighted ? (weight.*of).data() : nullptr,
                         copy.slice(copy.*of));
          e.fourier_pull(w, X.slice(X.*of), Phi.slice(Phi.*of), dPhi.slice(dPhi.*of), dX.slice(dX.*of),
                         sums.slice(sums.*of));
        });
        expect_same(Phi, 1e-13, "Phi");
        if (weighted) expect_same(copy, 1e-13, "weighted Phi");
        // -tan(b) Phi: where cos(b) is near 0 the two devices' cosines differ by their last digit.
        expect_same(dX, 1e-11, "dX");
        expect_same(sums, 1e-11, "sums");
      }
}

TEST_F(Operations, SomeRows) {
  const Both all = random(30, 3, 2), some = poisoned(11, 3, 1), sum = random(30, 3), every = poisoned(30, 3);
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < 11; ++i) rows.push_back((7 * i + 4) % 30);
  DeviceArray<std::int64_t> here(host, 11), there(engine, 11);
  here.upload(rows.data());
  there.upload(rows.data());
  const auto each = [&](Engine& e, auto of, const std::int64_t* at) {
    e.gather_rows(at, all.slice(all.*of), some.slice(some.*of));
    e.add_to_rows(at, some.slice(some.*of), sum.slice(sum.*of));
    e.gather_rows(nullptr, sum.slice(sum.*of), every.slice(every.*of));
    e.add_to_rows(nullptr, all.slice(all.*of), every.slice(every.*of));
  };
  each(*host, &Both::here, here.data());
  each(*engine, &Both::there, there.data());
  expect_same(some, 0, "gather_rows");
  expect_same(sum, 0, "add_to_rows");
  expect_same(every, 0, "all rows");
}

TEST_F(Operations, Latents) {
  for (const Index count : {1, 2, 7, 1000, 140001}) {
    const Both theta = random(2, count), X = poisoned(1, count), offset = poisoned(1, count);
    const Both dX = random(1, count), grad = poisoned(2, count), sums = poisoned(1, 2);
    const Both m = random(2, count), v = poisoned(2, count);
    const LatentDraw draw{.key = Rng(5).split(std::uint64_t(count)).key(), .sign = -1};
    DeviceArray<LatentDraw> here(host, 1), there(engine, 1);
    here.upload(&draw);
    there.upload(&draw);
    on_each([&](Engine& e, auto of) {
      e.fill(v.slice(v.*of), 0.25);
      const LatentDraw* with = &e == host.get() ? here.data() : there.data();
      e.latent_draw(with, count, (theta.*of).data(), (X.*of).data(), (offset.*of).data());
      e.latent_gradient(31, count, (theta.*of).data(), (offset.*of).data(), (dX.*of).data(),
                        (grad.*of).data(), (sums.*of).data());
    });
    expect_same(X, 1e-14, "X");
    expect_same(offset, 1e-14, "offset");
    expect_same(grad, 1e-14, "gradient of latents");
    expect_same(sums, 1e-13, "sums of latents");
    for (const double first_sd : {0.0, 0.8})
      on_each([&](Engine& e, auto of) {
        e.latent_move({.sign = -1, .rate = 0.03, .unbias2 = 0.7, .first_sd = first_sd}, count,
                      (grad.*of).data(), (theta.*of).data(), (m.*of).data(), (v.*of).data());
      });
    expect_same(theta, 1e-14, "theta");
    expect_same(m, 1e-14, "m");
    expect_same(v, 1e-14, "v");
  }
}

TEST_F(Operations, TasksSideBySide) {
  const Both A = random(60, 40), B = poisoned(40, 40, 0, 3), sums = poisoned(1, 3), logs = poisoned(1, 3),
             total = poisoned(1, 1);
  for (int repeat = 0; repeat < 3; ++repeat)
    on_each([&](Engine& e, auto of) {
      std::vector<std::function<void()>> tasks;
      for (Index i = 0; i < 3; ++i)
        tasks.emplace_back([&, i] {
          const Slice own = B.slice(B.*of).one(i);
          e.product(double(i + 1), transposed(A.slice(A.*of)), A.slice(A.*of), 0, {}, own);
          e.side_by_side({[&] { e.sum_of_squares(own, (sums.*of).data() + i); },
                          [&] { e.log_determinant(own, (logs.*of).data() + i); }});
        });
      e.side_by_side(tasks);
      e.sum_of_squares(sums.slice(sums.*of), (total.*of).data());
      e.side_by_side({});
    });
  expect_same(B, 1e-13, "products side by side");
  expect_same(sums, 1e-13, "sums side by side");
  expect_same(logs, 1e-13, "logarithms side by side");
  expect_same(total, 1e-13, "what follows");
}

class Steps : public Cuda {};

TEST_F(Steps, AreThoseOfTheHostTwinAndTheSameBytesTwice) {
  for (const Index N : {40, 1000, 5003, 40009})
    for (const bool complete : {true, false}) {
      Rng rng(std::uint64_t(5 + N));
      Matrix Y = rng.normal(N, 37);
      const Vector chance = rng.uniform(Y.size());
      for (Index i = 0; i < Y.size(); ++i)
        if (!complete && i % 37 > 0 && chance(i) < 0.1)
          Y.data()[i] = std::numeric_limits<double>::quiet_NaN();
      const Matrix X = rng.normal(N, 2);
      const FilledTable<double> table(Y, Matrix(Matrix::Zero(N, 37)), Threads(1));
      FeatureStep here(host, table), there(engine, table), again(engine, table);
      for (int step = 0; step < 4; ++step) {  // the second one is captured, the others replay
        const Frequencies f{rng.normal(50, 2), rng.normal(50, 2),
                            Vector(0.1 * (1 + rng.uniform(50).array()))};
        const double sigma2 = 0.1 + 0.1 * step;
        const FeatureStepResult a = here.evaluate(f, sigma2, X, true), b = there.evaluate(f, sigma2, X, true),
                                c = again.evaluate(f, sigma2, X, true);
        EXPECT_NEAR(a.value, b.value, 1e-10 * std::abs(a.value));
        EXPECT_NEAR(a.dsigma2, b.dsigma2, 1e-9 * std::abs(a.dsigma2));
        EXPECT_LE((a.dX - b.dX).norm(), 1e-9 * a.dX.norm());
        EXPECT_LE((a.gradient.Omega1 - b.gradient.Omega1).norm(), 1e-9 * a.gradient.Omega1.norm());
        EXPECT_LE((a.gradient.Omega2 - b.gradient.Omega2).norm(), 1e-9 * a.gradient.Omega2.norm());
        EXPECT_LE((a.gradient.amplitude - b.gradient.amplitude).norm(), 1e-9 * a.gradient.amplitude.norm());
        EXPECT_EQ(b.value, c.value);
        EXPECT_EQ(b.dsigma2, c.dsigma2);
        EXPECT_EQ(b.dX, c.dX);
        EXPECT_EQ(b.gradient.Omega1, c.gradient.Omega1);
        EXPECT_EQ(b.gradient.amplitude, c.gradient.amplitude);
      }
      if (complete) continue;
      EXPECT_LE((here.guesses() - there.guesses()).norm(), 1e-9 * here.guesses().norm());
      EXPECT_EQ(there.guesses(), again.guesses());
    }
}

TEST_F(Steps, TooMuchMemoryIsAnInputError) {
  EXPECT_THROW(engine->allocate(std::size_t{1} << 50), InputError);
  DeviceArray<double> still(engine, 10);  // and the card goes on
  engine->fill(slice(still, 0, 2, 5), 1);
  engine->wait();
}

}  // namespace
}  // namespace bochner::cuda_test
