#include "bochner/backend/open_device.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

namespace fs = std::filesystem;

constexpr const char* plugin_name = "libbochner_cuda.so";
constexpr const char* plugin_variable = "BOCHNER_CUDA";

[[noreturn]] void refuse(const std::string& what) { throw InputError(what + ", or use the device cpu"); }

void* load(const std::string& path) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const char* reason = dlerror();
  refuse(path + " cannot be loaded (" + (reason ? reason : "unknown reason") + "); install CUDA 13");
}

/// Beside the program or the module that this code is a part of.
std::vector<fs::path> places() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&places), &here) == 0 || here.dli_fname == nullptr) return {};
  std::error_code error;
  fs::path own = fs::canonical(here.dli_fname, error);
  if (error) own = fs::read_symlink("/proc/self/exe", error);  // a program that was found in PATH
  const fs::path folder = own.parent_path();
  return {folder / plugin_name, folder / ".." / "lib" / plugin_name};
}

void* plugin() {
  if (const char* named = std::getenv(plugin_variable); named != nullptr && *named != 0) return load(named);
  for (const fs::path& path : places()) {
    std::error_code error;
    if (fs::exists(path, error)) return load(path.string());
  }
  if (void* library = dlopen(plugin_name, RTLD_NOW | RTLD_LOCAL)) return library;
  refuse(std::string("this bochner has no CUDA part: build ") + plugin_name +
         " (make cuda), name it by the environment variable " + plugin_variable);
}

template <class Function>
Function symbol(void* library, const char* name) {
  if (void* found = dlsym(library, name)) return reinterpret_cast<Function>(found);
  refuse(std::string(plugin_name) + " has no function " + name +
         "; it is of another version of bochner: build it anew");
}

}  // namespace

std::shared_ptr<Engine> open_cuda(int ordinal) {
  void* library = plugin();
  const int version = symbol<int (*)()>(library, "bochner_cuda_engine_version")();
  if (version != engine_version)
    refuse(std::string(plugin_name) + " has version " + std::to_string(version) + " of the engine, but " +
           std::to_string(engine_version) + " is required: build it anew");
  char why[1024] = "";
  Engine* engine =
      symbol<Engine* (*)(int, char*, std::size_t)>(library, "bochner_cuda_open")(ordinal, why, sizeof why);
  if (engine == nullptr) throw InputError(why);
  return std::shared_ptr<Engine>(engine);
}

Compute opened(Compute compute) {
  if (compute.device.is_cuda() && compute.engine == nullptr)
    compute.engine = open_cuda(compute.device.ordinal());
  return compute;
}

}  // namespace bochner
