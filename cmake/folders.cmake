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

# bochner_folder(path [LOOPS] DEPENDS folders... LINK libraries... PRIVATE libraries... PARTS folders...)
# src/a/b becomes the library bochner_a_b; PARTS are folders below it that belong to the same library. LOOPS: the inner loops
# over rows and features are here, and -O3 pays; elsewhere it costs a quarter of the compile time for nothing.
function(bochner_folder path)
  cmake_parse_arguments(ARG "LOOPS" "" "DEPENDS;LINK;PRIVATE;PARTS" ${ARGN})
  string(REPLACE "/" "_" name ${path})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*.cpp)
  foreach(part ${ARG_PARTS})
    file(GLOB more CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/${part}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  add_library(bochner_${name} STATIC ${sources})
  add_library(bochner::${name} ALIAS bochner_${name})
  set_target_properties(bochner_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  target_include_directories(bochner_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  string(REPLACE "/" "_" depends "${ARG_DEPENDS}")
  list(TRANSFORM depends PREPEND bochner_)
  target_link_libraries(bochner_${name} PUBLIC bochner_flags ${depends} ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:bochner_own_flags> fmt::fmt ${ARG_PRIVATE})
  if(ARG_LOOPS)
    target_compile_options(bochner_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  set(BOCHNER_FOLDERS ${BOCHNER_FOLDERS} ${path} PARENT_SCOPE)
endfunction()

bochner_folder(core LINK Eigen3::Eigen)
bochner_folder(compute LOOPS DEPENDS core LINK Threads::Threads PRIVATE PkgConfig::SLEEF)
bochner_folder(random LOOPS DEPENDS compute PRIVATE PkgConfig::SLEEF)
bochner_folder(linalg LOOPS DEPENDS random)
bochner_folder(tables DEPENDS core LINK ZLIB::ZLIB PARTS hdf5 PRIVATE PkgConfig::LIBZIP PkgConfig::HDF5)
bochner_folder(store DEPENDS tables PRIVATE PkgConfig::HDF5)
target_compile_definitions(bochner_store PRIVATE BOCHNER_VERSION="${PROJECT_VERSION}")  # model files say who wrote them
bochner_folder(data DEPENDS linalg store)
bochner_folder(kernels LOOPS DEPENDS linalg store)
bochner_folder(symmetry DEPENDS data kernels)
bochner_folder(evidence LOOPS DEPENDS linalg)
bochner_folder(likelihoods LOOPS DEPENDS linalg store)
bochner_folder(features LOOPS DEPENDS kernels evidence)
bochner_folder(backend DEPENDS features LINK ${CMAKE_DL_LIBS})
bochner_folder(priors DEPENDS linalg)
bochner_folder(infer DEPENDS linalg)
bochner_folder(simulate DEPENDS data kernels)
bochner_folder(assess DEPENDS data infer)
bochner_folder(models/gp DEPENDS data kernels evidence infer)
bochner_folder(models/latent DEPENDS assess)
bochner_folder(models/gplvm PARTS cross_view relocation DEPENDS models/latent backend infer assess)
bochner_folder(models/bayes PARTS draws dimensions moves DEPENDS models/gplvm likelihoods priors PRIVATE PkgConfig::HDF5)
target_compile_definitions(bochner_models_bayes PRIVATE BOCHNER_VERSION="${PROJECT_VERSION}")  # draws say who drew them
bochner_folder(models/kpca DEPENDS features infer assess)
bochner_folder(models/forecast DEPENDS models/kpca)
bochner_folder(models/harmonic PARTS answers DEPENDS symmetry likelihoods infer assess)
bochner_folder(run DEPENDS models/gp models/bayes models/forecast models/harmonic LINK nlohmann_json::nlohmann_json)
target_compile_definitions(bochner_run PRIVATE BOCHNER_VERSION="${PROJECT_VERSION}")
bochner_folder(report DEPENDS run)
bochner_folder(serve DEPENDS report)

# The page's own code: report/ at the root, as a source of the folder.
file(GLOB page CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/*.* ${PROJECT_SOURCE_DIR}/report/js/*.js)
set(page_source ${PROJECT_BINARY_DIR}/report/page_parts.cpp)
add_custom_command(OUTPUT ${page_source} DEPENDS ${page} ${PROJECT_SOURCE_DIR}/cmake/report_page.cmake
  COMMAND ${CMAKE_COMMAND} -DREPORT=${PROJECT_SOURCE_DIR}/report -DOUTPUT=${page_source} -P ${PROJECT_SOURCE_DIR}/cmake/report_page.cmake
  COMMENT "Putting report/ into a source")
target_sources(bochner_report PRIVATE ${page_source})
set_source_files_properties(${page_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

add_library(bochner INTERFACE)  # everything, for users
add_library(bochner::bochner ALIAS bochner)
target_link_libraries(bochner INTERFACE bochner_report bochner_simulate)
