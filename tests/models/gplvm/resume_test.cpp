// A fit is a function of data, options and seed: not of threads, not of interruptions.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "bochner/models/gplvm/relevance.hpp"
#include "examples.hpp"
#include "src/models/gplvm/checkpoint.hpp"

namespace bochner::resume_test {
namespace {

using testing::expect_same_fit;
using testing::short_options;
using Kind = FeatureSpec::Kind;

const Simulated& example() {
  static const Simulated made = testing::two_tables(5, 48, 6, {.samples = 0.1, .entries = 0.15});
  return made;
}

TEST(GplvmThreads, SameBytesWhateverTheirNumber) {
  for (const Kind kind : {Kind::exact, Kind::random, Kind::nystrom}) {
    GplvmOptions options = short_options();
    options.features = {.kind = kind, .count = kind == Kind::exact ? 0 : 12};
    options.view.kernel = kind == Kind::random ? "ngsm" : "rbf";
    const GplvmFit one = fit_gplvm(example().data, options, 3, Threads(1));
    for (const int threads : {2, 7}) {
      SCOPED_TRACE(threads);
      const GplvmFit many = fit_gplvm(example().data, options, 3, Threads(threads));
      expect_same_fit(one, many);
      const Dataset& data = example().data;
      EXPECT_EQ(embed(one, data, Threads(1)).mean, embed(one, data, Threads(threads)).mean);
      EXPECT_EQ(predict(one.views[0], one.latent, Threads(1)).y_variance,
                predict(one.views[0], one.latent, Threads(threads)).y_variance);
      EXPECT_EQ(relevance(one, data, Threads(1)).by_view, relevance(one, data, Threads(threads)).by_view);
    }
  }
}

TEST(GplvmThreads, ManySamplesInManyBlocks) {
  const Simulated big = testing::s_curve_table(6, 600, 5, {.entries = 0.1});
  for (const bool single : {false, true}) {
    GplvmOptions options = short_options();
    options.steps = 6;
    options.features = {.kind = Kind::random, .count = 30};
    options.precision = single ? FloatingPoint::single_precision : FloatingPoint::double_precision;
    options.race = false;
    const GplvmFit one = fit_gplvm(big.data, options, 3, Threads(1));
    for (const int threads : {2, 7}) expect_same_fit(one, fit_gplvm(big.data, options, 3, Threads(threads)));
  }
}

TEST(GplvmSeed, DecidesEverything) {
  const GplvmFit first = fit_gplvm(example().data, short_options(), 3, Threads(1));
  expect_same_fit(first, fit_gplvm(example().data, short_options(), 3, Threads(1)));
  EXPECT_NE(first.latent.mean, fit_gplvm(example().data, short_options(), 4, Threads(1)).latent.mean);
  EXPECT_EQ(first.seed, 3u);
}

/// Takes checkpoints at the given steps (counted over all starts) without disturbing the fit.
struct Recorder {
  std::set<Index> at;
  std::vector<ModelGroup> taken;
  Index seen = 0;
  GplvmHooks hooks() {
    return {.on_step = [this](const GplvmProgress& progress) {
      if (at.count(++seen)) taken.push_back(progress.checkpoint());
      return true;
    }};
  }
};

void expect_resumes(const GplvmOptions& options, const Recorder& recorder, const GplvmFit& whole) {
  for (const ModelGroup& group : recorder.taken) {
    const detail::GplvmCheckpoint checkpoint = detail::gplvm_checkpoint_from(group);
    SCOPED_TRACE(::testing::Message() << "start " << checkpoint.start << ", after " << checkpoint.trace.size()
                                      << " steps, phase " << group.text("phase"));
    expect_same_fit(whole, fit_gplvm(example().data, options, 3, Threads(1), {.resume = &group}));
  }
}

TEST(GplvmResume, ContinuesToTheSameBytes) {
  for (const bool random : {false, true}) {
    GplvmOptions options = short_options();
    if (random) {
      options.features = {.kind = Kind::random, .count = 10};
      options.precision = FloatingPoint::single_precision;
    }
    // a start is 30 steps and 10 of cooling: first, odd, last before cooling, in it, last of all, second start
    Recorder recorder{.at = {1, 7, 30, 31, 33, 40, 41, 55, 70, 75, 80}};
    const GplvmFit whole = fit_gplvm(example().data, options, 3, Threads(1), recorder.hooks());
    ASSERT_EQ(recorder.seen, 80);
    ASSERT_EQ(recorder.taken.size(), 11u);
    EXPECT_EQ(recorder.taken[2].text("phase"), "climb");
    EXPECT_EQ(recorder.taken[3].text("phase"), "cool");
    EXPECT_EQ(recorder.taken[7].integer("start"), 1);
    expect_same_fit(whole, fit_gplvm(example().data, options, 3, Threads(1)));  // looking changes nothing
    expect_resumes(options, recorder, whole);
  }
}

TEST(GplvmResume, EveryMomentAroundBecomingFlat) {
  // Nothing counts as progress, so that the first phase ends at the patience, by itself.
  GplvmOptions options = short_options();
  options.patience = 5;
  options.tolerance = 1e6;
  for (const Index cooling : {4, 0}) {
    options.cooling = cooling;
    Recorder recorder{.at = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}};
    const GplvmFit whole = fit_gplvm(example().data, options, 3, Threads(1), recorder.hooks());
    if (cooling > 0) {
      EXPECT_EQ(recorder.taken[1].text("phase"), "climb");
      EXPECT_EQ(recorder.taken[3].text("phase"), "cool");
      EXPECT_EQ(recorder.taken[7].text("phase"), "check");
    } else {  // nothing checks what the climb has reached
      EXPECT_LT(whole.steps, 12);
      EXPECT_EQ(whole.status, Status::iteration_limit);
    }
    expect_resumes(options, recorder, whole);
  }
}

TEST(GplvmResume, InterruptedTwice) {
  const GplvmOptions options = short_options();
  const GplvmFit whole = fit_gplvm(example().data, options, 3, Threads(1));
  ModelGroup last;
  const auto stop_after = [&](std::size_t steps) {
    return [&last, steps](const GplvmProgress& progress) {
      if (progress.checkpoint().matrix("trace").rows() < static_cast<Index>(steps)) return true;
      last = progress.checkpoint();
      return false;
    };
  };
  fit_gplvm(example().data, options, 3, Threads(1), {.on_step = stop_after(20)});
  const ModelGroup first = last;
  fit_gplvm(example().data, options, 3, Threads(1), {.on_step = stop_after(50), .resume = &first});
  const ModelGroup second = last;
  EXPECT_EQ(second.matrix("trace").rows(), 50);
  expect_same_fit(whole, fit_gplvm(example().data, options, 3, Threads(1), {.resume = &second}));
}

TEST(GplvmResume, AfterTheFirstGuessesWereCutShort) {
  const GplvmOptions options = short_options();
  const GplvmFit whole = fit_gplvm(example().data, options, 3, Threads(1));
  for (const int patience : {0, 5, 45, 100}) {  // in the trial of each guess
    int asked = 0;
    ModelGroup last;
    const GplvmFit cut = fit_gplvm(example().data, options, 3, Threads(1),
                                   {.on_step =
                                        [&](const GplvmProgress& progress) {
                                          last = progress.checkpoint();
                                          return false;
                                        },
                                    .keep_going = [&] { return asked++ < patience; }});
    EXPECT_EQ(asked, patience + 1) << "asked once more after it had said no";
    EXPECT_EQ(cut.status, Status::stopped_by_callback);
    EXPECT_TRUE(cut.latent.mean.allFinite());
    expect_same_fit(whole, fit_gplvm(example().data, options, 3, Threads(1), {.resume = &last}));
  }
}

TEST(GplvmStop, ByTheCallbackLeavesAUsableFit) {
  const Dataset& data = example().data;
  for (const Index at : {1, 15, 30, 40, 60}) {
    Index seen = 0;
    const GplvmFit fit = fit_gplvm(data, short_options(), 3, Threads(1),
                                   {.on_step = [&](const GplvmProgress&) { return ++seen < at; }});
    EXPECT_EQ(seen, at) << "no step after the one that was told to be the last";
    EXPECT_EQ(fit.status, Status::stopped_by_callback);
    EXPECT_EQ(fit.trace.size(), std::size_t(at));
    EXPECT_TRUE(std::isfinite(fit.objective));
    EXPECT_TRUE(fit.latent.mean.allFinite());
    EXPECT_GT(fit.latent.sd.minCoeff(), 0);
    for (const GplvmView& view : fit.views) {
      const Predictive p = predict(view, fit.latent, Threads(1));
      EXPECT_TRUE(p.mean.allFinite());
      EXPECT_GT(p.f_variance.minCoeff(), 0);
    }
  }
}

TEST(GplvmStop, CountsAtTheVeryStepThatIsFlat) {
  GplvmOptions options = short_options();
  options.patience = 5;
  options.tolerance = 1e6;
  options.cooling = 4;
  Index flat = 0;  // the last step of the first phase
  fit_gplvm(example().data, options, 3, Threads(1), {.on_step = [&](const GplvmProgress& progress) {
              if (progress.checkpoint().text("phase") == "climb" && progress.step.start == 0)
                flat = progress.step.step;
              return true;
            }});
  Index seen = 0;
  const GplvmFit fit = fit_gplvm(example().data, options, 3, Threads(1),
                                 {.on_step = [&](const GplvmProgress&) { return ++seen != flat; }});
  EXPECT_EQ(seen, flat);
  EXPECT_EQ(fit.status, Status::stopped_by_callback);
}

/// A start from scattered latents climbs far below the others: it is left there, without cooling, and resumes as such.
TEST(GplvmResume, GoesOnAfterAStartThatWasLeftBehind) {
  const Index N = example().data.rows();
  const Matrix scattered = Rng(5).normal(N, 2);
  const GplvmOptions options{
      .view = {.kernel = "rbf"}, .steps = 120, .cooling = 30, .patience = 1000, .restarts = 5};
  const auto hooks = [&](std::function<bool(const GplvmProgress&)> on_step, const ModelGroup* resume) {
    return GplvmHooks{.on_step = std::move(on_step), .resume = resume, .begin = &scattered};
  };
  std::vector<Index> steps(5, 0);
  std::vector<ModelGroup> taken;
  const GplvmFit whole = fit_gplvm(example().data, options, 3, Threads(1),
                                   hooks(
                                       [&](const GplvmProgress& now) {
                                         const auto start = static_cast<std::size_t>(now.step.start);
                                         if (++steps[start] == 50 && start >= 3)
                                           taken.push_back(now.checkpoint());
                                         return true;
                                       },
                                       nullptr));
  const Index climb = options.steps - options.cooling;
  EXPECT_EQ(steps[0], options.steps);
  EXPECT_TRUE(std::count(steps.begin() + 1, steps.end(), climb) > 0) << "no start was left behind";
  ASSERT_EQ(taken.size(), 2u);
  for (const ModelGroup& group : taken)
    expect_same_fit(whole, fit_gplvm(example().data, options, 3, Threads(1), hooks({}, &group)));
}

}  // namespace
}  // namespace bochner::resume_test
