#include "plugin.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "bochner/core/errors.hpp"

namespace bochner::detail {
namespace {

namespace fs = std::filesystem;

/// Beside the program or the module that this code is a part of.
std::vector<fs::path> places(const char* file) {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&places), &here) == 0 || here.dli_fname == nullptr) return {};
  std::error_code error;
  fs::path own = fs::canonical(here.dli_fname, error);
  if (error) own = fs::read_symlink("/proc/self/exe", error);  // a program that was found in PATH
  const fs::path folder = own.parent_path();
  return {folder / file, folder / ".." / "lib" / file};
}

void* load(const PluginName& name, const std::string& path) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW | (name.global ? RTLD_GLOBAL : RTLD_LOCAL)))
    return library;
  const char* reason = dlerror();
  throw InputError(path + " cannot be loaded (" + (reason ? reason : "unknown reason") + "); " + name.remedy);
}

}  // namespace

void* open_plugin(const PluginName& name) {
  if (const char* named = std::getenv(name.variable); named != nullptr && *named != 0)
    return load(name, named);
  for (const fs::path& path : places(name.file)) {
    std::error_code error;
    if (fs::exists(path, error)) return load(name, path.string());
  }
  if (void* library = dlopen(name.file, RTLD_NOW | (name.global ? RTLD_GLOBAL : RTLD_LOCAL))) return library;
  throw InputError(name.absent);
}

void* plugin_symbol(const PluginName& name, void* library, const char* symbol) {
  if (void* found = dlsym(library, symbol)) return found;
  throw InputError(std::string(name.file) + " has no function " + symbol +
                   "; it is of another version of bochner: build it anew");
}

void check_plugin_version(const PluginName& name, void* library, const char* symbol, int expected) {
  const int version = reinterpret_cast<int (*)()>(plugin_symbol(name, library, symbol))();
  if (version == expected) return;
  throw InputError(std::string(name.file) + " has version " + std::to_string(version) +
                   " of its interface, but " + std::to_string(expected) + " is required: build it anew");
}

}  // namespace bochner::detail
