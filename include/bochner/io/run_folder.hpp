#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bochner {

/// The folder in which a run leaves its files. It never mixes two runs and never touches what others put
/// there: opening the folder of an earlier run of the same kind removes the files that this run will write; a
/// folder that holds a run of another kind, or anything else that is not hidden, is refused. What marks a run
/// folder is the first line of its config.toml, which is therefore written first.
///
///     RunFolder run("run", "demo", {"predictions.csv", "metrics.json"}, "samples = 500\n");
///     write_csv(run.path("predictions.csv"), table);
class RunFolder {
 public:
  /// Makes the folder, clears `files` of an earlier run and writes config.toml: "# bochner <kind> ..." and
  /// `config`. WriteError if the folder cannot be made or belongs to somebody else.
  RunFolder(std::string folder, const std::string& kind, const std::vector<std::string>& files,
            std::string_view config);

  const std::string& folder() const { return folder_; }
  std::string path(const std::string& file) const;

  /// Adds one line to log.jsonl, which is rewritten whole: a reader never sees half a line.
  void log(std::string_view json);

 private:
  std::string folder_, log_;
};

/// Throws the WriteError that RunFolder would throw because the folder belongs to somebody else; touches
/// nothing.
void check_run_folder(const std::string& folder, const std::string& kind);

}  // namespace bochner
