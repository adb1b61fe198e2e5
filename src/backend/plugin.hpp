#pragma once
#include <string>

namespace bochner::detail {

/// A library of ours that is loaded when it is needed, such as libbochner_cuda.so.
struct PluginName {
  const char* file;      // "libbochner_cuda.so"
  const char* variable;  // of the environment, which may name another file
  const char* absent;    // the error message where there is none
  const char* remedy;    // what an error message ends with
  bool global = false;   // what it depends on is visible to libraries that are loaded later
};

/// Named by the environment variable, or beside the program or the Python module, in ../lib from there, or where the loader
/// looks. InputError where it cannot be loaded.
void* open_plugin(const PluginName& name);

void* plugin_symbol(const PluginName& name, void* library, const char* symbol);

/// InputError unless the function `symbol` returns `expected`.
void check_plugin_version(const PluginName& name, void* library, const char* symbol, int expected);

}  // namespace bochner::detail
