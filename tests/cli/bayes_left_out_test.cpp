#include <cmath>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/run/any_fit.hpp"
#include "bochner/tables/csv.hpp"
#include "bochner/tables/hdf5.hpp"
#include "program.hpp"
#include "run_files.hpp"

// One chain that begins folded and stays so: principal components lay both ends of most of a circle on its middle.
namespace bochner::testing::bayes_left_out_test {

namespace {

constexpr int bins = 60, columns = 8;

Matrix angles() { return Vector::LinSpaced(bins, 0, 1.65 * pi); }

/// The verdict is broken into lines.
std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : c;
  }
  return out;
}

class LeftOut : public ::testing::Test {
 protected:
  LeftOut() {
    std::string text = "bin,t";
    for (int j = 0; j < columns; ++j) text += ",y" + std::to_string(j);
    const Matrix angle = angles();
    Rng rng(1);
    for (int n = 0; n < bins; ++n) {
      text += "\nb" + std::to_string(n) + "," + std::to_string(n);
      for (int j = 0; j < columns; ++j)
        text += "," + std::to_string(std::cos(angle(n, 0) + double(j)) + 0.1 * rng.normal());
    }
    folder.write("arc.csv", text + "\n");
  }

  /// A run of two chains from such starts; few sweeps of warm-up, in which chains are not compared.
  Json run(const std::string& first, const std::string& second) {
    const Outcome outcome = run_program({"fit",           "arc.csv:gaussian",
                                         "--inference",   "mcmc",
                                         "--time",        "t",
                                         "--dims",        "1",
                                         "--frequencies", "10",
                                         "--chains",      "2",
                                         "--warmup",      "40",
                                         "--draws",       "40",
                                         "--holdout",     "0",
                                         "--starts",      first,
                                         "--starts",      second,
                                         "--out",         "run"},
                                        {.folder = folder.file("")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    said = outcome.out;
    return Json::parse(slurp(folder.file("run/metrics.json")));
  }

  TempFolder folder;
  std::string said;
};

TEST_F(LeftOut, IsNamedAndInNoResult) {
  for (const int folded : {0, 1}) {
    const Json metrics = folded == 0 ? run("pca", "isomap") : run("isomap", "pca");
    ASSERT_EQ(metrics["chains_left_out"].size(), 1U) << said;
    EXPECT_EQ(metrics["chains_left_out"][0]["chain"], folded);
    EXPECT_GT(metrics["chains_left_out"][0]["gap"], 100);
    EXPECT_EQ(metrics["chains"], 1);
    EXPECT_EQ(metrics["draws"], 40);
    const std::string name = "chain " + std::to_string(folded + 1) + " (its mean log posterior is ";
    EXPECT_NE(in_one_line(said).find(name), std::string::npos) << said;
    EXPECT_NE(metrics["warnings"].dump().find(name), std::string::npos) << metrics["warnings"].dump();

    // Latents are those of the other one, and draws are its alone.
    EXPECT_GT(affine_r2(read_csv(folder.file("run/latent.csv")).values, angles()).mean, 0.9);
    const Table trace = read_csv(folder.file("run/trace.csv"));
    EXPECT_EQ(trace.columns, std::vector<std::string>{"chain_0"});
    const Matrix of_draws = read_hdf5(folder.file("run/draws.nc"), "/sample_stats/log_density").values;
    ASSERT_EQ(of_draws.rows(), 1);
    EXPECT_EQ(of_draws, Matrix(trace.values.transpose()));
  }
}

}  // namespace
}  // namespace bochner::testing::bayes_left_out_test
