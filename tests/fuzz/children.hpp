#pragma once
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

namespace bochner::fuzz {

/// For readers that run in a child process (src/tables/subprocess.hpp): a child that the sanitizer stops must not save its
/// parent's input as a finding.
inline void ignore_crashes_of_children() {
  ::pthread_atfork(nullptr, nullptr, [] { __sanitizer_set_death_callback(nullptr); });
}

}  // namespace bochner::fuzz
