#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "bochner/models/gplvm/file.hpp"
#include "bochner/tables/npy.hpp"
#include "fit_runs.hpp"

namespace bochner::testing::fit_test {

namespace {

namespace fs = std::filesystem;

TEST_F(Fit, LeavesTheSameBytesForAnyNumberOfThreads) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("run") + threads;
    const Outcome outcome = run(fit + std::vector<std::string>{"--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");  // no progress bar: this is not a terminal
    for (const char* part :
         {"read  32 samples in 2 views: rna 30 x 5", "fit   kernel ngsm", "verdict: ", "Wrote run"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
    EXPECT_EQ(files_of(folder.file(out)), fit_leaves);
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("2"), one);
  EXPECT_EQ(bytes("7"), one);
}

TEST_F(Fit, ChoosesTheNumberOfDimensions) {
  const auto bytes = [&](const char* threads) {
    const std::string out = std::string("auto") + threads;
    const Outcome outcome =
        run(fit + std::vector<std::string>{"--dims", "auto", "--threads", threads, "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(" chosen; mean squared error of held-out entries "), std::string::npos);
    return contents(folder.file(out));
  };
  const auto one = bytes("1");
  EXPECT_EQ(bytes("3"), one);
  const Json tried = Json::parse(slurp(folder.file("auto1/metrics.json")))["dims_tried"];
  ASSERT_GE(tried.size(), 2u);
  EXPECT_EQ(tried[0]["dims"], 1);
  EXPECT_GT(tried[0]["mse"].get<double>(), 0);
  EXPECT_NE(slurp(folder.file("auto1/config.toml")).find("dims = \"auto\""), std::string::npos);
  ASSERT_EQ(run({"fit", "--config", "auto1/config.toml", "--out", "again", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("again")), one);
  const Outcome chosen =
      run(fit + std::vector<std::string>{"--dims", "auto", "--kernel", "rbf[1]+linear[2]"});
  EXPECT_EQ(chosen.code, 1);
  EXPECT_NE(chosen.err.find("give --dims a number"), std::string::npos) << chosen.err;
}

TEST_F(Fit, ConfigRepeatsTheRun) {
  folder.write("meta.csv", "sample,type\ns31,last\ns0,first\nunknown,x\n");
  const Outcome first = run(
      fit + std::vector<std::string>{"--meta",     "meta.csv",   "--kernel",        "rbf",     "--kernel",
                                     "protein=sm", "--scaling",  "rna=standardise", "--noise", "protein=0.2",
                                     "--seed",     "5",          "--restarts",      "2",       "--dims",
                                     "3",          "--features", "nystrom:12",      "--out",   "first"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.err, "note: 30 samples are not in meta.csv\n");
  ASSERT_EQ(run({"fit", "--config", "first/config.toml", "--out", "second", "--quiet"}).code, 0);
  EXPECT_EQ(contents(folder.file("first")), contents(folder.file("second")));
  EXPECT_EQ(files_of(folder.file("second")).size(), fit_leaves.size() + 1);
  // The annotations come in the order of the latents.
  const TextTable meta = read_csv_text(folder.file("first/meta.csv"));
  EXPECT_EQ(meta.ids, read_csv(folder.file("first/latent.csv")).ids);
  EXPECT_EQ(meta.column("type").front(), "first");
  EXPECT_EQ(meta.column("type").at(1), "");

  const GplvmFit model = read_gplvm(folder.file("first/model.bochner"));
  EXPECT_EQ(kernel_name(model.views[0].kernel), "rbf");
  EXPECT_EQ(kernel_name(model.views[1].kernel), "sm");
  EXPECT_EQ(model.views[0].scaling.kind, ScalingKind::standardise);
  EXPECT_EQ(model.views[1].noise_variance, 0.2);
  EXPECT_EQ(model.start_objectives.size(), 2u);
  EXPECT_EQ(model.dims(), 3);
  EXPECT_EQ(model.seed, 5u);
  const Json metrics = Json::parse(slurp(folder.file("first/metrics.json")));
  EXPECT_EQ(metrics["noise"]["protein"], 0.2);
  EXPECT_FALSE(metrics["noise_sd"].contains("rna"));  // a number for each column

  // Another run in the same folder leaves nothing of the first.
  ASSERT_EQ(run({"fit", "--view", "other=rna.csv", "--steps", "5", "--out", "second", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists(folder.file("second/imputed/protein.csv")) ||
               fs::exists(folder.file("second/meta.csv")));
}

TEST_F(Fit, FilesAgreeWithEachOtherAndWithTheTables) {
  ASSERT_EQ(run(fit + std::vector<std::string>{"--out", "run", "--quiet"}).code, 0);
  const GplvmFit model = read_gplvm(folder.file("run/model.bochner"));
  const Table latent = read_csv(folder.file("run/latent.csv")),
              sd = read_csv(folder.file("run/latent_sd.csv"));
  EXPECT_EQ(latent.columns, (std::vector<std::string>{"z1", "z2"}));
  EXPECT_EQ(latent.ids, model.ids);
  EXPECT_EQ(latent.rows(), 32);
  EXPECT_EQ(latent.values, model.latent.mean);
  EXPECT_EQ(sd.values, model.latent.sd);
  const double z90 = 1.6448536269514722;
  std::vector<View> views;
  for (const char* name : {"rna", "protein"}) {
    const Table table = read_csv(folder.file(std::string(name) + ".csv"));
    views.push_back({name, table.ids, table.columns, table.values});
  }
  const Dataset data = join(views);
  for (const char* name : {"rna", "protein"}) {
    const Table measured = read_csv(folder.file(std::string(name) + ".csv"));
    const std::string path = folder.file(std::string("run/imputed/") + name);
    const Table mean = read_csv(path + ".csv"), low = read_csv(path + "_lo.csv"),
                high = read_csv(path + "_hi.csv");
    ASSERT_EQ(mean.ids, latent.ids);
    ASSERT_EQ(mean.columns, measured.columns);
    const Predictive p = predict(model, name, data, model.latent, Threads(1));
    std::map<std::string, Index> row;
    for (std::size_t n = 0; n < measured.ids.size(); ++n) row[measured.ids[n]] = static_cast<Index>(n);
    Index holes = 0;
    for (Index n = 0; n < mean.rows(); ++n)
      for (Index m = 0; m < mean.cols(); ++m) {
        const auto found = row.find(mean.ids[static_cast<std::size_t>(n)]);
        const double y = found == row.end() ? std::nan("") : measured.values(found->second, m);
        if (!std::isnan(y)) {
          EXPECT_EQ(mean.values(n, m), y);
          EXPECT_EQ(low.values(n, m), y);
          EXPECT_EQ(high.values(n, m), y);
        } else if (mean.columns[static_cast<std::size_t>(m)] == "never") {
          EXPECT_TRUE(std::isnan(mean.values(n, m)) && std::isnan(low.values(n, m)) &&
                      std::isnan(high.values(n, m)));
        } else {
          ++holes;
          EXPECT_EQ(mean.values(n, m), p.mean(n, m));
          EXPECT_NEAR(high.values(n, m) - low.values(n, m), 2 * z90 * std::sqrt(p.y_variance(n, m)), 1e-9);
        }
      }
    EXPECT_GT(holes, 10);
  }
  const Json metrics = Json::parse(slurp(folder.file("run/metrics.json")));
  std::vector<std::string> keys;
  for (const auto& [key, value] : metrics.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"active_dimensions", "dimensions", "explained", "explained_heldout",
                                      "heldout", "heldout_views", "message", "noise", "noise_sd", "objective",
                                      "seconds", "sentence", "steps", "stopped", "verdict", "warnings"}));
  EXPECT_EQ(metrics["message"], metrics["sentence"]);  // the former name of the key, for one release
  for (const char* view : {"rna", "protein"})
    EXPECT_EQ(metrics["explained_heldout"][view], metrics["heldout"][view]["r2"]) << view;
  EXPECT_EQ(metrics["objective"], model.objective);
  EXPECT_EQ(metrics["steps"], 30);
  EXPECT_EQ(metrics["stopped"], "step limit");
  EXPECT_EQ(metrics["verdict"], "doubtful");
  EXPECT_NEAR(metrics["noise_sd"]["protein"].get<double>(),
              std::sqrt(model.views[1].noise_variance) * model.views[1].scaling.scale(0), 1e-12);
  const Table heldout = read_csv(folder.file("run/heldout.csv"));
  EXPECT_EQ(heldout.ids, (std::vector<std::string>{"rna", "protein"}));
  std::vector<std::string> scores;
  for (const auto& [key, value] : metrics["heldout"]["rna"].items()) scores.push_back(key);
  EXPECT_EQ(scores, (std::vector<std::string>{"coverage90", "log_density", "r2", "rmse", "rmse_knn",
                                              "rmse_mean", "rmse_pca"}));
  for (std::size_t c = 0; c < heldout.columns.size(); ++c)
    if (metrics["heldout"]["rna"].contains(heldout.columns[c])) {
      EXPECT_EQ(metrics["heldout"]["rna"][heldout.columns[c]].get<double>(),
                heldout.values(0, static_cast<Index>(c)));
    }
  const Table absent = read_csv(folder.file("run/heldout_views.csv"));
  EXPECT_EQ(absent.ids, (std::vector<std::string>{"rna", "protein"}));
  for (std::size_t v = 0; v < 2; ++v) {
    const Json& scored = metrics["heldout_views"][absent.ids[v]];
    EXPECT_EQ(scored.size(), absent.columns.size());
    for (std::size_t c = 0; c < absent.columns.size(); ++c)
      EXPECT_EQ(scored[absent.columns[c]].get<double>(), absent.values(Index(v), Index(c)))
          << absent.columns[c];
    EXPECT_EQ(scored["samples"], 4);  // 0.15 of the 26 samples that have both views
  }
  const Json kernel = Json::parse(slurp(folder.file("run/kernel.json")));
  EXPECT_EQ(kernel["rna"]["kernel"], "ngsm");
  EXPECT_EQ(kernel["rna"]["alpha"].size(), 2u);
  EXPECT_EQ(kernel["protein"]["noise_variance"], model.views[1].noise_variance);
  EXPECT_EQ(read_csv(folder.file("run/trace.csv")).rows(), static_cast<Index>(model.trace.size()));
  const Table relevance = read_csv(folder.file("run/relevance.csv"));
  EXPECT_EQ(relevance.ids, (std::vector<std::string>{"z1", "z2"}));
  EXPECT_EQ(relevance.columns, (std::vector<std::string>{"rna", "protein"}));
  EXPECT_EQ(read_csv(folder.file("run/relevance_columns.csv")).ids[1], "rna/b \"q\"");
  std::istringstream log(slurp(folder.file("run/log.jsonl")));
  Index events = 0;
  for (std::string line; std::getline(log, line); ++events) EXPECT_TRUE(Json::parse(line).contains("event"));
  EXPECT_EQ(events, 4 + 2 + 6);  // start, fit, end, report; two input files; one for each table in imputed/
  EXPECT_EQ(slurp(folder.file("run/model.bochner")).find("12.3"), std::string::npos);
}

TEST_F(Fit, NothingHeldOutIsUnjudged) {
  const Outcome outcome = run({"fit", "--view", "rna.csv", "--view", "protein.csv", "--holdout", "0",
                               "--steps", "4000", "--dims", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json metrics = Json::parse(slurp(folder.file("run/metrics.json")));
  EXPECT_EQ(metrics["heldout"], Json::object());
  EXPECT_EQ(metrics["verdict"], "unjudged") << metrics["message"];
  EXPECT_NE(outcome.out.find("nothing was held out"), std::string::npos) << outcome.out;
}

TEST_F(Fit, TablesWithoutIdsAreTakenByPosition) {
  write_npy(folder.file("values.npy"), Rng(1).normal(30, 3));
  const Outcome outcome =
      run({"fit", "--view", "rna.csv", "--view", "values.npy", "--steps", "3", "--out", "run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err,
            "note: values.npy has no sample ids; its rows are matched to those of rna.csv by position\n");
  EXPECT_EQ(read_csv(folder.file("run/latent.csv")).ids, read_csv(folder.file("rna.csv")).ids);
  write_npy(folder.file("values.npy"), Rng(1).normal(29, 3));
  expect_refusal(run({"fit", "--view", "rna.csv", "--view", "values.npy", "--steps", "3"}), 1,
                 {"'rna'", "'values'"});
}

TEST_F(Fit, ColumnsOfWordsBecomeAnnotations) {
  const Table rna = read_csv(folder.file("rna.csv"));
  TextTable mixed{.ids = rna.ids, .columns = rna.columns, .cells = {}};
  for (Index m = 0; m < rna.cols(); ++m) {
    mixed.cells.emplace_back();
    for (Index n = 0; n < rna.rows(); ++n)
      mixed.cells.back().push_back(std::isnan(rna.values(n, m)) ? "" : fmt::format("{}", rna.values(n, m)));
  }
  mixed.columns.insert(mixed.columns.begin() + 1, "tissue");
  std::vector<std::string> tissue;
  for (Index n = 0; n < rna.rows(); ++n) tissue.push_back(n % 3 ? "liver" : "NA");
  mixed.cells.insert(mixed.cells.begin() + 1, tissue);
  write_csv(folder.file("mixed.csv"), mixed);
  const auto fitted = [&](const std::string& table, const std::string& out) {
    const Outcome outcome = run({"fit", "rna=" + table, "--steps", "5", "--restarts", "1", "--out", out});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(fitted("mixed.csv", "run"),
            "note: mixed.csv: the column 'tissue' holds words and is left out of the view\n");
  EXPECT_EQ(fitted("rna.csv", "plain"), "");
  EXPECT_EQ(slurp(folder.file("run/latent.csv")), slurp(folder.file("plain/latent.csv")));
  const TextTable meta = read_csv_text(folder.file("run/meta.csv"));
  EXPECT_EQ(meta.ids, rna.ids);
  EXPECT_EQ(meta.columns, (std::vector<std::string>{"tissue"}));
  EXPECT_EQ(meta.cells[0], tissue);
  // New samples may have the column or not; words in a column of the model are a mistake.
  for (const char* table : {"mixed.csv", "rna.csv"})
    EXPECT_EQ(
        run({"apply", "run/model.bochner", std::string("rna=") + table, "--out", table + std::string("-new")})
            .code,
        0);
  EXPECT_EQ(slurp(folder.file("mixed.csv-new/latent.csv")), slurp(folder.file("rna.csv-new/latent.csv")));
  mixed.columns[1] = rna.columns[0];
  mixed.columns[0] = "other";
  write_csv(folder.file("mistake.csv"), mixed);
  expect_refusal(run({"apply", "run/model.bochner", "rna=mistake.csv", "--out", "new"}), 1,
                 {"mistake.csv, line 3", "'liver' is not a number"});
}

TEST_F(Fit, DryRunTellsThePlanAndWritesNothing) {
  const Outcome outcome =
      run(fit + std::vector<std::string>{"--dry-run", "--features", "50", "--restarts", "3"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part :
       {"bochner fit would", "32 samples in 2 views", "50 random frequencies per component",
        "3 starts of at most 30 steps", "MB of memory", "model.bochner", "imputed/ in"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\nnot in: " << outcome.out;
  const bool forecast =
      outcome.out.find(" and usually about ") != std::string::npos ||
      outcome.out.find(" and less than a second on ") != std::string::npos;  // on a fast machine
  EXPECT_TRUE(forecast) << outcome.out;
  EXPECT_EQ(outcome.out.find("meta.csv"), std::string::npos);
  EXPECT_EQ(outcome.out.find("instead, with"), std::string::npos);
  const std::string automatic = run(fit + std::vector<std::string>{"--dry-run"}).out;
  for (const char* part :
       {"the exact Gram matrix, 32 x 32", "instead, with", "with probability 0.95 (a bound)"})
    EXPECT_NE(automatic.find(part), std::string::npos) << part << "\nnot in: " << automatic;
  EXPECT_EQ(run(fit + std::vector<std::string>{"--dry-run", "--features", "exact"}).out.find("a bound"),
            std::string::npos);
  EXPECT_EQ(folder.names().size(), 2u);
}

TEST_F(Fit, WhatCannotBeFittedIsAMessage) {
  const auto refusal = [&](const std::vector<std::string>& more, const std::vector<std::string>& parts) {
    expect_refusal(run(std::vector<std::string>{"fit"} + more), 1, parts);
    EXPECT_FALSE(fs::exists(folder.file("run")));
  };
  const std::vector<std::string> rna{"--view", "rna.csv"};
  refusal({}, {"missing required argument TABLE, or --view TABLE"});
  refusal({"--view", "x=nothere.csv"}, {"nothere.csv", "there is no such file"});
  refusal({"--view", "x="}, {"the table is missing"});
  refusal(rna + std::vector<std::string>{"--view", "rna=protein.csv"}, {"two views are named 'rna'"});
  refusal({"--view", "a/b=rna.csv"}, {"'a/b'", "used as file names"});
  refusal({"--view", ".hidden=rna.csv"}, {"'.hidden'", "start with a dot"});
  refusal({"--view", "=rna.csv"}, {"invalid view name ''", "empty"});
  refusal({"--view", "x=rna.csv", "--view", "x_lo=protein.csv"}, {"'x'", "'x_lo'", "same file"});
  refusal(rna + std::vector<std::string>{"--kernel", "rfb"}, {"--kernel", "rfb", "ngsm"});
  refusal(rna + std::vector<std::string>{"--kernel", "ran=rbf"}, {"'ran'", "did you mean 'rna'?"});
  refusal(rna + std::vector<std::string>{"--kernel", "rbf", "--kernel", "sm"},
          {"--kernel", "twice for all views"});
  refusal(rna + std::vector<std::string>{"--scaling", "log"}, {"--scaling", "'log'", "'standardise'"});
  refusal(rna + std::vector<std::string>{"--noise", "-1"}, {"--noise", "'-1'", "positive"});
  refusal(rna + std::vector<std::string>{"--features", "nystrom:0"}, {"--features", "'nystrom:0'"});
  refusal(rna + std::vector<std::string>{"--features", "9", "--kernel", "linear"},
          {"view 'rna'", "'linear'", "no random features", "nystrom"});
  refusal(rna + std::vector<std::string>{"--precision", "half"}, {"--precision", "'half'"});
  refusal(rna + std::vector<std::string>{"--holdout", "0.6"}, {"--holdout is '0.6'", "0.5"});
  refusal(rna + std::vector<std::string>{"--dims", "0"}, {"--dims is '0'"});
  refusal({"--resume"}, {"run", "no run to resume"});
  folder.write("holes.csv", "id,x\na,\nb,\nc,\n");
  refusal({"--view", "holes.csv"}, {"view 'holes'", "all values are missing"});
  folder.write("infinite.csv", "id,x\na,1\nb,inf\n");
  refusal({"--view", "infinite.csv"}, {"infinite.csv", "line 3", "'x'"});
  folder.write("other.csv", "id,x\nS-1,1\nS-2,2\nS-3,3\n");
  refusal(rna + std::vector<std::string>{"--view", "other.csv"}, {"'rna'", "'other'", "s1", "S-1"});
  refusal(rna + std::vector<std::string>{"--meta", "other.csv"}, {"the views", "other.csv"});
  folder.write("two.csv", "id,x,y\na,1,2\nb,2,3\n");
  const Outcome two = run({"fit", "--view", "two.csv", "--out", "two"});
  expect_refusal(two, 1, {"at least 3 samples"});
}

}  // namespace

}  // namespace bochner::testing::fit_test
