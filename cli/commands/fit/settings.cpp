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
         a.fixed_noise == b.fixed_noise;
}

/// An option that was said, of one model.
struct Said {
  const char* name;
  bool said;
};

}  // namespace

void check_model_options(const FitSettings& s) {
  if (s.model != "variational" && s.model != "bayes")
    throw InputError(fmt::format("--model is {}, but must be variational or bayes", quote(s.model)));
  const FitSettings d;
  const std::vector<Said> of_bayes{{"likelihood", !s.likelihood.empty()},
                                   {"trials", !s.trials.empty()},
                                   {"time", !s.time.empty()},
                                   {"group", !s.group.empty()},
                                   {"time-kernel", s.time_kernel != d.time_kernel},
                                   {"start", s.start != d.start},
                                   {"warm-start", !s.warm_start.empty()},
                                   {"frequencies", s.frequencies != d.frequencies},
                                   {"chains", s.chains != d.chains},
                                   {"warmup", s.warmup != d.warmup},
                                   {"draws", s.draws != d.draws},
                                   {"thin", s.thin != d.thin},
                                   {"forecast", s.forecast != d.forecast}};
  const std::vector<Said> of_variational{{"components", s.components != d.components},
                                         {"features", s.features != d.features},
                                         {"scaling", !s.scaling.empty()},
                                         {"noise", !s.noise.empty()},
                                         {"steps", s.steps != d.steps},
                                         {"step-size", s.step_size != d.step_size},
                                         {"patience", s.patience != d.patience},
                                         {"restarts", s.restarts != d.restarts},
                                         {"precision", s.precision != d.precision}};
  const bool bayes = s.model == "bayes";
  for (const Said& option : bayes ? of_variational : of_bayes)
    if (option.said)
      throw InputError(
          fmt::format("--{} belongs to --model {}", option.name, bayes ? "variational" : "bayes"));
}

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
    throw InputError(fmt::format("--precision is {}, but must be double or single", quote(s.precision)));
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
