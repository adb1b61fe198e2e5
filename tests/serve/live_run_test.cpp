#include "src/serve/live_run.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/csv.hpp"
#include "src/serve/serve.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::live_run_test {

namespace {

namespace fs = std::filesystem;
using detail::LiveRun, detail::RunPhase;

class LiveRunTest : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    fs::create_directories(folder.file("run"));
    std::ofstream(folder.file("run/" + file), std::ios::binary) << text;
  }
  void begin(const std::string& log = R"({"event":"start","command":"fit"})") {
    write("config.toml", "# bochner fit --config THIS_FILE\ncommand = \"fit\"\n");
    write("log.jsonl", log + "\n");
  }
  void lock() { write(".lock", std::to_string(::getpid()) + "\n"); }
  void end() {
    begin(
        "{\"event\":\"start\",\"command\":\"fit\"}\n{\"event\":\"fit\"}\n{\"event\":\"end\",\"verdict\":"
        "\"good\"}");
    write("metrics.json", R"({"verdict": "good", "message": "trust this fit: tested", "seconds": 2})");
    fs::remove(folder.file("run/.lock"));
    fs::remove(folder.file("run/live.json"));
  }
  Json state(LiveRun& run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(350));  // it looks a few times a second only
    return Json::parse(*run.state());
  }

  TempFolder folder;
  std::string path = folder.file("run");
};

TEST_F(LiveRunTest, FollowsARunFromBeforeItsBeginningToItsEnd) {
  LiveRun run(path, Threads(1));
  EXPECT_EQ(state(run)["phase"], "waiting");
  EXPECT_EQ(state(run)["title"], "run");
  lock();
  begin();
  EXPECT_EQ(state(run)["phase"], "fitting");
  EXPECT_TRUE(state(run)["latents"].is_null());
  EXPECT_EQ(run.latents(), nullptr);
  write("live.json",
        R"({"format":1,"what":"fit","objective":"bound","step":3,"of":9,"value":-5,"seconds":1.5,"left":3,
      "trace":{"steps":[1,2,3],"values":[-9,-7,-5]},
      "latents":{"samples":2,"ids":["a","b"],"mean":[[1,2],[3,4]]}})");
  const Json now = state(run);
  EXPECT_EQ(now["step"], 3);
  EXPECT_EQ(now["left"], 3);
  EXPECT_EQ(now["trace"]["values"][1], -7);
  const Json latents = Json::parse(*run.latents());
  EXPECT_EQ(latents["version"], now["latents"]);
  EXPECT_EQ(latents["dims"], Json({"z1", "z2"}));
  EXPECT_EQ(latents["mean"][1][1], 4);
  EXPECT_EQ(run.decoder(), nullptr);
  EXPECT_EQ(run.report(), nullptr);
  begin("{\"event\":\"start\",\"command\":\"fit\"}\n{\"event\":\"fit\"}");
  EXPECT_EQ(state(run)["phase"], "assessing");
  end();
  const Json last = state(run);
  EXPECT_EQ(last["phase"], "finished");
  EXPECT_EQ(last["verdict"]["kind"], "good");
  EXPECT_EQ(last["report"], false);
  EXPECT_TRUE(last["latents"].is_null());  // those of the fit are gone, and there is no latent.csv
  write("report.html", "<p>report</p>");
  EXPECT_EQ(state(run)["report"], true);
  EXPECT_EQ(*run.report(), "<p>report</p>");
}

TEST_F(LiveRunTest, TellsAnEndFromAnother) {
  begin();
  LiveRun run(path, Threads(1));
  EXPECT_EQ(state(run)["phase"], "killed");
  write(".lock", "999999999\n");  // of nobody
  EXPECT_EQ(state(run)["phase"], "killed");
  write(".lock", "");  // where the file system has no locks nobody is named
  EXPECT_EQ(state(run)["phase"], "fitting");
  end();
  write("checkpoint.bochner", "");
  EXPECT_EQ(state(run)["phase"], "interrupted");
  lock();
  begin();
  EXPECT_EQ(state(run)["phase"], "fitting");  // a new run in the same folder
  EXPECT_EQ(state(run)["family"], "Variational latent variable model");
  write("config.toml", "# bochner fit --config THIS_FILE\ncommand = \"fit\"\ninference = \"mcmc\"\n");
  EXPECT_EQ(state(run)["family"], "Bayesian latent variable model (MCMC)");
}

TEST_F(LiveRunTest, SurvivesDamagedFiles) {
  lock();
  begin();
  LiveRun run(path, Threads(1));
  for (const char* text :
       {"", "{", "[]", "null", "{\"latents\":3}", R"({"what":7,"step":"x","latents":{"mean":4}})"}) {
    write("live.json", text);
    EXPECT_EQ(state(run)["phase"], "fitting") << text;
  }
  write("log.jsonl", "nonsense\n[1]\n{\"event\":7}\n");
  EXPECT_EQ(state(run)["phase"], "fitting");
  end();
  write("latent.csv", "nonsense");
  write("model.bochner", "nonsense");
  EXPECT_EQ(state(run)["phase"], "finished");
  EXPECT_EQ(run.decoder(), nullptr);
}

