# bochner._core for further processors: bochner/<arch>/_core.*.so, of the same name and content, chosen by bochner/__init__.py.
#
# -march is the same for all targets of a build (cmake/toolchain.cmake says why), so that each is a build of its own, inside
# this one and with its settings.
include(ExternalProject)

set(required_of_builds "")
set(builds "{\"${BOCHNER_ARCH}\", required_0}")
bochner_required_array(required ${BOCHNER_ARCH})
string(APPEND required_of_builds "inline constexpr const char* required_0[] = {${required}};\n")

add_custom_target(extra_cores)
set(number 0)
foreach(arch ${BOCHNER_EXTRA_ARCHS})
  math(EXPR number "${number} + 1")
  bochner_required_array(required ${arch})
  string(APPEND required_of_builds "inline constexpr const char* required_${number}[] = {${required}};\n")
  string(PREPEND builds "{\"${arch}\", required_${number}}, ")

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arch})
  ExternalProject_Add(core_for_${arch}
    SOURCE_DIR ${PROJECT_SOURCE_DIR}
    PREFIX ${folder}
    BINARY_DIR ${folder}/build
    CMAKE_ARGS -DBOCHNER_ARCH=${arch} -DBOCHNER_PYTHON=ON -DBOCHNER_PROGRAM=OFF -DBOCHNER_TESTS=OFF -DBOCHNER_BENCHMARKS=OFF
      -DBOCHNER_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS} -DPython_EXECUTABLE=${Python_EXECUTABLE}
      -DPython_INCLUDE_DIR=${Python_INCLUDE_DIR} -DSKBUILD=${SKBUILD}
      -DSKBUILD_SABI_VERSION=${SKBUILD_SABI_VERSION}
    BUILD_COMMAND ${CMAKE_COMMAND} --build <BINARY_DIR> --target _core
    BUILD_ALWAYS ON
    INSTALL_COMMAND ""
    DEPENDS _core)  # one after the other: each takes all cores
  add_dependencies(extra_cores core_for_${arch})
  install(FILES ${folder}/build/python/$<TARGET_FILE_NAME:_core> DESTINATION bochner/${arch} COMPONENT python
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()

file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/builds.hpp CONTENT [[
#pragma once
// Written by python/extra_archs.cmake.

namespace bochner::processor {

struct Build {
  const char* arch;             // as in BOCHNER_ARCH
  const char* const* required;  // features, a null pointer at the end
};

@required_of_builds@inline constexpr Build builds[] = {@builds@};  // of bochner._core, the best first

}  // namespace bochner::processor
]] @ONLY)
