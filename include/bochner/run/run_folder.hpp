#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/run/folder_lock.hpp"

namespace bochner {

/// The page of a run, in its folder (report/report.hpp).
inline constexpr const char* report_file = "report.html";

/// The folder in which a run leaves its files. It never mixes two runs and never touches what others put
/// there: opening the folder of an earlier run of the same kind removes the files that runs of this kind write, those
/// in folders within it that the earlier run has noted down as its own, and nothing else; a
/// folder that holds a run of another kind, or anything else that is not hidden, is refused, and so is one that another
/// process is writing to. What marks a run folder is the first line of its config.toml, which is therefore written first.
///
///     RunFolder run("run", "demo", {"predictions.csv", "metrics.json"}, "samples = 500\n");
///     write_csv(run.path("predictions.csv"), table);
///     write_csv(run.output("imputed/rna.csv"), table);
class RunFolder {
 public:
  /// Makes the folder, clears `files` of an earlier run and writes config.toml: "# bochner <kind> ..." and
  /// `config`. WriteError if the folder cannot be made or belongs to somebody else. A run that goes on with what it finds
  /// in the folder takes the lock before it looks, and hands it over.
  RunFolder(std::string folder, const std::string& kind, const std::vector<std::string>& files,
            std::string_view config, std::unique_ptr<FolderLock> lock = nullptr);

  const std::string& folder() const { return folder_; }
  std::string path(const std::string& file) const;

  /// The path of a file that this run is about to write into a folder within its own, which is made if need be. Its
  /// name is noted in log.jsonl, so that the next run in this folder knows what it may remove.
  std::string output(const std::string& file);

  /// Adds one line to log.jsonl, which is rewritten whole: a reader never sees half a line.
  void log(std::string_view json);

 private:
  std::string folder_, log_;
  std::unique_ptr<FolderLock> lock_;
};

/// Adds one line to the log of a run that has ended.
void append_log(const std::string& folder, std::string_view json);

/// The current folder of the run that lives in `folder` when it was started, as its config.toml notes it; "" if it does not.
std::string run_started_in(const std::string& folder);

/// Throws the WriteError that RunFolder would throw because the folder belongs to somebody else; touches
/// nothing.
void check_run_folder(const std::string& folder, const std::string& kind);

}  // namespace bochner
