#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "bochner/core/stopwatch.hpp"
#include "program.hpp"
#include "run_files.hpp"
#include "tests/serve/http_client.hpp"

// The program beside a fit, as a browser sees it.

namespace bochner::testing::serve_test {

namespace {

/// `bochner serve` with its output in a file, where the address appears.
class Served {
 public:
  Served(const TempFolder& folder, const std::string& run)
      : path_(folder.write("address", "")),
        program_({"serve", run, "--port", "0"}, {.folder = folder.file(""), .output = path_}) {
    constexpr double patience = 60;
    const Stopwatch watch;
    std::string text;
    while (text.find("(Ctrl-C ends)") == std::string::npos && watch.seconds() < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      text = slurp(path_);
    }
    const std::size_t colon = text.find("127.0.0.1:"), slash = text.find('/', colon),
                      end = text.find("/ (", slash);
    EXPECT_NE(end, std::string::npos) << text;
    if (end == std::string::npos) return;
    port_ = std::atoi(text.substr(colon + 10, slash - colon - 10).c_str());
    token_ = text.substr(slash, end - slash);
  }

  std::string ask(const std::string& path, const std::string& host = "127.0.0.1") const {
    const Client client(port_);
    client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + ":" + std::to_string(port_) + "\r\n\r\n");
    return client.receive();
  }
  Json json(const std::string& file) const { return Json::parse(body_of_answer(ask(token_ + "/" + file))); }
  const std::string& token() const { return token_; }  // with the slash before it
  int port() const { return port_; }
  Program& program() { return program_; }

  /// The first state for which this is so.
  template <class Predicate>
  Json wait_for(const Predicate& predicate) const {
    const Stopwatch watch;
    Json state = json("state.json");
    while (!predicate(state) && watch.seconds() < 120) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      state = json("state.json");
    }
    EXPECT_TRUE(predicate(state)) << state.dump().substr(0, 500);
    return state;
  }

 private:
  std::string path_;
  Program program_;
  int port_ = 0;
  std::string token_;
};

TEST(Serve, FollowsAFitToItsEndAndDecodes) {
  TempFolder folder;
  write_example_tables(folder);
  Served served(folder, "run");  // before there is a run
  ASSERT_GT(served.port(), 0);
  EXPECT_EQ(served.json("state.json")["phase"], "waiting");
  Program fit({"fit", "rna.csv", "protein.csv", "--dims", "2", "--steps", "100000", "--patience", "100000",
               "--restarts", "1", "--out", "run"},
              {.folder = folder.file("")});
  const Json first = served.wait_for([](const Json& s) {
    return s.value("phase", "") == "fitting" && s.contains("step") && s["latents"].is_string();
  });
  EXPECT_EQ(first["what"], "fit");
  EXPECT_EQ(first["title"], "run");
  const Json latents = served.json("latents.json");
  EXPECT_EQ(latents["ids"].size(), 32u);
  EXPECT_EQ(latents["mean"].size(), 2u);
  EXPECT_NE(served.json("decode.json")["error"].get<std::string>().find("after the fit"), std::string::npos);
  const Json later = served.wait_for([&](const Json& s) { return s.value("step", 0) > first["step"]; });
  EXPECT_EQ(later["trace"]["steps"].size(), later["trace"]["values"].size());
  fit.send(SIGINT);  // it keeps its best state
  EXPECT_EQ(fit.wait().code, 130);
  EXPECT_FALSE(std::filesystem::exists(folder.file("run/live.json")));
  const Json last = served.wait_for([](const Json& s) { return s.value("report", false); });
  EXPECT_EQ(last["phase"], "interrupted");
  EXPECT_FALSE(last["verdict"]["text"].get<std::string>().empty());
  EXPECT_EQ(body_of_answer(served.ask(served.token() + "/report.html")),
            slurp(folder.file("run/report.html")));
  const Json model = served.json("decode.json");
  ASSERT_EQ(model["dims"].size(), 2u);
  const Json there = served.json("decode.json?x=0.5,-0.25");
  EXPECT_EQ(there["mean"].size(), model["columns"].size());
  EXPECT_GT(there["half"][0].get<double>(), 0);
  // Nothing else, and nothing for others.
  EXPECT_EQ(status_of_answer(served.ask(served.token() + "/config.toml")), 404);
  EXPECT_EQ(status_of_answer(served.ask(served.token() + "/../address")), 404);
  EXPECT_EQ(status_of_answer(served.ask("/state.json")), 403);
  EXPECT_EQ(status_of_answer(served.ask(served.token() + "/", "evil.example")), 403);
  served.program().send(SIGINT);
  const Outcome end = served.program().wait();
  EXPECT_EQ(end.code, 0);
  EXPECT_EQ(end.err.find("stopping"), std::string::npos) << end.err;
}

TEST(Serve, ShowsChainsToo) {
  TempFolder folder;
  write_example_tables(folder);
  Program fit({"fit", "rna.csv", "--inference", "mcmc", "--dims", "2", "--chains", "1", "--frequencies", "5",
               "--warmup", "100000", "--quiet", "--out", "run"},
              {.folder = folder.file("")});
  ASSERT_TRUE(fit.wait_for_file(folder.file("run/live.json")));
  Served served(folder, "run");
  ASSERT_GT(served.port(), 0);
  const Json state = served.wait_for(
      [](const Json& s) { return s.value("objective", "") == "log density" && s.value("step", 0) > 0; });
  EXPECT_TRUE(state["latents"].is_string());
  EXPECT_EQ(served.json("latents.json")["mean"].size(), 2u);
}

TEST(Serve, RefusesInOneMessage) {
  TempFolder folder;
  const Launch here{.folder = folder.file("")};
  folder.write("table.csv", "id,a\n");
  expect_refusal(run_program({"serve", "table.csv"}, here), 1, {"table.csv", "not a folder"});
  expect_refusal(run_program({"serve", "."}, here), 1, {"no run is here"});
  expect_refusal(run_program({"serve", "run", "--port", "70000"}, here), 1, {"--port"});
  expect_refusal(run_program({"serve", "run", "--host", "example.org"}, here), 1,
                 {"--host", "numeric address"});
  Served served(folder, "run");
  const std::string port = std::to_string(served.port());
  const Outcome second = run_program({"serve", "run", "--port", port}, here);
  expect_refusal(second, 1, {"port " + port + " is in use"});
}

}  // namespace

}  // namespace bochner::testing::serve_test
