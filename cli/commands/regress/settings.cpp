#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/patches.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/harmonic/layer_plan.hpp"
#include "bochner/symmetry/input_scaling_names.hpp"
#include "cli/inputs/by_view.hpp"

namespace bochner::cli {

namespace {

using Names = std::vector<std::string>;

template <class F>
auto for_option(const char* option, const F& f) {
  try {
    return f();
  } catch (const InputError& error) {
    throw InputError(fmt::format("--{}: {}", option, error.what()));
  }
}

/// A column by its name, or by its number from 1.
std::optional<Index> find_column(const std::string& text, const Names& columns) {
  const auto found = std::find(columns.begin(), columns.end(), text);
  if (found != columns.end()) return found - columns.begin();
  const auto number = parse_integer<Index>(text);
  if (!number || *number < 1 || *number > static_cast<Index>(columns.size())) return std::nullopt;
  return *number - 1;
}

Index known_column(const std::string& text, const Names& columns) {
  if (const std::optional<Index> column = find_column(text, columns)) return *column;
  const std::string hint = did_you_mean(text, columns);
  throw InputError(fmt::format("the inputs have no column {}{}", quote(text),
                               hint.empty() ? "; they have " + listing(columns) : hint));
}

Circle read_circle(const std::string& value, const Names& columns) {
  const std::size_t colon = value.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == value.size())
    throw InputError(fmt::format("{} is not COLUMN:PERIOD, as in hour:24", quote(value)));
  return {known_column(value.substr(0, colon), columns), positive_number(value.substr(colon + 1))};
}

/// Names may contain commas: every way to split the value in two is tried.
Sphere read_sphere(const std::string& value, const Names& columns) {
  const std::size_t first = value.find(',');
  if (first == std::string::npos)
    throw InputError(fmt::format("{} is not LONGITUDE,LATITUDE, as in lon,lat", quote(value)));
  for (std::size_t comma = first; comma != std::string::npos; comma = value.find(',', comma + 1)) {
    const std::optional<Index> longitude = find_column(value.substr(0, comma), columns),
                               latitude = find_column(value.substr(comma + 1), columns);
    if (longitude && latitude) return {*longitude, *latitude};
  }
  return {known_column(value.substr(0, first), columns), known_column(value.substr(first + 1), columns)};
}

Names words(const std::string& list) {
  Names out;
  std::size_t from = 0;
  while (!list.empty() && from <= list.size()) {
    const std::size_t comma = std::min(list.find(',', from), list.size());
    out.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  return out;
}

std::vector<Index> read_counts(const std::string& list) {
  std::vector<Index> out;
  for (const std::string& word : words(list)) {
    const auto count = parse_integer<Index>(word);
    if (!count || *count < 1)
      throw InputError(fmt::format("{} is not a list of counts, as in 100,200", quote(list)));
    out.push_back(*count);
  }
  return out;
}

}  // namespace

void check_settings(const RegressSettings& s) {
  for_option("layers", [&] { parse_layers(words(s.layers)); });
  for_option("hidden-inducing", [&] { read_counts(s.hidden_inducing); });
  if (!s.image.empty()) for_option("image", [&] { parse_image_shape(s.image); });
  for_option("kernel", [&] { make_kernel(s.kernel, 2, Rng(0)); });
  for_option("scale", [&] { parse_input_scaling(s.scale); });
  if (s.ard && s.isotropic) throw InputError("--ard and --isotropic contradict each other; omit one of them");
  if (s.symmetry.size() > 1 && std::find(s.symmetry.begin(), s.symmetry.end(), "auto") != s.symmetry.end())
    throw InputError("--symmetry auto selects the symmetry; omit the others");
}

HarmonicFitOptions model_options(const RegressSettings& s, const Names& inputs) {
  HarmonicFitOptions o{
      .kernel = s.kernel,
      .ard = s.ard         ? std::optional<bool>(true)
             : s.isotropic ? std::optional<bool>(false)
                           : std::nullopt,
      .lengthscale = s.lengthscale,
      .likelihood = s.likelihood == "gaussian" && s.noise_model == "joint" ? "heteroscedastic" : s.likelihood,
      .degrees = s.degrees,
      .noise_by_inputs = s.likelihood == "gaussian" && s.noise_model == "inputs",
      .calibrate = !s.uncalibrated,
      .symmetries = s.symmetry,
      .scaling = parse_input_scaling(s.scale),
      .layers = words(s.layers),
      .image = s.image,
      .inducing = s.inducing,
      .hidden_inducing = read_counts(s.hidden_inducing),
      .shared_inducing = s.shared_inducing,
      .shared_covariance = s.shared_covariance,
      .steps = s.steps,
      .batch = s.batch,
      .minutes = s.minutes,
      .step_size = s.step_size,
      .natural_step = s.natural_step,
      .validation = s.validation,
      .patience = s.patience,
      .draws = s.draws};
  for (const std::string& value : s.circle)
    o.circles.push_back(for_option("circle", [&] { return read_circle(value, inputs); }));
  for (const std::string& value : s.sphere)
    o.spheres.push_back(for_option("sphere", [&] { return read_sphere(value, inputs); }));
  for_option("layers", [&] { check_layers(o, static_cast<Index>(inputs.size())); });
  return o;
}

}  // namespace bochner::cli
