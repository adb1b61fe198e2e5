#include "fit_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

#include "bochner/core/errors.hpp"
#include "bochner/io/gplvm_names.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "io/sentence.hpp"

namespace bochner::cli {

namespace {

using Set = std::function<void(GplvmViewOptions&, const std::string&)>;

/// VALUE sets every view, NAME=VALUE one of them; what names a view wins.
void set_by_view(const char* option, const std::vector<std::string>& words,
                 const std::vector<std::string>& views, std::vector<GplvmViewOptions>& out, const Set& set) {
  const auto assign = [&](GplvmViewOptions& view, const std::string& value) {
    try {
      set(view, value);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--{}: {}", option, error.what()));
    }
  };
  std::vector<std::pair<std::size_t, std::string>> named;
  bool everywhere = false;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    if (equals == std::string::npos) {
      if (everywhere)
        throw InputError(fmt::format("--{} is given twice for all views; name one as in NAME=VALUE", option));
      everywhere = true;
      for (GplvmViewOptions& view : out) assign(view, word);
      continue;
    }
    const std::string name = word.substr(0, equals);
    const auto found = std::find(views.begin(), views.end(), name);
    if (found == views.end()) {
      const std::string hint = io::did_you_mean(name, views);
      throw InputError(fmt::format("--{} {}: there is no view {}{}", option, io::printable(word),
                                   io::quote(name),
                                   hint.empty() ? "; there are " + io::listing(views) : hint));
    }
    named.emplace_back(found - views.begin(), word.substr(equals + 1));
  }
  for (const auto& [v, value] : named) assign(out[v], value);
}

double positive_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e300)
    throw InputError(fmt::format("{} is no positive number", io::quote(text)));
  return value;
}

bool alike(const GplvmViewOptions& a, const GplvmViewOptions& b) {
  return a.kernel == b.kernel && a.components == b.components && a.scaling == b.scaling &&
         a.fixed_noise == b.fixed_noise;
}

}  // namespace

GplvmOptions model_options(const FitSettings& s, const std::vector<std::string>& views) {
  GplvmOptions out{.dims = s.dims,
                   .steps = s.steps,
                   .step_size = s.step_size,
                   .patience = s.patience,
                   .restarts = s.restarts};
  try {
    out.features = parse_features(s.features);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--features: {}", error.what()));
  }
  if (s.precision != "double" && s.precision != "single")
    throw InputError(fmt::format("--precision is {}, but must be double or single", io::quote(s.precision)));
  out.single_precision = s.precision == "single";

  std::vector<GplvmViewOptions> each(views.size(), {.components = s.components});
  set_by_view("kernel", s.kernel, views, each, [&](GplvmViewOptions& view, const std::string& text) {
    make_kernel(text, s.dims, Rng(0));  // complains here
    view.kernel = text;
  });
  set_by_view("scaling", s.scaling, views, each,
              [](GplvmViewOptions& view, const std::string& text) { view.scaling = parse_scaling(text); });
  set_by_view("noise", s.noise, views, each, [](GplvmViewOptions& view, const std::string& text) {
    view.fixed_noise = positive_number(text);
  });
  out.view = each.front();
  if (!std::all_of(each.begin(), each.end(),
                   [&](const GplvmViewOptions& view) { return alike(view, out.view); }))
    out.own.assign(each.begin(), each.end());
  return out;
}

}  // namespace bochner::cli
