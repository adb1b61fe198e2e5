#include "bochner/backend/open_device.hpp"

#include "bochner/core/errors.hpp"
#include "plugin.hpp"

namespace bochner {
namespace {

constexpr detail::PluginName cuda_plugin{
    .file = "libbochner_cuda.so",
    .variable = "BOCHNER_CUDA",
    .absent =
        "this bochner has no CUDA part: build libbochner_cuda.so (make cuda), name it by the environment "
        "variable BOCHNER_CUDA, or use the device cpu",
    .remedy = "install CUDA 13, or use the device cpu"};

}  // namespace

std::shared_ptr<Engine> open_cuda(int ordinal) {
  void* library = detail::open_plugin(cuda_plugin);
  detail::check_plugin_version(cuda_plugin, library, "bochner_cuda_engine_version", engine_version);
  char why[1024] = "";
  Engine* engine = reinterpret_cast<Engine* (*)(int, char*, std::size_t)>(
      detail::plugin_symbol(cuda_plugin, library, "bochner_cuda_open"))(ordinal, why, sizeof why);
  if (engine == nullptr) throw InputError(why);
  return std::shared_ptr<Engine>(engine);
}

Compute opened(Compute compute) {
  if (compute.device.is_cuda() && compute.engine == nullptr)
    compute.engine = open_cuda(compute.device.ordinal());
  return compute;
}

}  // namespace bochner
