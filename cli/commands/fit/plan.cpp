#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/backend/engine.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "cli/frame/resources.hpp"
#include "cli/frame/text.hpp"

namespace bochner::cli {

namespace {

std::string kernels_text(const FitJob& job) {
  std::vector<std::string> names;
  for (const GplvmViewOptions& view : options_by_view(job.options, job.data.view_count()))
    if (std::find(names.begin(), names.end(), view.kernel) == names.end()) names.push_back(view.kernel);
  return (names.size() == 1 ? "kernel " : "kernels ") + join_list(names);
}

/// What random features may get wrong: those that are used or, where `auto` chose none, those that one could ask for instead.
std::string feature_error_text(const FitJob& job) {
  const std::vector<GplvmViewOptions> views = options_by_view(job.options, job.data.view_count());
  const FeatureSpec features = resolve(job.options.features, shape_of(job.data), views);
  const bool used = features.kind == FeatureSpec::Kind::random;
  if (!used && job.options.features.kind != FeatureSpec::Kind::automatic) return "";
  const Index count =
      used ? features.count : resolve({.kind = FeatureSpec::Kind::random}, shape_of(job.data), views).count;
  const auto percent = [&](Index frequencies) {
    double worst = 0;  // of the views
    for (const GplvmViewOptions& view : views)
      worst = std::max(worst, feature_error(job.data.rows(), frequencies, mixture_components(view)));
    return 100 * worst;
  };
  return fmt::format(
      "{}         Gram matrix within {:.0f} % of its largest norm with probability 0.95 (a bound); {} "
      "frequencies: {:.0f} %\n",
      used ? "" : fmt::format("         instead, with {} random frequencies per component:\n", count),
      percent(count), 4 * count, percent(4 * count));
}

}  // namespace

std::string algorithm_text(const FitJob& job) {
  const FeatureSpec f =
      resolve(job.options.features, shape_of(job.data), options_by_view(job.options, job.data.view_count()));
  std::string how;
  switch (f.kind) {
    case FeatureSpec::Kind::nystrom:
      how = counted(f.count, "inducing latent");
      break;
    case FeatureSpec::Kind::random:
      how = fmt::format(
          "{} {} per component, redrawn every step", f.count,
          f.directions == Directions::orthogonal ? "orthogonal frequencies" : "random frequencies");
      break;
    default:
      how = fmt::format("the exact Gram matrix, {} x {}", job.data.rows(), job.data.rows());
  }
  return fmt::format("{} in {}, {}", kernels_text(job),
                     job.auto_dims && job.tried.empty()
                         ? fmt::format("1 to {} dimensions, as held-out entries pay for", job.options.dims)
                         : counted(job.options.dims, "dimension"),
                     how);
}

/// "dims  2 chosen; mean squared error of held-out entries 0.52 with 1, 0.31 with 2, 0.30 with 3"
std::string tried_text(const FitJob& job) {
  if (job.tried.empty()) return "";
  std::vector<std::string> words;
  for (const DimsTrial& t : job.tried) words.push_back(fmt::format("{:.4g} with {}", t.error, t.dims));
  return "dims  " + wrap(fmt::format("{} chosen; mean squared error of held-out entries {}", job.options.dims,
                                     join_list(words)),
                         94, 6);
}

std::string views_text(const Dataset& data) {
  std::vector<std::string> parts;
  constexpr Index most = 8;
  for (Index v = 0; v < std::min(data.view_count(), most); ++v)
    parts.push_back(fmt::format("{} {} x {} ({:.0f} % observed)", printable(data.view(v).name, 40),
                                data.present(v).count(), data.view(v).cols(),
                                100 * static_cast<double>(data.observed(v)) /
                                    static_cast<double>(data.present(v).count() * data.view(v).cols())));
  if (data.view_count() > most) parts.push_back(fmt::format("and {} more", data.view_count() - most));
  return join_list(parts);
}

std::string tables_text(const Dataset& data, const std::string& ids, const char* read, const char* from) {
  return fmt::format("{}{} in {}: {}\n{}{}\n", read, counted(data.rows(), "sample"),
                     counted(data.view_count(), "view"), views_text(data), from, ids);
}

std::string fitted_text(const FitJob& job, const FitResult& result) {
  return tried_text(job) +
         fmt::format("fit   {}{}: {} in {:.1f} s, bound {:.6g}, {}\n\n", algorithm_text(job),
                     job.device.compute.engine ? ", on " + device_text(job) : "",
                     counted(result.fit.steps, "step"), result.seconds, result.fit.objective,
                     status_text(result.fit.status)) +
         dimensions_text(result.dimensions, result.scores);
}

std::string device_text(const FitJob& job) {
  if (!job.device.compute.engine) return "";
  const DeviceInfo info = job.device.compute.engine->info();
  return fmt::format("{} ({})", info.name, info.card);
}

MemoryNeed fit_memory(const FitJob& job) {
  return {gplvm_memory(job.seen, job.options), "try --features 100, or fewer samples"};
}

std::string fit_plan(const std::string& first, const FitJob& job, const std::vector<std::string>& files,
                     const std::string& out, const Threads& threads) {
  const double bytes = gplvm_memory(job.seen, job.options);
  std::string time = "more than available";
  if (bytes <= free_memory()) {
    const double rate = operations_per_second(threads);
    double operations = gplvm_operations(shape_of(job.data), job.options);
    if (job.auto_dims)
      operations += choose_dims_operations(shape_of(job.data), job.options, job.options.dims);
    const std::string usual = about_time(operations / rate);
    time = fmt::format("{}{} on {}", usual.starts_with("less") ? "" : "usually ", usual,
                       counted(threads.count(), "thread"));
  }
  const Index held_out = job.data.observed() - job.seen.observed();
  std::string on_card;
  if (const std::string device = device_text(job); !device.empty()) {
    on_card = fmt::format("         on {}: about {} of its memory ({} free)\n", device,
                          human_bytes(device_bytes(job.seen, job.options)),
                          human_bytes(job.device.compute.engine->info().free_bytes));
    time += " without it";
  }
  return fmt::format(
      "{}"
      "  fit    {}\n"
      "{}"
      "         {} of at most {}; {} of {} observed entries held out for evaluation\n"
      "  need   about {} of memory ({} free) and {}\n"
      "{}",
      first, algorithm_text(job), on_card + feature_error_text(job),
      counted(resolve_restarts(job.options, shape_of(job.data)), "start"), counted(job.options.steps, "step"),
      held_out, job.data.observed(), human_bytes(bytes), human_bytes(free_memory()), time,
      "  write  " + wrap(fmt::format("config.toml, {}, imputed/ in {}/", join_list(files), out), 95, 9));
}

}  // namespace bochner::cli
