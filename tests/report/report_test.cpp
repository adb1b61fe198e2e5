#include "bochner/report/report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/tables/csv.hpp"
#include "src/report/encode.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::report_test {

namespace {

const std::string hostile = "</script><script>alert(1)</script><!-- \" ' & \xE2\x80\xA8 \xF0\x9F\x98\x80";

/// What a run of `fit` leaves, as far as these tests look at it.
class Report : public ::testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) {
    std::ofstream(folder.file(file), std::ios::binary) << text;
  }
  void write_run(Index N, const std::string& name) {
    write("config.toml", "# bochner fit --config THIS_FILE\ncommand = \"fit\"\nseed = 1\n");
    write("metrics.json", R"({"verdict": "good", "message": "trust this fit: tested", "seconds": 2})");
    Table latent{.columns = {"z1", "z2"}, .values = Rng(1).normal(N, 2)};
    TextTable meta{.columns = {name}, .cells = {{}}};
    for (Index n = 0; n < N; ++n) {
      latent.ids.push_back(name + std::to_string(n));
      meta.cells[0].push_back(n % 2 == 0 ? name : "plain");
    }
    meta.ids = latent.ids;
    write_csv(folder.file("latent.csv"), latent);
    latent.values = latent.values.cwiseAbs();
    write_csv(folder.file("latent_sd.csv"), latent);
    write_csv(folder.file("meta.csv"), meta);
  }
  std::string page(int threads = 1) const {
    return report_page(report_document(folder.file(""), {}, Threads(threads)));
  }
  TempFolder folder;
};

