#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/run/any_fit.hpp"
#include "bochner/run/config.hpp"
#include "bochner/run/json_file.hpp"
#include "bochner/tables/table.hpp"

namespace bochner::detail {

/// The files of a run, read when they are asked for. What is absent, or damaged, is empty: a report shows what there is. What
/// is there and cannot be read is noted.
class RunFiles {
 public:
  /// InputError if the folder holds no run.
  explicit RunFiles(std::string folder);

  const std::string& folder() const { return folder_; }
  std::string name() const;  // the last part of the path
  bool has(const std::string& file) const;

  const Config& config() const { return config_; }
  std::string command() const;                        // "fit": what the run was started with
  std::string setting(const std::string& key) const;  // of config.toml, as text; "" if it is not there
  std::vector<std::string> settings(const std::string& key) const;  // a list
  const std::vector<Json>& log() const { return log_; }
  const Json& metrics() const { return metrics_; }
  Json json(const std::string& file);
  std::vector<std::string> files_in(
      const std::string& folder) const;  // tables in it, without their ending .csv, sorted

  /// `id` is the name of the column of ids.
  std::optional<Table> table(const std::string& file, const std::string& id = "id");
  std::optional<TextTable> text(const std::string& file, const std::string& id = "id");

  /// The model; nullptr if there is none that can be read.
  const AnyFit* fit();

  /// "latent.csv cannot be read: ..", one line for each such file.
  const std::vector<std::string>& notes() const { return notes_; }
  void note(std::string text) { notes_.push_back(std::move(text)); }

 private:
  std::string path(const std::string& file) const;
  bool is_small(const std::string& file, double most_bytes);
  template <class Read>
  auto attempt(const std::string& file, const Read& read) -> std::optional<decltype(read(file))>;

  std::string folder_;
  Config config_;
  std::vector<Json> log_;
  Json metrics_;
  std::optional<AnyFit> fit_;
  bool fit_read_ = false;
  std::vector<std::string> notes_;
};

/// The value of a key of an object, or an empty object.
const Json& member(const Json& object, const std::string& key);

/// A number of an object, NaN if it has none.
double number_of(const Json& object, const std::string& key);

/// A text of an object, "" if it has none.
std::string text_of(const Json& object, const std::string& key);

}  // namespace bochner::detail
