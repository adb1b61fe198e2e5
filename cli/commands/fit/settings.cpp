#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "cli/inputs/by_view.hpp"

namespace bochner::cli {

namespace {

bool alike(const GplvmViewOptions& a, const GplvmViewOptions& b) {
  return a.kernel == b.kernel && a.components == b.components && a.scaling == b.scaling &&
         a.fixed_noise == b.fixed_noise && a.first_noise == b.first_noise;
}

/// Kernels of some of the dimensions, as rbf[1], want to know how many there are.
void check_any_dims(const std::string& kernel) {
  try {
    make_kernel(kernel, 1, Rng(0));
  } catch (const InputError&) {
    throw InputError(
        fmt::format("{} selects latent dimensions; with --dims auto their number is not known yet, so give "
                    "--dims a number",
                    quote(kernel)));
  }
}

}  // namespace

GplvmOptions model_options(const FitSettings& s, const std::vector<std::string>& views) {
  const Index dims = s.dims == 0 ? most_auto_dims : s.dims;
  GplvmOptions out{.dims = dims,
                   .steps = s.steps,
                   .step_size = s.step_size,
                   .patience = s.patience,
                   .restarts = s.restarts};
  try {
    out.features = parse_features(s.features, gplvm_feature_kinds);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--features: {}", error.what()));
  }
  out.precision = parse_precision(s.precision);

  std::vector<GplvmViewOptions> each(views.size(), {.components = s.mixtures});
  set_by_view("kernel", s.kernel, views, each, [&](GplvmViewOptions& view, const std::string& text) {
    make_kernel(text, dims, Rng(0));  // throws here
    if (s.dims == 0) check_any_dims(text);
    view.kernel = text;
  });
  set_by_view("scaling", s.scaling, views, each,
              [](GplvmViewOptions& view, const std::string& text) { view.scaling = parse_scaling(text); });
  set_by_view("noise", s.noise, views, each, [](GplvmViewOptions& view, const std::string& text) {
    view.fixed_noise = positive_number(text);
  });
  set_by_view("noise-start", s.noise_start, views, each, [](GplvmViewOptions& view, const std::string& text) {
    view.first_noise = positive_number(text);
  });
  out.view = each.front();
  if (!std::all_of(each.begin(), each.end(),
                   [&](const GplvmViewOptions& view) { return alike(view, out.view); }))
    out.own.assign(each.begin(), each.end());
  return out;
}

}  // namespace bochner::cli
