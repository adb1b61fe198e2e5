#include "bayes_runs.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/run/any_fit.hpp"
#include "run_files.hpp"

namespace bochner::testing::bayes_options_test {

namespace {

TEST_F(Bayes, RefusesInOneMessage) {
  const auto refused = [&](const std::vector<std::string>& arguments, const char* message) {
    const Outcome outcome = run(std::vector<std::string>{"fit", "--inference", "mcmc"} + arguments);
    EXPECT_EQ(outcome.code, 1) << message;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  refused({"--view", "counts=counts.csv:bernoulli", "--time", "t"}, "is neither 0 nor 1");
  refused({"--view", "counts=counts.csv:binomial", "--time", "t"}, "--trials counts=N");
  refused({"--view", "counts=counts.csv:binomial", "--time", "t", "--trials", "1"},
          "exceeds its number of trials");
  refused({"--view", "counts=counts.csv:poisson", "--time", "when"}, "no view has a column 'when'");
  refused({"--view", "counts=counts.csv", "--likelihood", "possion"}, "'possion' is no likelihood");
  refused({"--view", "counts=counts.csv", "--likelihood", "possion"}, "did you mean 'poisson'?");
  folder.write("negative.csv", "bin,a,b\nb0,1,2\nb1,3,-4\nb2,0,1\n");
  refused({"--view", "counts=counts.csv", "--view", "other=negative.csv:poisson"},
          "negative.csv, view 'other', sample 'b1', column 'b': -4 is not a count");
  for (const char* word : {"counts=counts.csv:poison", "counts.csv:poison"})
    refused({"--view", word, "--time", "t"},
            "counts.csv: 'poison' is neither in the file nor a likelihood; did you mean 'poisson'? The "
            "likelihoods, which require --inference mcmc of 'bochner fit', are 'gaussian', 'poisson', "
            "'negbinom'");
  folder.write("large.csv", "bin,a,b\nb0,1,2\nb1,3,-4e300\nb2,0,1\nb3,0,2\n");
  refused({"--view", "y=large.csv"},
          "view 'y', sample 'b1', column 'b': -4e+300 is too large to be squared (the limit is 1e150)");
  refused({"--view", "counts=counts.csv", "--steps", "5"}, "--steps applies to --inference variational only");
  refused({"--view", "counts=counts.csv", "--forecast", "5"}, "--forecast requires times");
  refused({"--view", "counts=counts.csv", "--trials", "counts=5"}, "use --view NAME=TABLE:binomial");
  refused({"--view", "counts=counts.csv", "--time-kernel", "walk"},
          "--time-kernel requires latents over time");
  refused({"--view", "counts=counts.csv", "--prior", "lengthscale=lognormal:1:1"},
          "--prior: 'lengthscale=lognormal:1:1' is of latents over time; use --time");
  refused({"--view", "counts=counts.csv", "--prior", "noise=gamma:1:1"},
          "--prior: 'noise=gamma:1:1' cannot be read; use noise=inversegamma:SHAPE:SCALE");
  refused({"--view", "counts=counts.csv", "--group", "trial"}, "--group separates trials");
  refused({"--view", "counts=counts.csv", "--meta", "meta.csv", "--time", "half"}, "have the same time");
  refused({"--view", "counts=counts.csv", "--kernel", "matern32"}, "learns its kernels");
  expect_refusal(run({"fit", "--view", "counts=counts.csv:poisson"}), 1,
                 {"counts.csv:poisson: the likelihood poisson requires --inference mcmc"});
  expect_refusal(run({"fit", "--view", "counts=counts.csv:poison"}), 1,
                 {"counts.csv", "did you mean 'poisson'?", "'negbinom'"});
}

TEST_F(Bayes, OptionsOfTheOtherInferenceAreRefusedWhateverTheirValue) {
  expect_refusal(run({"fit", "--view", "counts.csv", "--chains", "2"}), 1,  // the default
                 {"--chains applies to --inference mcmc only"});
  expect_refusal(run({"fit", "--view", "counts.csv", "--inference", "mcmc", "--steps", "600"}), 1,
                 {"--steps applies to --inference variational only"});
  folder.write("job.toml", "command = 'fit'\nview = ['counts.csv']\nchains = 2\n");
  expect_refusal(run({"fit", "--config", "job.toml"}), 1,
                 {"job.toml, line 3: chains applies to --inference mcmc only"});
  expect_refusal(run({"fit", "--view", "counts.csv", "--inference", "exact"}), 1,
                 {"--inference is 'exact', but must be variational or mcmc"});
}

TEST_F(Bayes, EarlierNamesOfOptionsAreUnderstood) {
  const std::vector<std::string> few{"--view",        "counts.csv:poisson",
                                     "--time",        "t",
                                     "--frequencies", "3",
                                     "--chains",      "1",
                                     "--warmup",      "2",
                                     "--draws",       "3",
                                     "--quiet"};
  ASSERT_EQ(run(std::vector<std::string>{"fit", "--inference", "mcmc", "--out", "new"} + few).code, 0);
  ASSERT_EQ(run(std::vector<std::string>{"fit", "--model", "bayes", "--out", "old"} + few).code, 0);
  EXPECT_EQ(contents(folder.file("new")), contents(folder.file("old")));
  expect_refusal(run({"fit", "--view", "counts.csv", "--model", "bayes", "--inference", "mcmc"}), 1,
                 {"--inference is given 2 times"});
  folder.write("job.toml", "model = 'bayes'\ninference = 'mcmc'\n");
  expect_refusal(run({"fit", "--config", "job.toml"}), 1, {"job.toml, line 2", "another name of inference"});
}

TEST_F(Bayes, ConfigurationsRecordTheOptionsOfTheirInferenceAndReplay) {
  folder.write("a.csv", "id,a,b\ns0,1,2\ns1,3,4\ns2,0,1\ns3,2,2\n");
  ASSERT_EQ(run({"fit", "--view", "a.csv", "--steps", "3", "--dims", "1", "--out", "run", "--quiet"}).code,
            0);
  const std::string config = slurp(folder.file("run/config.toml"));
  EXPECT_NE(config.find("\nsteps = 3\n"), std::string::npos) << config;
  EXPECT_EQ(config.find("chains"), std::string::npos) << config;
  ASSERT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), contents(folder.file("run")));
  // Earlier versions recorded the options of both, at their defaults.
  folder.write("old.toml",
               "verb = 'fit'\nview = ['a.csv']\nsteps = 3\ndims = 1\nmodel = 'variational'\ncomponents = 2\n"
               "chains = 4\nwarmup = 300\ndraws = 250\nthin = 1\ntime-kernel = 'matern32'\n");
  const Outcome old = run({"fit", "--config", "old.toml", "--out", "old", "--quiet"});
  ASSERT_EQ(old.code, 0) << old.err;
  auto expected = contents(folder.file("run")), found = contents(folder.file("old"));
  EXPECT_EQ(found, expected);
  folder.write("old.toml", "verb = 'fit'\nview = ['a.csv']\nmodel = 'variational'\nchains = 3\n");
  expect_refusal(run({"fit", "--config", "old.toml"}), 1,
                 {"old.toml, line 4: chains applies to --inference mcmc only"});
}

TEST_F(Bayes, WarmUpEndsByItselfIfItIsAskedTo) {
  std::vector<std::string> automatic = fit;
  *(std::find(automatic.begin(), automatic.end(), "--warmup") + 1) = "auto";
  const Outcome planned = run(automatic + std::vector<std::string>{"--dry-run"});
  EXPECT_NE(planned.out.find("after at most 3000 sweeps of warm-up"), std::string::npos) << planned.out;
  const Outcome outcome = run(automatic + std::vector<std::string>{"--out", "run"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const int taken = Json::parse(slurp(folder.file("run/metrics.json")))["warmup"];
  EXPECT_GE(taken, 200);
  EXPECT_LT(taken, 3000);
  EXPECT_EQ(taken % 50, 0);
  EXPECT_NE(outcome.out.find("after " + std::to_string(taken) + " sweeps of warm-up"), std::string::npos)
      << outcome.out;
  const std::string config = slurp(folder.file("run/config.toml"));
  EXPECT_NE(config.find("\nwarmup = \"auto\"\n"), std::string::npos) << config;
  ASSERT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), contents(folder.file("run")));
  expect_refusal(run({"fit", "counts.csv:poisson", "--inference", "mcmc", "--warmup", "soon"}), 1,
                 {"--warmup", "auto or"});
}

TEST_F(Bayes, PriorsAreOptionsAndRecorded) {
  const std::vector<std::string> few{"fit",
                                     "--view",
                                     "counts.csv:poisson",
                                     "--inference",
                                     "mcmc",
                                     "--time",
                                     "t",
                                     "--dims",
                                     "1",
                                     "--frequencies",
                                     "3",
                                     "--chains",
                                     "1",
                                     "--warmup",
                                     "20",
                                     "--draws",
                                     "20",
                                     "--quiet"};
  // So narrow that only the prior says what the length-scale is.
  ASSERT_EQ(run(few + std::vector<std::string>{"--prior", "lengthscale=lognormal:7:0.001", "--prior",
                                               "amplitude=inversegamma:3:2", "--out", "run"})
                .code,
            0);
  const std::string config = slurp(folder.file("run/config.toml"));
  EXPECT_NE(config.find("lengthscale=lognormal:7:0.001"), std::string::npos) << config;
  EXPECT_NE(config.find("amplitude=inversegamma:3:2"), std::string::npos) << config;
  const AnyFit any = read_fit(folder.file("run/model.bochner"));
  const auto& found = std::get<BayesFit>(any);
  EXPECT_EQ(found.options.priors.ell_median, 7);
  EXPECT_EQ(found.options.priors.amplitude_scale, 2);
  for (const auto& paths : found.paths) EXPECT_NEAR(paths[0].ell, 7, 0.1);
  ASSERT_EQ(run({"fit", "--config", "run/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), contents(folder.file("run")));
}

TEST_F(Bayes, LikelihoodsBehindTablesRequireMcmc) {
  folder.write("s.csv", "id,a,poisson\ns0,1,2\ns1,3,4\ns2,0,1\ns3,2,2\n");
  for (const char* command : {"fit", "kpca"})
    expect_refusal(run({command, "--view", "s=s.csv:poisson"}), 1,
                   {"s.csv:poisson: the likelihood poisson requires --inference mcmc"});
  EXPECT_EQ(run({"fit", "--view", "s=s.csv:a", "--steps", "2", "--quiet"}).code, 0);  // a column
}

}  // namespace
}  // namespace bochner::testing::bayes_options_test
