#include "bochner/models/bayes/file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/draws_file.hpp"
#include "bochner/models/bayes/forecast.hpp"
#include "bochner/models/bayes/inference_data.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/models/bayes/spectrum.hpp"
#include "bochner/tables/hdf5.hpp"
#include "src/models/bayes/checkpoint.hpp"
#include "src/models/bayes/draws/posterior_variables.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::file_test {
namespace {

using detail::bayes_checkpoint_from, detail::BayesCheckpoint, detail::checkpoint_group;

using namespace testing;

const Threads threads(1);

/// Two views, one of labels, over time.
BayesData example_data() {
  Matrix counts(20, 3), labels(20, 2);
  Rng rng(1);
  for (Index n = 0; n < 20; ++n) {
    for (Index m = 0; m < 3; ++m) counts(n, m) = double(rng.below(5));
    labels.row(n) << double(rng.below(3)), double(rng.below(2));
  }
  return {.data = join({make_view("counts", counts), make_view("labels", labels)}),
          .classes = {{}, {{"a", "b", "c"}, {"no", "yes"}}},
          .axis = {.time = Vector::LinSpaced(20, 0, 1)}};
}

BayesOptions example_options() {
  BayesOptions o{
      .frequencies = 4,
      .views = {{.likelihood = BayesLikelihood::negbinom}, {.likelihood = BayesLikelihood::categorical}},
      .latent = {true, PathKind::matern52},
      .chains = 2,
      .warmup = 4,
      .draws = 6,
      .stored = 4,
      .start = BayesStart::pca};
  o.priors.noise_scale = 0.123;
  return o;
}

TEST(BayesFile, GivesTheModelBackToTheBit) {
  const BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads);
  TempFolder folder;
  write_bayes(folder.file("model.bochner"), fit);
  const BayesFit read = read_bayes(folder.file("model.bochner"));
  EXPECT_EQ(format_model(bayes_group(read)), format_model(bayes_group(fit)));
  EXPECT_EQ(read.options.priors.noise_scale, 0.123);
  EXPECT_EQ(read.views[1].class_names, fit.views[1].class_names);
  const std::vector<Matrix> X = embed(fit, example_data(), Rng(2), threads),
                            Z = embed(read, example_data(), Rng(2), threads);
  for (std::size_t s = 0; s < X.size(); ++s) EXPECT_EQ(X[s], Z[s]);
  EXPECT_EQ(forecast(fit, 3, 0.1, Rng(1))[0], forecast(read, 3, 0.1, Rng(1))[0]);
}

TEST(BayesFile, CheckpointsGoOnWithTheSameBytes) {
  const BayesFit whole = fit_bayes(example_data(), example_options(), 1, threads);
  ModelGroup at;
  fit_bayes(example_data(), example_options(), 1, threads, {.on_sweep = [&](const BayesProgress& now) {
              if (now.sweep == 7) at = now.checkpoint();
              return now.sweep < 7;
            }});
  const ModelGroup read = parse_model(format_model(at), "checkpoint");
  const BayesFit resumed = fit_bayes(example_data(), example_options(), 1, threads, {.resume = &read});
  EXPECT_EQ(format_model(bayes_group(resumed)), format_model(bayes_group(whole)));
}

TEST(BayesFile, CheckpointsOfTheStartGoOnWithTheSameBytes) {
  BayesOptions options = example_options();
  options.start = BayesStart::variational;
  const BayesFit whole = fit_bayes(example_data(), options, 1, threads);
  for (const bool done : {false, true}) {
    ModelGroup at;
    Index heard = 0;
    fit_bayes(example_data(), options, 1, threads, {.on_start = [&](const BayesStartProgress& now) {
                if (done ? !now.done : ++heard < 30) return true;
                at = now.checkpoint();
                return false;
              }});
    EXPECT_EQ(at.has("start"), !done);
    EXPECT_EQ(bayes_checkpoint_progress(at).start_done, done);
    const ModelGroup read = parse_model(format_model(at), "checkpoint");
    EXPECT_EQ(format_model(checkpoint_group(bayes_checkpoint_from(read))), format_model(at));
    const BayesFit resumed = fit_bayes(example_data(), options, 1, threads, {.resume = &read});
    EXPECT_EQ(format_model(bayes_group(resumed)), format_model(bayes_group(whole)));
  }
}

