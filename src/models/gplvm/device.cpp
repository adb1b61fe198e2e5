#include "bochner/models/gplvm/device.hpp"

#include <cstdio>

#include "bochner/backend/latent_step.hpp"
#include "bochner/backend/open_device.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "bochner/models/latent/options_by_view.hpp"

namespace bochner {
namespace {

constexpr double workspaces = 1e8;     // bytes of libraries on a card,
constexpr double of_branches = 6e7;    // and of each view beside the others
constexpr double worth_a_card = 3;     // seconds on the processor: opening a card takes about one
constexpr double share_of_card = 0.9;  // of what is free there

AnyKernel kernel_of(const GplvmViewOptions& view, Index dims) {
  return make_kernel(view.kernel, dims, Rng(0), {.components = view.components});
}

/// Why a card cannot take this fit; empty: it can.
std::string obstacle(const Dataset& data, const GplvmOptions& options) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  if (resolve(options.features, shape_of(data), views).kind != FeatureSpec::Kind::random)
    return "the exact kernel and inducing latents have no steps for a card yet; choose random features, such "
           "as features 300";
  if (options.precision == FloatingPoint::single_precision)
    return "a card computes in double so far; choose the precision double or auto";
  for (const GplvmViewOptions& view : views)
    if (!has_spectrum(kernel_of(view, options.dims)))
      return "the kernel " + view.kernel + " has no steps for a card; choose another one";
  return "";
}

}  // namespace

double device_bytes(const Dataset& data, const GplvmOptions& options) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  const FeatureSpec features = resolve(options.features, shape_of(data), views);
  double sum = workspaces + LatentStep::bytes(data.rows(), options.dims);
  for (Index v = 0; v < data.view_count(); ++v) {
    const AnyKernel kernel = kernel_of(views[static_cast<std::size_t>(v)], options.dims);
    Rng draws(0);
    const Index J =
        frequencies(kernel, draw_noise(kernel, features.count, features.directions, draws)).count();
    const View& view = data.view(v);
    const Index missing = view.rows() * view.cols() - data.observed(v);
    sum += of_branches + FeatureStep::bytes(view.rows(), view.cols(), missing, J, options.dims);
  }
  return sum;
}

DeviceChoice choose_device(const Dataset& data, const GplvmOptions& options, const Compute& compute) {
  DeviceChoice out{compute, ""};
  if (compute.device.is_cpu()) return out;
  const std::string why_not = obstacle(data, options);
  if (!compute.device.is_automatic()) {
    if (!why_not.empty()) throw InputError(compute.device.name() + ": " + why_not + ", or the device cpu");
    out.compute = opened(compute);
  } else {
    const auto stay = [&](const std::string& reason) {
      out.compute.device = Device::cpu();
      out.reason = reason;
      return out;
    };
    if (!why_not.empty()) return stay(why_not);
    if (gplvm_operations(shape_of(data), options) < worth_a_card * operations_per_second(compute))
      return stay("the fit is short");
    out.compute.device = Device::cuda();
    try {
      out.compute = opened(out.compute);
    } catch (const InputError& error) {
      return stay(error.what());
    }
  }
  const DeviceInfo card = out.compute.engine->info();
  const double need = device_bytes(data, options);
  if (need <= share_of_card * card.free_bytes) return out;
  const std::string short_of = "the fit takes " + human_bytes(need) + " on " + card.name + " (" + card.card +
                               "), where " + human_bytes(card.free_bytes) + " are free";
  if (!compute.device.is_automatic()) throw InputError(short_of + "; use fewer features, or the device cpu");
  out.compute = compute;
  out.compute.device = Device::cpu();
  out.reason = short_of;
  return out;
}

}  // namespace bochner