Index count(const std::string& text, const std::string& part) {
  Index out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST_F(Report, HasVerdictLatentsAndAnnotations) {
  write_run(30, "batch");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  EXPECT_EQ(document["verdict"]["text"], "trust this fit: tested");
  EXPECT_EQ(document["verdict"]["kind"], "good");
  EXPECT_EQ(document["panels"][0]["kind"], "latent");
  EXPECT_EQ(document["samples"]["ids"].size(), 30u);
  EXPECT_EQ(document["samples"]["fields"][0]["classes"], Json({"batch", "plain"}));
  EXPECT_TRUE(document["notes"].empty()) << document["notes"];
}

TEST_F(Report, ShowsHostileNamesAsText) {
  write_run(30, hostile);
  const std::string out = page();
  EXPECT_EQ(out.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(out.find("\xE2\x80\xA8"), std::string::npos);  // ends a line of JavaScript
  EXPECT_EQ(count(out, "</script>"), 2);                   // the document's and the script's own
  EXPECT_EQ(count(out, "<!--"), 0);
  const std::string begin = "id=\"document\">";
  const std::size_t at = out.find(begin) + begin.size();
  const Json back = Json::parse(out.substr(at, out.find("</script>", at) - at));
  EXPECT_EQ(back["samples"]["ids"][3], hostile + "3");
}

TEST_F(Report, LongNamesAreCut) {
  write_run(25, std::string(10'000, 'x'));
  EXPECT_LT(page().size(), 300'000u);
}

TEST_F(Report, LoadsNothingAndSaysSo) {
  write_run(30, "batch");
  const std::string out = page();
  EXPECT_TRUE(std::regex_search(
      out, std::regex("Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-[^']{44}'; "
                      "style-src 'sha256-[^']{44}'; img-src data: blob:; base-uri 'none'")));
  for (const char* loads : {" src=\"", "@import", "url(http", "<link rel=\"stylesheet"})
    EXPECT_EQ(out.find(loads), std::string::npos) << loads;
  EXPECT_EQ(out.find("{{"), std::string::npos);  // a mark of the template that nothing replaced
}

TEST_F(Report, IsTheSameForAnyNumberOfThreads) {
  write_run(200, "batch");
  EXPECT_EQ(page(1), page(3));
}

TEST_F(Report, OfThousandAndOfHundredThousandSamplesIsSmall) {
  write_run(1000, "batch");
  EXPECT_LT(page().size(), 1'500'000u);
  write_run(100'000, "batch");
  EXPECT_LT(page().size(), 15'000'000u);
}

TEST_F(Report, DamagedFilesAreNotedAndTheRestIsShown) {
  write_run(30, "batch");
  write("model.bochner", "no model");
  write("trace.csv", "n,step\n1,2,3,4\n");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  EXPECT_EQ(document["panels"][0]["kind"], "latent");
  const std::string notes = document["notes"].dump();
  for (const char* file : {"model.bochner cannot be read", "trace.csv cannot be read"})
    EXPECT_NE(notes.find(file), std::string::npos) << notes;
}

TEST_F(Report, ARunThatHasNotEndedSaysSo) {
  write("config.toml", "# bochner fit --config THIS_FILE\ncommand = \"fit\"\n");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  EXPECT_EQ(document["verdict"]["text"], "This run has not ended: it has no metrics.json.");
}

const Json* panel_of(const Json& document, const std::string& id) {
  for (const Json& panel : document["panels"])
    if (panel["id"] == id) return &panel;
  return nullptr;
}

TEST_F(Report, CalibrationIsThatOfTheEntries) {
  write_run(30, "batch");
  // 19 of 40 values of column "a" in the middle half, 38 in the middle 95 %; one column that is always too large.
  std::string entries = "n,view,sample,column,observed,mean,sd,pit\n";
  for (int i = 0; i < 40; ++i)
    entries += std::to_string(i + 1) + ",rna,s" + std::to_string(i) + ",a,1.5,2.5,1," +
               std::to_string((i + 0.5) / 40) + "\n";
  for (int i = 0; i < 10; ++i)
    entries += std::to_string(i + 41) + ",rna,s" + std::to_string(i) + ",b,9,2,1,0.99\n";
  write("heldout_entries.csv", entries);
  const Json document = report_document(folder.file(""), {}, Threads(1));
  const Json* points = panel_of(document, "entries");
  ASSERT_NE(points, nullptr);
  EXPECT_EQ((*points)["charts"][0]["names"].size(), 50u);
  const Json* calibration = panel_of(document, "calibration");
  ASSERT_NE(calibration, nullptr);
  const Json &coverage = (*calibration)["charts"][0]["curves"][0], &rows = (*calibration)["table"]["rows"];
  EXPECT_NEAR(coverage["y"][9].get<double>(), 20.0 / 50, 1e-9);  // level 0.5: 20 of a, none of b
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][1], "b");  // the worst first
  EXPECT_EQ(rows[0][4], 0);
  EXPECT_EQ(rows[1][1], "a");
  EXPECT_NEAR(rows[1][3].get<double>(), 50, 1e-9);
  EXPECT_NEAR(rows[1][4].get<double>(), 90, 1e-9);
}

TEST_F(Report, LabelsAreOneFieldOfClasses) {
  write_run(4, "batch");
  write("config.toml", "command = \"fit\"\nlabels = \"types.csv:kind\"\n");
  write("metrics.json", R"({"verdict": "good", "message": "m", "explained": {"labels": 0.5}})");
  std::filesystem::create_directories(folder.file("imputed"));
  const std::string ids[] = {"batch0", "batch1", "batch2", "batch3"};
  const auto table = [&](const char* last) {
    return "id,1,2\n" + ids[0] + ",0,1\n" + ids[1] + ",1,0\n" + ids[2] + ",0,1\n" + ids[3] + last;
  };
  write("imputed/labels.csv", table(",0.6,0.4\n"));
  write("imputed/labels_lo.csv", table(",0.1,0.1\n"));  // it was not measured
  const Json fields = report_document(folder.file(""), {}, Threads(1))["samples"]["fields"];
  ASSERT_EQ(fields.size(), 2u) << fields;
  EXPECT_EQ(fields[1]["name"], "kind");
  EXPECT_EQ(fields[1]["kind"], "class");
  EXPECT_EQ(fields[1]["classes"], Json({"2", "1"}));
  EXPECT_EQ(fields[1]["values"], detail::as_codes({0, 1, 0, -1}));
}

TEST_F(Report, InputsHaveTheirRelevanceAndTheirCurves) {
  write("config.toml", "command = \"regress\"\n");
  write("metrics.json", "{}");
  write("kernel.json", R"({"ell": [1, 2], "inputs": ["age", "town"]})");
  write("input_relevance.csv", "input,relevance\ntown,0.2\nage,0.7\n");
  write("partial_dependence.csv",
        "n,input,value,price_mean\n1,age,10,1\n2,age,20,3\n3,town,north,5\n4,town,south,7\n");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  const Json* relevance = panel_of(document, "inputs");
  ASSERT_NE(relevance, nullptr);
  EXPECT_EQ((*relevance)["charts"][0]["rows"][0]["name"], "age");  // the largest first
  EXPECT_NEAR((*relevance)["charts"][0]["rows"][0]["values"][0].get<double>(), 0.7, 1e-6);
  const Json* curves = panel_of(document, "dependence");
  ASSERT_NE(curves, nullptr);
  ASSERT_EQ((*curves)["charts"].size(), 1u);
  EXPECT_EQ((*curves)["charts"][0]["x"], "age");
  EXPECT_EQ((*curves)["charts"][0]["curves"][0]["y"], Json({1, 3}));
  const Json* levels = panel_of(document, "levels");
  ASSERT_NE(levels, nullptr);
  EXPECT_EQ((*levels)["charts"][0]["rows"][1]["name"], "south");
  EXPECT_EQ((*levels)["charts"][0]["rows"][1]["values"][0], 7);
  EXPECT_TRUE(document["notes"].empty()) << document["notes"];
}

TEST_F(Report, InputsOfEarlierRunsHaveTheirLengthScales) {
  write("config.toml", "command = \"regress\"\n");
  write("metrics.json", "{}");
  write("kernel.json", R"({"ell": [1, 0.5], "inputs": ["age", "area"]})");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  const Json* relevance = panel_of(document, "inputs");
  ASSERT_NE(relevance, nullptr);
  EXPECT_EQ((*relevance)["charts"][0]["axis"], "1 / length-scale");
  EXPECT_EQ((*relevance)["charts"][0]["rows"][0]["name"], "area");
  EXPECT_EQ(panel_of(document, "dependence"), nullptr);
}

TEST_F(Report, AForecastWithoutBacktestIsToldHowToBeJudged) {
  write("config.toml", "command = \"forecast\"\n");
  write("metrics.json", "{}");
  const Json document = report_document(folder.file(""), {}, Threads(1));
  EXPECT_EQ(document["verdict"]["kind"], "unjudged");
  EXPECT_NE(document["verdict"]["next"].dump().find("--backtest"), std::string::npos);
}

TEST(EarlierRun, OfVersionOneStillHasItsReport) {
  const std::string here = __FILE__;
  const Json document = report_document(here.substr(0, here.rfind('/')) + "/earlier_run", {}, Threads(1));
  for (const char* id :
       {"latent", "explained", "columns", "responses", "heldout", "absent", "map", "objective", "settings"})
    EXPECT_NE(panel_of(document, id), nullptr) << id;
  for (const char* id : {"entries", "calibration", "inputs-read"})
    EXPECT_EQ(panel_of(document, id), nullptr) << id;
  EXPECT_TRUE(document["notes"].empty()) << document["notes"];
}

TEST_F(Report, SummaryIsHtmlWithoutTheMarkupOfNames) {
  write_run(30, "batch");
  write("metrics.json", Json({{"verdict", "doubtful"}, {"message", hostile}, {"warnings", {"w<b>"}}}).dump());
  const std::string html = report_summary(report_document(folder.file(""), {}, Threads(1)));
  EXPECT_EQ(html.find("<script"), std::string::npos) << html;
  EXPECT_EQ(html.find("<b>\""), std::string::npos);
  EXPECT_NE(html.find("<li>w&lt;b&gt;</li>"), std::string::npos) << html;
  EXPECT_EQ(count(html, "<div"), count(html, "</div>"));
}

TEST_F(Report, FoldersWithoutARunAreRefused) {
  EXPECT_THROW(report_document(folder.file(""), {}, Threads(1)), InputError);
  EXPECT_THROW(report_document(folder.file("nowhere"), {}, Threads(1)), InputError);
  EXPECT_THROW(compare_document({folder.file("")}, Threads(1)), InputError);
}

TEST(ParseShape, TakesViewRowsAndColumns) {
  const auto [view, shape] = parse_shape("a=b=28x20");
  EXPECT_EQ(view, "a=b");
  EXPECT_EQ(shape.rows, 28);
  EXPECT_EQ(shape.cols, 20);
  for (const char* wrong : {"", "faces", "faces=28", "=2x2", "faces=0x3", "faces=2.5x2", "faces=2x", "x=y"})
    EXPECT_THROW(parse_shape(wrong), InputError) << wrong;
}

TEST(Encode, Base64IsThatOfRfc4648) {  // section 10
  for (const auto& [text, code] : std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                                                   {"f", "Zg=="},
                                                                                   {"fo", "Zm8="},
                                                                                   {"foo", "Zm9v"},
                                                                                   {"foob", "Zm9vYg=="},
                                                                                   {"foobar", "Zm9vYmFy"}})
    EXPECT_EQ(detail::base64(text), code);
}

}  // namespace

}  // namespace bochner::testing::report_test
