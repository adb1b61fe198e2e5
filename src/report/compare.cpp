#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "bochner/assess/procrustes.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/report/report.hpp"
#include "encode.hpp"
#include "panel.hpp"
#include "provenance_panels.hpp"
#include "run_files.hpp"
#include "samples.hpp"
#include "verdict.hpp"

namespace bochner {

namespace {

using detail::RunFiles;
using detail::RunSamples;

struct Compared {
  RunFiles run;
  std::string name;
  RunSamples samples;
};

/// Latents of the samples that both have, turned, scaled and moved to those of the first run; R^2 says how well they fit.
struct Aligned {
  Matrix mean;  // N x Q of the run, in the frame of the first
  double r2 = std::nan("");
  Index common = 0;
};

Aligned align(const RunSamples& own, const RunSamples& first) {
  Aligned out{own.mean};
  if (own.mean.cols() != first.mean.cols()) return out;
  std::unordered_map<std::string, Index> at;
  for (std::size_t n = 0; n < first.ids.size(); ++n) at.emplace(first.ids[n], Index(n));
  std::vector<Index> here, there;
  for (std::size_t n = 0; n < own.ids.size(); ++n)
    if (const auto found = at.find(own.ids[n]); found != at.end()) {
      here.push_back(Index(n));
      there.push_back(found->second);
    }
  out.common = Index(here.size());
  if (out.common <= own.mean.cols()) return out;
  const Matrix Z = own.mean(here, Eigen::all), X = first.mean(there, Eigen::all);
  const Procrustes map = procrustes(Z, X, {.scaling = true});
  const Matrix centred = X.rowwise() - X.colwise().mean();
  out.r2 = 1 - (map.apply(Z) - X).squaredNorm() / centred.squaredNorm();
  out.mean = map.apply(own.mean);
  return out;
}

void add_verdicts(const std::vector<Compared>& runs, Json& panels) {
  Json rows = Json::array();
  for (const Compared& c : runs) {
    const Json verdict = detail::verdict_json(c.run);
    rows.push_back({c.name, detail::family_name(c.run), verdict["kind"], verdict["text"],
                    detail::human_seconds(detail::run_seconds(c.run)), detail::run_version(c.run)});
  }
  Json out = detail::panel("verdicts", "table", "Verdicts", "What each run says about itself.", true);
  out["table"] = detail::table_of({"run", "model", "verdict", "reasons", "time", "version"}, std::move(rows));
  panels.push_back(std::move(out));
}

/// Scores of metrics.json that several runs share: a chart for each score, a row for each view or outcome.
void add_scores(const std::vector<Compared>& runs, Json& panels) {
  const std::pair<const char*, const char*> scores[] = {{"rmse", "RMSE of held-out values"},
                                                        {"r2", "R^2 of held-out values"},
                                                        {"log_density", "log density of held-out values"},
                                                        {"accuracy", "accuracy on held-out rows"},
                                                        {"coverage90", "share in 90 % intervals"}};
  std::vector<std::string> names;
  for (const Compared& c : runs) names.push_back(c.name);
  Json charts = Json::array();
  for (const auto& [key, label] : scores) {
    std::vector<std::string> views;
    std::map<std::string, std::vector<double>> values;
    for (std::size_t i = 0; i < runs.size(); ++i)
      for (const auto& [view, s] : detail::member(runs[i].run.metrics(), "heldout").items()) {
        const double value = detail::number_of(s, key);
        if (!std::isfinite(value)) continue;
        if (!values.contains(view)) {
          views.push_back(view);
          values[view].assign(runs.size(), std::nan(""));
        }
        values[view][i] = value;
      }
    std::vector<detail::BarRow> rows;
    for (const std::string& view : views) rows.push_back({detail::shortened(view, 60), values[view]});
    if (!rows.empty()) charts.push_back(detail::bars(label, label, names, rows));
  }
  if (charts.empty()) return;
  Json out = detail::panel(
      "scores", "bars", "Held-out scores",
      "The same scores side by side; compare runs only where the same values were held out (same "
      "tables, same seed).",
      true);
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
}

void add_latents(const std::vector<Compared>& runs, Json& panels) {
  const auto first =
      std::find_if(runs.begin(), runs.end(), [](const Compared& c) { return !c.samples.empty(); });
  if (first == runs.end()) return;
  Json rows = Json::array();
  for (const Compared& c : runs) {
    if (c.samples.empty()) continue;
    const Aligned aligned = align(c.samples, first->samples);
    Json ids = Json::array();
    for (const std::string& id : c.samples.ids) ids.push_back(detail::shortened(id));
    Json out =
        detail::panel(fmt::format("latent-{}", panels.size()), "latent", "Latents of " + c.name,
                      &c == &*first ? "The frame of the other runs: each point is a sample."
                                    : "Each point is a sample, turned, scaled and moved to the first run by "
                                      "Procrustes: what lies elsewhere here was placed differently.");
    out["dims"] = c.samples.dims;
    out["mean"] = detail::as_floats(aligned.mean);
    out["samples"] = {{"ids", std::move(ids)}, {"fields", c.samples.fields}};
    panels.push_back(std::move(out));
    rows.push_back({c.name, Index(c.samples.ids.size()), aligned.common, detail::compact(aligned.r2)});
  }
  Json out = detail::panel(
      "alignment", "table", "Alignment",
      "How well the latents of each run match those of the first once they are aligned: an R^2 near 1 "
      "is the same picture.");
  out["table"] = detail::table_of({"run", "samples", "in common", "R^2"}, std::move(rows));
  panels.push_back(std::move(out));
}

void add_settings(const std::vector<Compared>& runs, Json& panels) {
  std::vector<std::string> keys, columns{"option"};
  for (const Compared& c : runs) {
    columns.push_back(c.name);
    for (const ConfigEntry& entry : c.run.config().entries)
      if (std::find(keys.begin(), keys.end(), entry.key) == keys.end()) keys.push_back(entry.key);
  }
  Json different = Json::array(), same = Json::array();
  for (const std::string& key : keys) {
    Json row = Json::array({key});
    bool equal = true;
    for (const Compared& c : runs) {
      row.push_back(c.run.setting(key));
      equal = equal && c.run.setting(key) == runs.front().run.setting(key);
    }
    if (equal && runs.front().run.setting(key).empty()) continue;  // options without a value
    (equal ? same : different).push_back(std::move(row));
  }
  const auto add = [&](const char* id, const char* title, const char* how, Json rows) {
    if (rows.empty()) return;
    Json out = detail::panel(id, "table", title, how, true);
    out["table"] = detail::table_of(columns, std::move(rows));
    panels.push_back(std::move(out));
  };
  add("different", "Settings that differ", "Options whose values are not the same in all runs.",
      std::move(different));
  add("same", "Settings in common", "Options with the same value in all runs.", std::move(same));
}

}  // namespace

Json compare_document(const std::vector<std::string>& folders, const Compute&) {
  if (folders.size() < 2) throw InputError("a comparison requires at least two run folders");
  std::vector<Compared> runs;
  for (const std::string& folder : folders) {
    Compared c{RunFiles(folder), "", {}};
    c.name = c.run.name();
    for (const Compared& other : runs)
      if (other.run.name() == c.run.name()) c.name = folder;
    c.samples = detail::read_samples(c.run);
    runs.push_back(std::move(c));
  }
  Json panels = Json::array(), notes = Json::array();
  add_verdicts(runs, panels);
  add_scores(runs, panels);
  add_latents(runs, panels);
  add_settings(runs, panels);
  for (const Compared& c : runs)
    for (const std::string& note : c.run.notes()) notes.push_back(c.name + ": " + note);
  return {{"format", 1},
          {"title", fmt::format("Comparison of {} runs", runs.size())},
          {"family", "Comparison"},
          {"version", detail::run_version(runs.front().run)},
          {"facts", Json::array({Json::array({std::to_string(runs.size()), "runs"})})},
          {"panels", std::move(panels)},
          {"notes", std::move(notes)}};
}

}  // namespace bochner
