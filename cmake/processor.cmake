# Which processor the code is built for, and what it says on another one (src/processor).

# bochner_default_arch(<variable> <processor> <wheel>): a wheel goes to other machines, a build stays on its own.
function(bochner_default_arch variable processor wheel)
  set(arch native)
  if(wheel AND processor MATCHES "^(x86_64|AMD64)$")
    set(arch x86-64-v3)  # AVX2 and FMA: Intel since 2013, AMD since 2015
  elseif(wheel AND processor MATCHES "^(aarch64|arm64)$")
    set(arch armv8-a)
  endif()
  set(${variable} ${arch} PARENT_SCOPE)
endfunction()

# bochner_required_features(<variable> <macros>): the names of src/processor/features.hpp whose macro the compiler defines.
function(bochner_required_features variable macros)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../src/processor/features.hpp lines REGEX "^    {\"")
  set(required "")
  foreach(line ${lines})
    string(REGEX REPLACE "^    {\"([a-z0-9.]+)\".*" "\\1" name "${line}")
    string(TOUPPER ${name} macro)
    string(REPLACE "." "_" macro ${macro})
    if(macros MATCHES "#define __${macro}__ 1")
      list(APPEND required ${name})
    endif()
  endforeach()
  set(${variable} "${required}" PARENT_SCOPE)
endfunction()

# bochner_required_array(<variable> <arch>): what code for <arch> requires, as the elements of an array of strings in C++, and a
# null pointer at the end; <variable>_names gets the names.
function(bochner_required_array variable arch)
  set(names "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -march=${arch} -x c++ -dM -E /dev/null
      OUTPUT_VARIABLE macros ERROR_VARIABLE complaint RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "${arch} (BOCHNER_ARCH, BOCHNER_EXTRA_ARCHS) is not a processor that the compiler knows:\n${complaint}")
    endif()
    bochner_required_features(names "${macros}")
  endif()
  set(array "")
  foreach(name ${names})
    string(APPEND array "\"${name}\", ")
  endforeach()
  set(${variable} "${array}nullptr" PARENT_SCOPE)
  set(${variable}_names "${names}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)  # tests/processor/arch_test.cmake
  return()
endif()

bochner_default_arch(default_arch ${CMAKE_SYSTEM_PROCESSOR} "${SKBUILD}")
set(BOCHNER_ARCH ${default_arch} CACHE STRING "processor to build for, as in -march=")

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/processor/features.hpp)
bochner_required_array(required ${BOCHNER_ARCH})
set(BOCHNER_REQUIRED_FEATURES "${required_names}")
set(baseline "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(baseline -march=x86-64)
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/processor/required_features.hpp CONTENT [[
#pragma once
// Written by cmake/processor.cmake.

namespace bochner::processor {

inline constexpr const char* built_for = "@BOCHNER_ARCH@";
inline constexpr const char* required_features[] = {@required@};

}  // namespace bochner::processor
]] @ONLY)

# Without bochner_flags, whose -march is what these two look at.
add_library(bochner_processor OBJECT ${PROJECT_SOURCE_DIR}/src/processor/processor.cpp)
target_include_directories(bochner_processor PUBLIC ${PROJECT_SOURCE_DIR}/src/processor ${PROJECT_BINARY_DIR}/processor)
target_compile_options(bochner_processor PRIVATE ${baseline})
target_link_libraries(bochner_processor PRIVATE bochner_own_flags)
add_library(bochner_at_start OBJECT ${PROJECT_SOURCE_DIR}/src/processor/at_start.cpp)
target_compile_options(bochner_at_start PRIVATE ${baseline})
target_link_libraries(bochner_at_start PUBLIC bochner_processor PRIVATE bochner_own_flags)