TEST(BayesFile, CheckpointsWithoutTheBeginningFindItAgain) {
  BayesOptions options = example_options();
  options.start = BayesStart::variational;
  ModelGroup at;
  const BayesFit whole =
      fit_bayes(example_data(), options, 1, threads, {.on_sweep = [&](const BayesProgress& now) {
                  if (now.sweep == 7) at = now.checkpoint();
                  return true;
                }});
  BayesCheckpoint older = bayes_checkpoint_from(at);
  older.beginnings.clear();  // as earlier releases wrote them
  at = checkpoint_group(older);
  const ModelGroup read = parse_model(format_model(at), "checkpoint");
  const BayesFit resumed = fit_bayes(example_data(), options, 1, threads, {.resume = &read});
  EXPECT_EQ(format_model(bayes_group(resumed)), format_model(bayes_group(whole)));
}

TEST(BayesFile, ReadsTheStatusOfEarlierReleases) {
  BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads);
  EXPECT_EQ(bayes_group(fit).text("status"), "finished");  // six draws
  fit.status = Status::converged;                          // as they wrote it for all that took their draws
  ASSERT_EQ(bayes_group(fit).text("status"), "converged");
  EXPECT_EQ(bayes_from(bayes_group(fit)).status, Status::iteration_limit);
  fit.status = Status::stopped_by_callback;
  EXPECT_EQ(bayes_from(bayes_group(fit)).status, Status::stopped_by_callback);
  fit.monitors = {{"f counts/1 of s1", 1.0, 500, 500}};
  fit.status = Status::converged;
  EXPECT_EQ(bayes_from(bayes_group(fit)).status, Status::converged);
}

TEST(BayesFile, ReadsModelsOfReleasesWithoutSpectra) {
  BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads);
  EXPECT_GT(fit.views[0].draws[0].spectrum.components(), 0);
  EXPECT_NO_THROW(spectral_posterior(bayes_from(bayes_group(fit)).views[0]));
  for (BayesViewFit& view : fit.views)
    for (BayesFunctions& draw : view.draws) draw.spectrum = {};
  const BayesFit read = bayes_from(bayes_group(fit));
  EXPECT_EQ(read.views[0].draws[0].spectrum.components(), 0);
  EXPECT_THROW(spectral_posterior(read.views[0]), InputError);
  TempFolder folder;
  write_inference_data(folder.file("draws.nc"), {.fit = read, .draws = stored_draws(read)});
  EXPECT_EQ(read_hdf5(folder.file("draws.nc"), "/sample_stats/log_density").cols(), 2);
}

TEST(BayesFile, RefusesDamagedSpectra) {
  BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads);
  fit.views[0].draws[0].spectrum.concentration = -1;
  EXPECT_THROW(bayes_from(bayes_group(fit)), InputError);
  fit.views[0].draws[0].spectrum.concentration = 1;
  fit.views[0].draws[0].spectrum.means.resize(1, 5);
  EXPECT_THROW(bayes_from(bayes_group(fit)), InputError);
}

TEST(BayesFile, HasTheMedianSizeOfRows) {
  BayesOptions options = example_options();
  options.views[0].likelihood = BayesLikelihood::gaussian;
  BayesFit fit = fit_bayes(example_data(), options, 1, threads);
  EXPECT_FALSE(bayes_group(fit).group("views").group("0").has("row_median"));  // as in earlier files
  EXPECT_EQ(bayes_from(bayes_group(fit)).views[0].row_median, 0);
  fit.views[0].row_median = 0.1;
  EXPECT_EQ(bayes_from(bayes_group(fit)).views[0].row_median, 0.1);
  fit.views[0].row_median = std::numeric_limits<double>::infinity();
  EXPECT_THROW(bayes_from(bayes_group(fit)), InputError);
  fit.views[0].row_median = 0;
  fit.views[1].row_median = 0.1;  // of labels
  EXPECT_THROW(bayes_from(bayes_group(fit)), InputError);
}

TEST(BayesFile, RefusesWhatItIsNot) {
  ModelGroup other;
  other.set("model", "kpca");
  EXPECT_THROW(bayes_from(other), InputError);
  EXPECT_THROW(bayes_checkpoint_from(other), InputError);
  EXPECT_THROW(parse_bayes_likelihood("possion"), InputError);
}

