#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/make_kernel.hpp"
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
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > static_cast<Index>(columns.size())) return std::nullopt;
  return number - 1;
}

Index known_column(const std::string& text, const Names& columns) {
  if (const std::optional<Index> column = find_column(text, columns)) return *column;
  const std::string hint = did_you_mean(text, columns);
  throw InputError(fmt::format("the inputs have no column {}{}", quote(text),
                               hint.empty() ? "; they have " + listing(columns) : hint));
}

Circle read_circle(const std::string& word, const Names& columns) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == word.size())
    throw InputError(
        fmt::format("{} is no column with its period; write COLUMN:PERIOD, as in hour:24", quote(word)));
  return {known_column(word.substr(0, colon), columns), positive_number(word.substr(colon + 1))};
}

/// Names may hold commas themselves: every way to cut the word in two is tried.
Sphere read_sphere(const std::string& word, const Names& columns) {
  const std::size_t first = word.find(',');
  if (first == std::string::npos)
    throw InputError(
        fmt::format("{} is no pair of columns; write LONGITUDE,LATITUDE, as in lon,lat", quote(word)));
  for (std::size_t comma = first; comma != std::string::npos; comma = word.find(',', comma + 1)) {
    const std::optional<Index> longitude = find_column(word.substr(0, comma), columns),
                               latitude = find_column(word.substr(comma + 1), columns);
    if (longitude && latitude) return {*longitude, *latitude};
  }
  return {known_column(word.substr(0, first), columns), known_column(word.substr(first + 1), columns)};
}

Option number(std::string name, std::string placeholder, std::string help, Option::Target target, double low,
              double high, std::string shown = {}) {
  return {.name = std::move(name),
          .placeholder = std::move(placeholder),
          .help = std::move(help),
          .target = target,
          .low = low,
          .high = high,
          .shown_default = std::move(shown)};
}

}  // namespace

void check_words(const RegressSettings& s, bool classes) {
  const Names known =
      classes ? Names{"auto", "bernoulli", "softmax", "robustmax"} : Names{"gaussian", "student", "poisson"};
  if (std::find(known.begin(), known.end(), s.likelihood) == known.end())
    throw InputError(
        fmt::format("--likelihood is {}, but must be one of {}", quote(s.likelihood), listing(known)));
  for_option("kernel", [&] { make_kernel(s.kernel, 2, Rng(0)); });
  for_option("scale", [&] { parse_input_scaling(s.scale); });
  if (s.symmetry.size() > 1 && std::find(s.symmetry.begin(), s.symmetry.end(), "auto") != s.symmetry.end())
    throw InputError("--symmetry auto compares symmetries by itself; leave the others out");
}

HarmonicFitOptions model_options(const RegressSettings& s, const Names& inputs) {
  HarmonicFitOptions o{.kernel = s.kernel,
                       .ard = s.ard,
                       .lengthscale = s.lengthscale,
                       .likelihood = s.likelihood,
                       .degrees = s.degrees,
                       .symmetries = s.symmetry,
                       .scaling = parse_input_scaling(s.scale),
                       .inducing = s.inducing,
                       .shared_inducing = s.shared_inducing,
                       .shared_covariance = s.shared_covariance,
                       .steps = s.steps,
                       .batch = s.batch,
                       .step_size = s.step_size,
                       .natural_step = s.natural_step,
                       .validation = s.validation,
                       .patience = s.patience};
  for (const std::string& word : s.circle)
    o.circles.push_back(for_option("circle", [&] { return read_circle(word, inputs); }));
  for (const std::string& word : s.sphere)
    o.spheres.push_back(for_option("sphere", [&] { return read_sphere(word, inputs); }));
  return o;
}

