#include "report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/report/report.hpp"
#include "bochner/tables/atomic_file.hpp"
#include "cli/frame/console.hpp"
#include "cli/frame/resources.hpp"

namespace bochner::cli {

namespace {

namespace fs = std::filesystem;

struct ReportSettings {
  std::string run;
  std::vector<std::string> shapes;
};

struct CompareSettings {
  std::vector<std::string> runs;
};

/// `out` itself if it names an HTML file, else `file` in that folder.
std::string page_path(const std::string& out, const std::string& file) {
  const fs::path path(out);
  return path.extension() == ".html" || path.extension() == ".htm" ? out : (path / file).string();
}

void write_page(const std::string& path, const Json& document, const Common& common) {
  if (common.dry_run) {
    print(fmt::format("bochner would write {}\n", printable(path)));
    return;
  }
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) make_folder(folder.string());
  write_file(path, report_page(document));
  if (common.quiet) return;
  for (const Json& note : document["notes"]) print_error("note: " + note.get<std::string>() + "\n");
  print(fmt::format("Wrote {}\n", printable(path)));
}

int run_report(const ReportSettings& settings, const Common& common) {
  ReportOptions options;
  for (const std::string& text : settings.shapes) options.shapes.insert(parse_shape(text));
  const Json document = report_document(settings.run, options, make_threads(common.threads));
  write_page(page_path(common.out.empty() ? settings.run : common.out, report_file), document, common);
  return 0;
}

int run_compare(const CompareSettings& settings, const Common& common) {
  const Json document = compare_document(settings.runs, make_threads(common.threads));
  write_page(page_path(common.out, "compare.html"), document, common);
  return 0;
}

}  // namespace

Command report_command() {
  const auto s = std::make_shared<ReportSettings>();
  return {
      .name = "report",
      .summary = "Write the report of a run again: one HTML file that works offline",
      .example = "bochner report run",
      .details =
          "Every run folder has a report.html already; this rebuilds it from the files of the folder, also "
          "for runs of\n"
          "earlier versions. It shows the verdict, the latent space, what the model predicts, held-out "
          "scores and how\n"
          "the run came about. The file loads nothing from the network.",
      .options = {{.name = "run",
                   .placeholder = "DIR",
                   .help = "Run folder",
                   .target = &s->run,
                   .group = Group::input,
                   .required = true,
                   .positional = true},
                  {.name = "shape",
                   .placeholder = "VIEW=ROWSxCOLUMNS",
                   .help = "Rows of this view are pictures of this shape; the decoder draws them",
                   .target = &s->shapes,
                   .group = Group::input}},
      .out_placeholder = "PATH",
      .out_help = "HTML file, or folder for report.html (default: the run folder)",
      .run = [s](const Job& job) { return run_report(*s, job.common); }};
}

Command compare_command() {
  const auto s = std::make_shared<CompareSettings>();
  return {
      .name = "compare",
      .summary = "Compare several runs on one page: verdicts, scores, latents, settings",
      .example = "bochner compare runA runB --out compare.html",
      .details =
          "Writes one HTML file that works offline. Latents of later runs are turned, scaled and moved to "
          "those of the\n"
          "first (Procrustes) by the samples that both have.",
      .options = {{.name = "run",
                   .placeholder = "DIR",
                   .help = "Run folder; two or more",
                   .target = &s->runs,
                   .group = Group::input,
                   .required = true,
                   .positional = true}},
      .out_placeholder = "PATH",
      .out_help = "HTML file, or folder for compare.html",
      .out_default = "compare.html",
      .run = [s](const Job& job) { return run_compare(*s, job.common); }};
}

}  // namespace bochner::cli