TEST_F(LiveRunTest, RefusesWhatIsNoRunAndLinks) {
  EXPECT_THROW(LiveRun(folder.write("file", ""), Threads(1)), InputError);
  fs::create_directory(folder.file("other"));
  EXPECT_NO_THROW(LiveRun(folder.file("other"), Threads(1)));  // empty: a run may begin there
  folder.write("other/table.csv", "id,a\n");
  EXPECT_THROW(LiveRun(folder.file("other"), Threads(1)), InputError);
  end();
  write("latent.csv", "id,z1\na,1\nb,2\n");
  LiveRun run(path, Threads(1));
  EXPECT_FALSE(state(run)["latents"].is_null());
  // A link that comes later shows nothing of what it leads to.
  const std::string secret = folder.write("secret", "<p>secret</p>");
  fs::create_symlink(secret, folder.file("run/report.html"));
  EXPECT_EQ(state(run)["phase"], "waiting");
  EXPECT_EQ(run.report(), nullptr);
  EXPECT_EQ(run.latents(), nullptr);
  EXPECT_THROW(LiveRun(path, Threads(1)), InputError);
}

TEST_F(LiveRunTest, DecodesWhatTheModelPredicts) {
  const Index N = 20, M = 3;
  Matrix Y(N, M);
  for (Index n = 0; n < N; ++n)
    for (Index m = 0; m < M; ++m) Y(n, m) = 10 * double(m) + std::sin(0.3 * double(n) + double(m));
  View view{.name = "rna", .Y = Y};
  for (Index n = 0; n < N; ++n) view.ids.push_back("s" + std::to_string(n));
  for (Index m = 0; m < M; ++m) view.columns.push_back("c" + std::to_string(m));
  const GplvmFit fit = fit_gplvm(join({view}), {.dims = 2, .steps = 30, .restarts = 1}, 1, Threads(1));
  end();
  write_gplvm(folder.file("run/model.bochner"), fit);
  write_csv(folder.file("run/latent.csv"),
            {.ids = fit.ids, .columns = {"z1", "z2"}, .values = fit.latent.mean});
  LiveRun run(path, Threads(1));
  const detail::RunDecoder* decoder = run.decoder();
  ASSERT_NE(decoder, nullptr);
  const Json& about = decoder->description();
  ASSERT_EQ(about["columns"].size(), std::size_t(M));
  ASSERT_EQ(about["dims"].size(), 2u);
  EXPECT_EQ(about["intervals"], true);
  Matrix at(1, 2);
  at << 0.3, -1.2;
  const Predictive p = predict(fit.views[0], {at, Matrix::Zero(1, 2)}, Threads(1));
  const Json there = decoder->decode({0.3, -1.2});
  for (std::size_t k = 0; k < std::size_t(M); ++k) {
    const auto m = Index(std::stoi(about["columns"][k]["name"].get<std::string>().substr(1)));
    EXPECT_NEAR(there["mean"][k].get<double>(), p.mean(0, m), 1e-4);
    EXPECT_NEAR(there["half"][k].get<double>(), 1.6449 * std::sqrt(p.y_variance(0, m)), 1e-4);
  }
  EXPECT_TRUE(about["pictures"].empty() && there["pictures"].empty());
  // Rows of three pixels, and a shape that does not fit.
  write("config.toml", "command = \"fit\"\nshape = [\"rna=3x1\", \"rna=3\", \"other=2x2\"]\n");
  LiveRun again(path, Threads(1));
  const detail::RunDecoder* pictures = again.decoder();
  ASSERT_NE(pictures, nullptr);
  const Json& picture = pictures->description()["pictures"].at(0);
  EXPECT_EQ(pictures->description()["pictures"].size(), 1u);
  EXPECT_EQ(picture["rows"], 3);
  EXPECT_EQ(picture["cols"], 1);
  const Json pixels = pictures->decode({0.3, -1.2})["pictures"].at(0);
  ASSERT_EQ(pixels.size(), std::size_t(M));
  for (Index m = 0; m < M; ++m) EXPECT_NEAR(pixels[std::size_t(m)].get<double>(), p.mean(0, m), 1e-4);
  const detail::SiteContent content = detail::content_of(run);
  EXPECT_EQ(content.decode({0.3, -1.2}).status, 200);
  EXPECT_EQ(content.decode({0.3}).status, 400);
  EXPECT_EQ(content.decode({1e300, -1e300}).status, 200);  // far from all samples: the prior
  EXPECT_EQ(content.decoder().status, 200);
}

}  // namespace

}  // namespace bochner::testing::live_run_test
