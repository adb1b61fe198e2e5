#pragma once
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/run/json_file.hpp"
#include "src/report/decode.hpp"
#include "src/report/run_files.hpp"

namespace bochner::detail {

/// What a fitted model predicts at any latent, for the columns that vary most.
class RunDecoder {
 public:
  /// InputError if the run has no latents, or no model that predicts from them.
  RunDecoder(const std::string& folder, const Compute& compute);
  RunDecoder(const RunDecoder&) = delete;
  RunDecoder& operator=(const RunDecoder&) = delete;

  Index dims() const { return latents_.cols(); }

  /// {"dims": [{"name", "low", "high", "mean"}], "columns": [{"view", "name", "low", "high"}], "intervals",
  ///  "pictures": [{"view", "rows", "cols", "low", "high"}]}, the last of views that the run has shapes of.
  const Json& description() const { return description_; }

  /// {"mean": [..], "half": [..], "pictures": [[..]]}: predictions of these columns, half the width of their 90 % intervals (null
  /// without), and pixels row by row.
  Json decode(const std::vector<double>& latent) const;

 private:
  Compute compute_;
  RunFiles run_;
  Matrix latents_;
  std::vector<DecodedView> views_;
  std::vector<ShownColumn> shown_;
  std::vector<std::size_t> pictures_;  // views
  Json description_;
};

}  // namespace bochner::detail
