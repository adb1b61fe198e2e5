#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner {

/// Rows and columns of the picture that a row of a view is.
struct PictureShape {
  Index rows = 0, cols = 0;
};

struct ReportOptions {
  std::map<std::string, PictureShape> shapes{};  // by view; adds to those of the run
};

/// "faces=28x20" as a view and its shape. InputError if it is something else.
std::pair<std::string, PictureShape> parse_shape(const std::string& text);

/// What the page of a run shows, read from the files of its folder: verdict, facts, samples, panels. Files that are absent
/// or cannot be read leave out the panels that need them; the latter are named in `notes`. InputError if the folder holds
/// no run.
Json report_document(const std::string& folder, const ReportOptions& options, const Compute& compute);

/// The same for several runs side by side; latents are turned to those of the first (Procrustes).
Json compare_document(const std::vector<std::string>& folders, const Compute& compute);

/// One HTML file that needs no network: the document with the code and the style of the page in it.
std::string report_page(const Json& document);

/// The verdict, its reasons and the first facts of a document as a piece of HTML, without scripts: what a notebook shows of a model.
std::string report_summary(const Json& document);

/// report_page of the run in `folder`, as the file `path`; the default is report.html in the folder.
void write_report(const std::string& folder, const ReportOptions& options, const Compute& compute,
                  const std::string& path = "");

}  // namespace bochner
