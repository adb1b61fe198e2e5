#include "src/models/gplvm/relocation/relocate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "examples.hpp"

namespace bochner::relocate_test {
namespace {

using testing::same_bytes;

constexpr double nats = 5;

/// A fit and the table that it was made of.
struct Settled {
  ScaledData scaled;
  std::vector<Matrix> filled;
  GplvmParameters at;
};

Settled settle(const Dataset& data) {
  const GplvmOptions options{.view = {.kernel = "rbf"}, .steps = 300, .restarts = 1};
  const GplvmFit fit = fit_gplvm(data, options, 1, Threads(1));
  Settled out{.scaled = scale_views(data, {options.view}), .filled = {}, .at = {.latent = fit.latent}};
  out.filled = first_guess(out.scaled.data, options, Rng(2), Threads(1)).filled;
  out.at.views.push_back(
      {.kernel = fit.views[0].kernel, .noise_variance = fit.views[0].noise_variance, .Z = Matrix(0, 2)});
  return out;
}

/// Linear functions in many columns: half of the samples tell them as well as all, and a sample has one place.
Dataset well_determined(double missing) {
  const Index N = 120, M = 30;
  Rng rng(1);
  const Matrix X = rng.normal(N, 2), A = rng.normal(2, M);
  Matrix Y = X * A + 0.3 * rng.normal(N, M);
  for (double& y : Y.reshaped())
    if (rng.uniform() < missing) y = std::numeric_limits<double>::quiet_NaN();
  return join({make_view("y", Y)});
}

const Settled& complete() {
  static const Settled made = settle(well_determined(0));
  return made;
}
const Settled& with_holes() {
  static const Settled made = settle(well_determined(0.2));
  return made;
}

Index run(const Settled& s, GplvmParameters& p, Rng rng = Rng(3), int threads = 1) {
  return relocate(s.scaled, s.filled, p, nats, rng, Threads(threads));
}

/// Sends a sample to the place of the one that is farthest away.
void send_away(const Settled& s, Index n, GplvmParameters& p) {
  Index far = 0;
  (s.at.latent.mean.rowwise() - s.at.latent.mean.row(n)).rowwise().norm().maxCoeff(&far);
  p.latent.mean.row(n) = s.at.latent.mean.row(far);
  p.latent.sd.row(n) = s.at.latent.sd.row(far);
}
const std::vector<Index> stray{4, 17, 33, 58, 71, 119};
GplvmParameters scattered(const Settled& s) {
  GplvmParameters p = s.at;
  for (const Index n : stray) send_away(s, n, p);
  return p;
}

TEST(Relocate, MovesAStraySampleBack) {
  for (const Settled* s : {&complete(), &with_holes()})
    for (const Index n : stray) {
      GplvmParameters before = s->at;
      send_away(*s, n, before);
      GplvmParameters after = before;
      const Index moved = run(*s, after);
      EXPECT_GE(moved, 1);
      const double away = (before.latent.mean.row(n) - s->at.latent.mean.row(n)).norm(),
                   now = (after.latent.mean.row(n) - s->at.latent.mean.row(n)).norm();
      EXPECT_GT(away, 1.5) << "or it was not sent away";
      EXPECT_LT(now, 0.1 * away) << "sample " << n;
      EXPECT_GT(after.latent.sd.row(n).minCoeff(), 0);
      EXPECT_LT(after.latent.sd.row(n).maxCoeff(), 0.3) << "it is known where it is";
      Index changed = 0;
      for (Index i = 0; i < after.latent.mean.rows(); ++i)
        changed += after.latent.mean.row(i) != before.latent.mean.row(i);
      EXPECT_EQ(changed, moved) << "it counts the samples that it moves";
      EXPECT_EQ(parameters(after.views[0].kernel),
                parameters(before.views[0].kernel));  // and moves nothing else
      EXPECT_EQ(after.views[0].noise_variance, before.views[0].noise_variance);
    }
}

TEST(Relocate, LeavesAnOptimumAlone) {
  for (const Settled* s : {&complete(), &with_holes()})
    for (const std::uint64_t seed : {3, 4, 5}) {
      GplvmParameters p = s->at;
      EXPECT_EQ(run(*s, p, Rng(seed)), 0) << seed;
      EXPECT_TRUE(same_bytes(p.latent.mean, s->at.latent.mean));
      EXPECT_TRUE(same_bytes(p.latent.sd, s->at.latent.sd));
    }
}

// With errors of zero everywhere they would reward crowded places.
TEST(Relocate, ColumnsThatDoNotVaryDoNotMatter) {
  const Settled& s = complete();
  Settled padded = s;
  const Index N = s.scaled.data.rows();
  Matrix wide = Matrix::Zero(N, 230);
  wide.leftCols(30) = s.scaled.data.view(0).Y;
  padded.scaled.data = join({make_view("y", wide)});
  padded.filled = {wide};
  GplvmParameters plain = scattered(s), other = scattered(s);
  EXPECT_EQ(run(padded, other), run(s, plain));
  // The sums run over more columns, so the last digits differ; a sample moves by 1.5 and more.
  EXPECT_LT((other.latent.mean - plain.latent.mean).cwiseAbs().maxCoeff(), 1e-3);
  GplvmParameters settled = s.at;
  EXPECT_EQ(run(padded, settled), 0);
}

TEST(Relocate, WhatASampleGainsMustBeMoreThanAskedFor) {
  const Settled& s = complete();
  GplvmParameters p = scattered(s);
  EXPECT_EQ(relocate(s.scaled, s.filled, p, 1e9, Rng(3), Threads(1)), 0);
  EXPECT_TRUE(same_bytes(p.latent.mean, scattered(s).latent.mean));
  EXPECT_GT(relocate(s.scaled, s.filled, p, 0, Rng(3), Threads(1)), Index(stray.size()))
      << "nearly every sample gains a little among other functions";
}

TEST(Relocate, IsAFunctionOfTheSeedAndOfNoThread) {
  const Settled& s = with_holes();
  GplvmParameters one = scattered(s);
  const Index moved = run(s, one);
  for (const int threads : {1, 2, 7}) {
    GplvmParameters again = scattered(s);
    EXPECT_EQ(run(s, again, Rng(3), threads), moved);
    EXPECT_TRUE(same_bytes(again.latent.mean, one.latent.mean)) << threads;
    EXPECT_TRUE(same_bytes(again.latent.sd, one.latent.sd)) << threads;
  }
  GplvmParameters other = scattered(s);
  run(s, other, Rng(4));
  EXPECT_FALSE(same_bytes(other.latent.mean, one.latent.mean)) << "other halves";
}

// Twenty samples are too few to learn functions from, so a table of 39 has no two halves.
TEST(Relocate, NeedsSamplesToLearnFrom) {
  const Simulated few = testing::s_curve_table(1, 39, 12);
  const std::vector<GplvmViewOptions> views{{.kernel = "rbf"}};
  const ScaledData scaled = scale_views(few.data, views);
  GplvmParameters p{
      .latent = {Rng(1).normal(39, 2), Matrix::Constant(39, 2, 0.1)},
      .views = {{.kernel = Rbf{.ell = Vector::Ones(2)}, .noise_variance = 0.1, .Z = Matrix(0, 2)}}};
  const Matrix before = p.latent.mean;
  const Index moved = relocate(scaled, {scaled.data.view(0).Y}, p, nats, Rng(3), Threads(1));
  Index changed = 0;
  for (Index n = 0; n < 39; ++n) changed += p.latent.mean.row(n) != before.row(n);
  EXPECT_EQ(changed, moved);
  EXPECT_LE(moved, 19) << "the half of 20 may teach the other, never the half of 19";
  EXPECT_TRUE(p.latent.mean.allFinite());
}

}  // namespace
}  // namespace bochner::relocate_test
