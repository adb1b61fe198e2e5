#include "options_group.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

#include "bochner/core/errors.hpp"
#include "bochner/symmetry/input_scaling_names.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"

namespace bochner::detail {

namespace {

/// f(name, member) for every option. The binding does not compile while a member is missing from the list.
template <class Options, class F>
void for_each_option(Options& options, F&& f) {
  auto& [kernel, ard, lengthscale, likelihood, degrees, noise, noise_by_inputs, calibrate, symmetries,
         circles, spheres, scaling, layers, image, inducing, hidden_inducing, shared_inducing,
         shared_covariance, learn_kernel, learn_inducing, jitter, steps, batch, minutes, step_size,
         natural_step, validation, check_every, patience, row_memory, draws] = options;
  f("kernel", kernel), f("ard", ard), f("lengthscale", lengthscale);
  f("likelihood", likelihood), f("degrees", degrees), f("noise", noise),
      f("noise_by_inputs", noise_by_inputs), f("calibrate", calibrate);
  f("symmetries", symmetries), f("circles", circles), f("spheres", spheres), f("scaling", scaling);
  f("layers", layers), f("image", image), f("hidden_inducing", hidden_inducing), f("draws", draws);
  f("inducing", inducing), f("shared_inducing", shared_inducing), f("shared_covariance", shared_covariance);
  f("learn_kernel", learn_kernel), f("learn_inducing", learn_inducing), f("jitter", jitter);
  f("steps", steps), f("batch", batch), f("minutes", minutes), f("step_size", step_size),
      f("natural_step", natural_step);
  f("validation", validation), f("check_every", check_every), f("patience", patience);
  f("row_memory", row_memory);
}

struct Writer {
  ModelGroup& group;
  void operator()(const char* name, const std::string& value) { group.set(name, value); }
  void operator()(const char* name, double value) { group.set(name, value); }
  void operator()(const char* name, bool value) { group.set(name, value); }
  void operator()(const char* name, std::optional<bool> value) {
    if (value) group.set(name, *value);
  }
  void operator()(const char* name, Index value) { group.set(name, value); }
  void operator()(const char* name, const std::vector<std::string>& value) { group.set(name, value); }
  void operator()(const char* name, const std::vector<Index>& value) { group.set(name, integers(value)); }
  void operator()(const char* name, InputScaling value) { group.set(name, to_text(value)); }
  void operator()(const char*, const std::vector<Circle>& value) { set_circles(group, value); }
  void operator()(const char*, const std::vector<Sphere>& value) { set_spheres(group, value); }
};

/// Files of earlier versions lack what layers and later options brought; 'ard' is absent where each fit decides it anew.
struct Reader {
  const ModelGroup& group;
  Index M;
  void operator()(const char* name, std::string& value) const {
    if (there(name)) value = group.text(name);
  }
  void operator()(const char* name, double& value) const {
    if (there(name)) value = group.number(name);
  }
  void operator()(const char* name, bool& value) const {
    if (there(name)) value = group.flag(name);
  }
  void operator()(const char* name, std::optional<bool>& value) const {
    if (there(name)) value = group.flag(name);
  }
  void operator()(const char* name, Index& value) const {
    if (there(name)) value = count_from(group, name);
  }
  void operator()(const char* name, std::vector<std::string>& value) const {
    if (there(name)) value = group.texts(name);
  }
  void operator()(const char* name, std::vector<Index>& value) const {
    if (!there(name)) return;
    value.clear();
    for (const std::int64_t one : group.integers(name)) value.push_back(static_cast<Index>(one));
  }
  void operator()(const char* name, InputScaling& value) const {
    value = parse_input_scaling(group.text(name));
  }
  void operator()(const char*, std::vector<Circle>& value) const { value = circles_from(group, M); }
  void operator()(const char*, std::vector<Sphere>& value) const { value = spheres_from(group, M); }

 private:
  bool there(std::string_view name) const {
    const bool optional = name == "layers" || name == "image" || name == "hidden_inducing" ||
                          name == "draws" || name == "minutes" || name == "ard" || name == "calibrate" ||
                          name == "noise_by_inputs";
    return !optional || group.has(std::string(name));
  }
};

/// Predictions go by these, and by no other option.
void check_drawable(const ModelGroup& group, const HarmonicFitOptions& options) {
  constexpr Index most = 100000;
  if (options.draws < 1 || options.draws > most)
    throw InputError(fmt::format("{}: the number of draws is {}, but must lie between 1 and {}",
                                 group.where(), options.draws, most));
}

}  // namespace

void set_circles(ModelGroup& group, const std::vector<Circle>& circles) {
  std::vector<Index> columns;
  std::vector<double> periods;
  for (const Circle& c : circles) {
    columns.push_back(c.column);
    periods.push_back(c.period);
  }
  group.set("circle_columns", integers(columns)).set("circle_periods", numbers(periods));
}

void set_spheres(ModelGroup& group, const std::vector<Sphere>& spheres) {
  std::vector<Index> longitudes, latitudes;
  for (const Sphere& s : spheres) {
    longitudes.push_back(s.longitude);
    latitudes.push_back(s.latitude);
  }
  group.set("longitudes", integers(longitudes)).set("latitudes", integers(latitudes));
}

std::vector<Circle> circles_from(const ModelGroup& group, Index M) {
  const std::vector<Index> columns = columns_from(group, "circle_columns", M);
  const Vector& periods = group.vector("circle_periods");
  check_length(group, "circle_periods", periods.size(), static_cast<Index>(columns.size()));
  if (!periods.allFinite() || !(periods.array() > 0).all())
    throw InputError(fmt::format("{}: the periods of circles must be positive numbers", group.where()));
  std::vector<Circle> out;
  for (const Index column : columns) out.push_back({column, periods(static_cast<Index>(out.size()))});
  return out;
}

std::vector<Sphere> spheres_from(const ModelGroup& group, Index M) {
  const std::vector<Index> longitudes = columns_from(group, "longitudes", M),
                           latitudes = columns_from(group, "latitudes", M);
  check_length(group, "latitudes", static_cast<Index>(latitudes.size()),
               static_cast<Index>(longitudes.size()));
  std::vector<Sphere> out;
  for (std::size_t i = 0; i < longitudes.size(); ++i) out.push_back({longitudes[i], latitudes[i]});
  return out;
}

ModelGroup harmonic_options_group(const HarmonicFitOptions& options) {
  ModelGroup out;
  for_each_option(options, Writer{out});
  return out;
}

HarmonicFitOptions harmonic_options_from(const ModelGroup& group, Index M) {
  HarmonicFitOptions out;
  for_each_option(out, Reader{group, M});
  check_drawable(group, out);
  return out;
}

}  // namespace bochner::detail