std::vector<Option> regress_options(RegressSettings& s, bool classes) {
  std::vector<Option> out{
      {.name = "x",
       .placeholder = "TABLE",
       .help = "the inputs, a row for each sample; no holes",
       .target = &s.x,
       .required = true,
       .file = true},
      {.name = "y",
       .placeholder = classes ? "FILE:COLUMN" : "TABLE",
       .help = classes ? "the classes, words or numbers; a column of the file of --x will do"
                       : "the outcomes, or one of them: FILE:COLUMN, also of the file of --x",
       .target = &s.y,
       .required = true,
       .file = true},
      {.name = "id",
       .placeholder = "COLUMN",
       .help = "column with the ids of the rows, or none",
       .target = &s.id,
       .shown_default = "a first one called id, sample, .."},
      {.name = "kernel",
       .placeholder = "K",
       .help = "rbf, matern12, matern32, matern52, poly2, arccos1, rbf+linear, ...",
       .target = &s.kernel},
      {.name = "ard", .help = "a length-scale for each input, not one for all", .target = &s.ard},
      number("lengthscale", "L", "where it starts, in scaled units", &s.lengthscale, 0, 1e9,
             "the median distance"),
      number("inducing", "M", "inducing points for each group of harmonics", &s.inducing, 1, 1e5),
      {.name = "symmetry",
       .placeholder = "WORD",
       .help = "of the kernel: negate, negate:pca:3, rotate:a,b:4, flip:28x28:lr, auto, ...",
       .target = &s.symmetry},
      {.name = "shared-inducing",
       .help = "one set of inducing points for all groups",
       .target = &s.shared_inducing},
      {.name = "shared-covariance",
       .help = classes ? "one posterior covariance for all classes: less memory"
                       : "one posterior covariance for all outcomes: less memory",
       .target = &s.shared_covariance},
      {.name = "circle",
       .placeholder = "COLUMN:PERIOD",
       .help = "an input that goes round, as in hour:24",
       .target = &s.circle},
      {.name = "sphere",
       .placeholder = "LON,LAT",
       .help = "two inputs that are degrees on a globe",
       .target = &s.sphere},
      {.name = "scale",
       .placeholder = "HOW",
       .help = "of the inputs: standardise, common (one number for all), none",
       .target = &s.scale},
      {.name = "likelihood",
       .placeholder = "HOW",
       .help = classes ? "bernoulli for two classes, else softmax; robustmax forgives wrong labels"
                       : "gaussian; student for outliers; poisson for counts",
       .target = &s.likelihood}};
  if (!classes) out.push_back(number("degrees", "NU", "of freedom, of student", &s.degrees, 1.1, 1e6));
  const std::vector<Option> rest{
      number("steps", "N", "of the optimiser, at most", &s.steps, 1, 1e9),
      number("batch", "B", "rows for each step", &s.batch, 1, 1e6),
      number("step-size", "S", "of Adam", &s.step_size, 1e-6, 1),
      number("natural-step", "S", "of natural gradients, at most; 0: Adam alone", &s.natural_step, 0, 1),
      number("validation", "SHARE", "of the rows to stop by, at most 10,000 of them; 0: none", &s.validation,
             0, 0.5),
      number("patience", "N", "checks, one in 100 steps, without progress before it ends", &s.patience, 1,
             1e6),
      number("test", "SHARE", "of the rows held out to judge by, at most 100,000; 0: none", &s.test, 0, 0.5),
      {.name = "memory",
       .placeholder = "MB",
       .help = "larger tables are read in pieces, if NPY or HDF5",
       .target = &s.memory,
       .low = 0,
       .high = 1e9},
      {.name = "resume",
       .help = "go on with the stopped run in --out, with its own options",
       .target = &s.resume,
       .recorded = false,
       .in_config = false},
      {.name = "checkpoint-seconds",
       .placeholder = "T",
       .help = "between checkpoints for --resume, at least; 0: every step",
       .target = &s.checkpoint_seconds,
       .low = 0,
       .high = 1e9,
       .recorded = false}};
  out.insert(out.end(), rest.begin(), rest.end());
  return out;
}

}  // namespace bochner::cli
