# One static library per folder of src/, linked in include order (docs/architecture.md): a folder that reaches
# to its right does not link, and tools/check_includes.py says so earlier.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(SLEEF REQUIRED IMPORTED_TARGET sleef)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
include(cmake/hdf5.cmake)

set(BOCHNER_FOLDERS "")

# bochner_folder(name DEPENDS folders... LINK libraries... PRIVATE libraries...)
function(bochner_folder name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    set(sources ${PROJECT_BINARY_DIR}/empty.cpp)
    file(WRITE ${sources} "")
  endif()
  add_library(bochner_${name} STATIC ${sources})
  add_library(bochner::${name} ALIAS bochner_${name})
  set_target_properties(bochner_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_include_directories(bochner_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  list(TRANSFORM ARG_DEPENDS PREPEND bochner_)
  target_link_libraries(bochner_${name} PUBLIC bochner_flags ${ARG_DEPENDS} ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:bochner_own_flags> ${ARG_PRIVATE})
  set(BOCHNER_FOLDERS ${BOCHNER_FOLDERS} ${name} PARENT_SCOPE)
endfunction()

bochner_folder(core LINK Eigen3::Eigen Threads::Threads PRIVATE PkgConfig::SLEEF)
bochner_folder(linalg DEPENDS core)
bochner_folder(data DEPENDS linalg)
bochner_folder(kernels DEPENDS linalg)
bochner_folder(evidence DEPENDS linalg)
bochner_folder(likelihoods DEPENDS linalg)
bochner_folder(features DEPENDS kernels evidence)
bochner_folder(simulate DEPENDS data kernels)
bochner_folder(infer DEPENDS linalg)
bochner_folder(priors DEPENDS linalg)
bochner_folder(metrics DEPENDS data)
bochner_folder(models DEPENDS data kernels evidence likelihoods features priors infer metrics)
bochner_folder(io DEPENDS models simulate LINK ZLIB::ZLIB PRIVATE fmt::fmt nlohmann_json::nlohmann_json PkgConfig::LIBZIP PkgConfig::HDF5)
target_compile_definitions(bochner_io PRIVATE BOCHNER_VERSION="${PROJECT_VERSION}")  # model files say who wrote them

add_library(bochner INTERFACE)  # everything, for users
add_library(bochner::bochner ALIAS bochner)
target_link_libraries(bochner INTERFACE bochner_io bochner_models bochner_simulate)