/// All draws, stopped after some and gone on with, or in one go: the same file.
TEST(DrawsFile, HoldsAllDrawsWhateverHappened) {
  TempFolder folder;
  const auto record = [&](const std::string& name, Index stop) {
    ModelGroup at;
    {
      DrawsLog log(folder.file(name + ".log"), 0);
      const BayesFit fit =
          fit_bayes(example_data(), example_options(), 1, threads,
                    {.on_sweep =
                         [&](const BayesProgress& now) {
                           if (now.sweep == stop) {
                             log.flush();
                             at = now.checkpoint();
                           }
                           return now.sweep < stop + 1;  // one sweep more than the checkpoint knows of
                         },
                     .on_draw = [&](const BayesDraw& draw) { log.add(draw); }});
      if (!at.has("chains"))
        write_inference_data(folder.file(name + ".nc"), {.fit = fit, .draws = log.draws(fit)});
    }
    if (!at.has("chains")) return;
    DrawsLog log(folder.file(name + ".log"), bayes_checkpoint_progress(at).draws);
    const BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads,
                                   {.on_draw = [&](const BayesDraw& draw) { log.add(draw); }, .resume = &at});
    write_inference_data(folder.file(name + ".nc"), {.fit = fit, .draws = log.draws(fit)});
  };
  record("whole", 1000);
  record("stopped", 6);
  record("at_the_end", 10);
  EXPECT_EQ(slurp(folder.file("stopped.nc")), slurp(folder.file("whole.nc")));
  EXPECT_EQ(slurp(folder.file("at_the_end.nc")), slurp(folder.file("whole.nc")));
  const Table density = read_hdf5(folder.file("whole.nc"), "/sample_stats/log_density");
  EXPECT_EQ(density.rows(), 2);
  EXPECT_EQ(density.cols(), 6);
}

/// Draws of a chain that a fit leaves out are in the log, and nowhere behind it.
TEST(DrawsFile, IsWithoutChainsThatAreLeftOut) {
  TempFolder folder;
  DrawsLog log(folder.file("draws.log"), 0);
  std::vector<Matrix> second;
  BayesFit fit =
      fit_bayes(example_data(), example_options(), 1, threads, {.on_draw = [&](const BayesDraw& draw) {
                  log.add(draw);
                  if (draw.chain == 1) second.push_back(draw.X);
                }});
  ASSERT_EQ(fit.options.chains, 2);
  fit.left_out = {{0, 12.5}};
  const BayesDraws draws = log.draws(fit);
  EXPECT_EQ(draws.chains, 1);
  std::vector<Matrix> read;
  draws.each([&](const BayesDraw& draw) {
    EXPECT_EQ(draw.chain, 0);
    read.push_back(draw.X);
  });
  EXPECT_EQ(read, second);
  const BayesFit again = bayes_from(bayes_group(fit));
  ASSERT_EQ(again.left_out.size(), 1u);
  EXPECT_EQ(again.left_out[0].chain, 0);
  EXPECT_EQ(again.left_out[0].gap, 12.5);
}

/// Paths have no order that chains share: they are summarised in ascending order, as in the table of R-hats.
TEST(DrawsFile, HasScalarsOfPathsInAscendingOrder) {
  const BayesFit fit = fit_bayes(example_data(), example_options(), 1, threads);
  bool descends = false;  // in the chains themselves
  Index checked = 0;
  stored_draws(fit).each([&](const BayesDraw& draw) {
    descends = descends || draw.paths[0].ell > draw.paths[1].ell;
    for (const PosteriorVariable& variable : posterior_variables(fit)) {
      if (!variable.name.starts_with("path_")) continue;
      double values[2] = {0, 0};
      ASSERT_EQ(variable.size, 2);
      variable.get(draw, values);
      EXPECT_LE(values[0], values[1]);
      const bool scale = variable.name == "path_length_scale";
      EXPECT_EQ(values[0], scale ? std::min(draw.paths[0].ell, draw.paths[1].ell)
                                 : std::min(draw.paths[0].variance, draw.paths[1].variance));
      ++checked;
    }
  });
  EXPECT_TRUE(descends);
  EXPECT_EQ(checked, 2 * static_cast<Index>(fit.X.size()));
}

/// Chains are compared, and go on as copies, also in a run that was stopped before.
TEST(BayesFile, ComparedChainsGoOnWithTheSameBytes) {
  BayesOptions options = example_options();
  options.starts = {BayesStart::pca, BayesStart::random, BayesStart::spectral};
  options.warmup = 80;
  options.draws = 4;
  std::vector<std::size_t> chains;
  std::vector<ModelGroup> at;
  const BayesFit whole =
      fit_bayes(example_data(), options, 1, threads, {.on_sweep = [&](const BayesProgress& now) {
                  if (now.sweep == 15 || now.sweep == 20 || now.sweep == 21 || now.sweep == 40) {
                    at.push_back(now.checkpoint());
                    chains.push_back(bayes_checkpoint_from(at.back()).chains.size());
                  }
                  return true;
                }});
  EXPECT_EQ(chains, (std::vector<std::size_t>{3, 3, 2, 2}));
  for (const ModelGroup& checkpoint : at) {
    const ModelGroup read = parse_model(format_model(checkpoint), "checkpoint");
    const BayesFit resumed = fit_bayes(example_data(), options, 1, threads, {.resume = &read});
    EXPECT_EQ(format_model(bayes_group(resumed)), format_model(bayes_group(whole)));
  }
}

}  // namespace
}  // namespace bochner::file_test
