// How a start climbs: phases, what it gives at the end, and what it says about it.
#include "src/models/gplvm/ascent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bochner/core/errors.hpp"
#include "changed_group.hpp"
#include "examples.hpp"
#include "src/models/gplvm/start.hpp"

namespace bochner::ascent_test {
namespace {

using testing::expect_same_fit;

Simulated table(int which, bool with_missing) {
  const MissingOptions missing =
      with_missing ? MissingOptions{.samples = 0.1, .entries = 0.15} : MissingOptions{};
  if (which == 0) return testing::s_curve_table(1, 40, 8, {.entries = missing.entries});
  if (which == 1) return testing::two_tables(2, 44, 5, missing);
  return testing::s_curve_table(3, 30, 40, {.entries = missing.entries});  // wider than long
}

double best_of_trace(const GplvmFit& fit) {
  double best = -std::numeric_limits<double>::infinity();
  for (const GplvmStep& step : fit.trace)
    if (step.start == fit.start) best = std::max(best, step.objective);
  return best;
}

Index last_step(const GplvmFit& fit) {
  Index last = 0;
  for (const GplvmStep& step : fit.trace)
    if (step.start == fit.start) last = step.step;
  return last;
}

/// What every fit promises, however it ended.
void expect_the_best_of_its_start(const GplvmFit& fit, const GplvmOptions& options) {
  const double best = best_of_trace(fit);
  EXPECT_GE(fit.objective, best - 1e-12 * std::abs(best));
  EXPECT_EQ(fit.objective, fit.start_objectives[std::size_t(fit.start)]);
  EXPECT_LE(fit.steps, options.steps);
  for (const GplvmView& view : fit.views) EXPECT_EQ(kernel_name(view.kernel), options.view.kernel);
  EXPECT_TRUE(fit.latent.mean.allFinite());
}

struct Case {
  int table;
  const char* kernel;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.kernel << " of table " << one.table; }
class GplvmAscents : public ::testing::TestWithParam<Case> {};

TEST_P(GplvmAscents, GiveTheBestOfTheirTrace) {
  for (const bool with_missing : {false, true}) {
    const Simulated truth = table(GetParam().table, with_missing);
    for (const Index steps : {40, 300}) {
      SCOPED_TRACE(::testing::Message()
                   << (with_missing ? "missing values, " : "complete, ") << steps << " steps");
      const GplvmOptions options{.view = {.kernel = GetParam().kernel},
                                 .steps = steps,
                                 .cooling = 40,
                                 .patience = 20,
                                 .restarts = 1};
      expect_the_best_of_its_start(fit_gplvm(truth.data, options, 1, Threads(1)), options);
    }
  }
}

TEST_P(GplvmAscents, GiveTheBestOfTheirTraceWhenStopped) {
  const Simulated truth = table(GetParam().table, true);
  for (const Index at : {1, 7, 35, 60, 101}) {  // in the climb and the cooling, before and after the release
    SCOPED_TRACE(::testing::Message() << "stopped after " << at);
    const GplvmOptions options{
        .view = {.kernel = GetParam().kernel}, .steps = 120, .cooling = 30, .race = false, .restarts = 2};
    Index seen = 0;
    const GplvmFit fit = fit_gplvm(truth.data, options, 1, Threads(1),
                                   {.on_step = [&](const GplvmProgress&) { return ++seen < at; }});
    EXPECT_EQ(fit.status, Status::stopped_by_callback);
    EXPECT_EQ(fit.trace.size(), std::size_t(at));
    expect_the_best_of_its_start(fit, options);
  }
}

TEST_P(GplvmAscents, CountTheStepsOfTheirStart) {
  const Simulated truth = table(GetParam().table, false);
  for (const Index at : {1, 7, 35, 60, 101, 1000}) {
    const GplvmOptions options{
        .view = {.kernel = GetParam().kernel}, .steps = 120, .cooling = 30, .race = false, .restarts = 1};
    Index seen = 0;
    const GplvmFit fit = fit_gplvm(truth.data, options, 1, Threads(1),
                                   {.on_step = [&](const GplvmProgress&) { return ++seen < at; }});
    EXPECT_EQ(fit.steps, last_step(fit)) << "stopped after " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(TablesAndKernels, GplvmAscents,
                         ::testing::Values(Case{0, "rbf"}, Case{0, "sm"}, Case{0, "ngsm"}, Case{1, "rbf"},
                                           Case{1, "sm"}, Case{1, "ngsm"}, Case{2, "rbf"}, Case{2, "sm"},
                                           Case{2, "ngsm"}),
                         [](const auto& named) {
                           return std::string(named.param.kernel) + "_" + std::to_string(named.param.table);
                         });

/// The bound at the parameters of a fit to a complete table, with its standard error.
std::pair<double, double> bound_of(const GplvmFit& fit, const Dataset& data, const GplvmOptions& options) {
  const std::vector<GplvmViewOptions> views(fit.views.size(), options.view);
  const ScaledData scaled = scale_views(data, views);
  GplvmParameters at{.latent = fit.latent};
  std::vector<Matrix> filled;
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    at.views.push_back({.kernel = fit.views[v].kernel,
                        .noise_variance = fit.views[v].noise_variance,
                        .Z = Matrix(0, fit.dims())});
    filled.push_back(scaled.data.view(Index(v)).Y);
  }
  GplvmObjective f = make_objective(scaled.data, filled, views, {.kind = FeatureSpec::Kind::exact},
                                    FloatingPoint::double_precision, std::move(at), Rng(77), Threads(1));
  const Vector theta = f.start();
  const Index draws = 100;
  Vector grad(theta.size()), values(draws);
  for (Index i = 0; i < draws; ++i) values(i) = f(theta, i, grad) * double(f.observed());
  return {values.mean(), std::sqrt((values.array() - values.mean()).square().mean() / double(draws))};
}

// A running mean lags behind a rising bound and is a lucky one among many: neither makes it another number.
TEST(GplvmObjectiveOfAFit, IsTheBoundAtItsParameters) {
  const Simulated truth = table(1, false);
  for (const char* kernel : {"rbf", "sm", "ngsm"})
    for (const Index stop : {1000, 30}) {
      const GplvmOptions options{.view = {.kernel = kernel},
                                 .steps = 300,
                                 .cooling = 60,
                                 .patience = 30,
                                 .race = false,
                                 .restarts = 1};
      Index seen = 0;
      const GplvmFit fit = fit_gplvm(truth.data, options, 1, Threads(1),
                                     {.on_step = [&](const GplvmProgress&) { return ++seen < stop; }});
      const auto [bound, se] = bound_of(fit, truth.data, options);
      const double gained = fit.objective - fit.trace.front().draw;
      EXPECT_GT(gained, 0);
      if (stop > 300) {
        EXPECT_NEAR(bound, fit.objective, 4 * se + 0.02 * gained) << kernel;
      } else {  // stopped while it climbs, where the mean is of the 30 steps before
        EXPECT_GT(bound, fit.objective - 4 * se - 0.02 * gained) << kernel;
      }
    }
}

/// The checkpoint of every step of the winning start, and what each phase had reached at its end.
struct Phases {
  struct One {
    std::string name;
    bool released;
    double best;
    Index steps = 0;
    bool moved = false;  // samples, before it began
  };
  std::map<Index, std::vector<One>> of;  // by start
  std::map<Index, double> first;

  GplvmHooks hooks(double entries) {
    return {.on_step = [this, entries](const GplvmProgress& progress) {
      const Index start = progress.step.start;
      if (progress.step.step == 1) first[start] = progress.step.draw;
      const ModelGroup group = progress.checkpoint();
      const detail::GplvmCheckpoint c = detail::gplvm_checkpoint_from(group);
      std::vector<One>& list = of[start];
      // A phase begins with its first step, and a second check is a phase of its own.
      if (list.empty() || list.back().name != group.text("phase") || list.back().released != c.released ||
          c.run.iteration <= list.back().steps)
        list.push_back({group.text("phase"), c.released, 0});
      list.back().best = -c.run.best_value * entries;
      list.back().steps = c.run.iteration;
      list.back().moved = c.moved;
      return true;
    }};
  }
};

TEST(GplvmStatus, IsConvergedOnlyIfACheckGainedNothing) {
  Index converged = 0, not_converged = 0;
  for (const char* kernel : {"rbf", "sm", "ngsm"})
    for (const auto& [steps, cooling] : {std::pair<Index, Index>{1500, 60}, {160, 30}, {90, 22}, {50, 4}}) {
      const Simulated truth = table(0, true);
      const GplvmOptions options{.view = {.kernel = kernel},
                                 .steps = steps,
                                 .cooling = cooling,
                                 .patience = 15,
                                 .tolerance = 0.02,
                                 .race = false,
                                 .restarts = 2};
      Phases phases;
      const GplvmFit fit =
          fit_gplvm(truth.data, options, 1, Threads(1), phases.hooks(double(truth.data.observed())));
      SCOPED_TRACE(::testing::Message() << kernel << ", " << steps << " steps, start " << fit.start);
      const std::vector<Phases::One>& list = phases.of[fit.start];
      const Phases::One& last = list.back();
      EXPECT_TRUE(last.released);
      const double gained = last.best - phases.first[fit.start];
      const bool settled = list.size() > 1 && last.name == "check" && list[list.size() - 2].released &&
                           last.best - list[list.size() - 2].best < 0.005 * gained &&
                           !(last.moved && last.best <= list[list.size() - 2].best);
      EXPECT_EQ(fit.status, settled ? Status::converged : Status::iteration_limit);
      (settled ? converged : not_converged) += 1;
      for (std::size_t i = 0; i + 1 < list.size();
           ++i) {  // climb, cool, check, check ..., twice for a mixture
        const std::string &now = list[i].name, &next = list[i + 1].name;
        EXPECT_TRUE((now == "climb" && next == "cool") || (now != "climb" && next == "check") ||
                    (!list[i].released && list[i + 1].released && now == "cool" && next == "climb"))
            << now << " then " << next;
      }
      EXPECT_EQ(list.front().released, std::string(kernel) == "rbf" || fit.start % 2 == 1);
    }
  EXPECT_GE(converged, 2);
  EXPECT_GE(not_converged, 2);
}

/// Every kind of moment that a run can be interrupted in.
TEST(GplvmResumeInEveryPhase, ContinuesToTheSameBytes) {
  const Simulated truth = table(0, true);
  const GplvmOptions options{.view = {.kernel = "ngsm"},
                             .steps = 150,
                             .cooling = 10,
                             .patience = 8,
                             .tolerance = 0.05,
                             .race = false,
                             .restarts = 2};
  std::map<std::string, std::vector<ModelGroup>>
      taken;  // the first and the last step of each phase of each start
  const GplvmFit whole =
      fit_gplvm(truth.data, options, 1, Threads(1), {.on_step = [&](const GplvmProgress& p) {
                  const ModelGroup group = p.checkpoint();
                  const std::string key = std::to_string(p.step.start) + " " + group.text("phase") +
                                          (group.flag("released") ? " released" : " simple");
                  std::vector<ModelGroup>& of = taken[key];
                  if (of.size() < 3)
                    of.push_back(group);
                  else
                    of[2] = group;
                  return true;
                }});
  std::set<std::string> moments;
  for (const auto& [key, groups] : taken) {
    moments.insert(key);
    for (const ModelGroup& group : groups) {
      SCOPED_TRACE(key + ", after " + std::to_string(group.matrix("trace").rows()));
      expect_same_fit(whole, fit_gplvm(truth.data, options, 1, Threads(2), {.resume = &group}));
    }
  }
  EXPECT_EQ(moments, (std::set<std::string>{"0 climb simple", "0 cool simple", "0 climb released",
                                            "0 cool released", "0 check released", "1 climb released",
                                            "1 cool released", "1 check released"}));
  // The end of another fit does not fit in.
  const ModelGroup bad = testing::with(taken["1 cool released"][0], "best_theta", Vector(Vector::Ones(2)));
  EXPECT_THROW(fit_gplvm(truth.data, options, 1, Threads(1), {.resume = &bad}), InputError);
}

TEST(GplvmAscentOfOneStep, TakesOneStep) {
  const Simulated truth = table(0, false);
  for (const char* kernel : {"rbf", "sm", "ngsm"})
    for (const Index steps : {1, 2, 3, 5}) {
      const GplvmOptions options{.view = {.kernel = kernel}, .steps = steps, .race = false, .restarts = 1};
      const GplvmFit fit = fit_gplvm(truth.data, options, 1, Threads(1));
      EXPECT_EQ(Index(fit.trace.size()), steps) << kernel;
      EXPECT_EQ(fit.steps, steps) << kernel;
    }
}

}  // namespace
}  // namespace bochner::ascent_test
