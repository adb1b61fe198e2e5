# What every target of the project is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the Python module links the same archives
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # so that programs are linked that way too
# Folders of libraries outside the system's, the same before and after installing: CMake reserves room for a change by an
# empty element, which the loader takes for the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2")             # no NDEBUG games: argument checks are ours and always on; -O3: folders.cmake
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")  # used by the sanitizers, where compile time matters

# Most of the time goes into Eigen's templates: parsed once and instantiated once for ten sources instead of ten times. Names in
# unnamed namespaces are therefore unique within a folder, which -DBOCHNER_UNITY=OFF does not check and the compiler does here.
set(CMAKE_UNITY_BUILD ${BOCHNER_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10 CACHE STRING "sources compiled together")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

include(cmake/processor.cmake)  # BOCHNER_ARCH

# One architecture and one alignment for every translation unit, ours and our users': Eigen objects that cross a
# boundary between two settings corrupt the heap. Hence PUBLIC on an interface target.
add_library(bochner_flags INTERFACE)
add_library(bochner::flags ALIAS bochner_flags)
set_target_properties(bochner_flags PROPERTIES EXPORT_NAME flags)
target_compile_features(bochner_flags INTERFACE cxx_std_20)
target_compile_definitions(bochner_flags INTERFACE
  EIGEN_MAX_ALIGN_BYTES=64
  EIGEN_FAST_MATH=0  # with it, square roots of AVX-512 are not rounded as scalar ones are: bytes depend on the place in a matrix
  EIGEN_DONT_PARALLELIZE)  # all parallelism goes through bochner::Threads, whose blocks fix the order of sums
# a * b + c is rounded as it is written: whether a compiler fuses it depends on what it has inlined, and the last digits of a result
# would depend on unrelated code. Eigen's products and bochner/kernels/negative_exp.hpp fuse explicitly, hence little is slower.
target_compile_options(bochner_flags INTERFACE -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64")
  target_compile_options(bochner_flags INTERFACE -march=${BOCHNER_ARCH})
endif()

# Ours only: warnings are errors, sanitizers, and no assertion cost from Eigen in Release.
add_library(bochner_own_flags INTERFACE)
# A header that is not public is included by its path from here, or by its bare name from its own folder.
target_include_directories(bochner_own_flags INTERFACE ${PROJECT_SOURCE_DIR})
# GCC 12 reports false positives inside its own AVX-512 intrinsics and Eigen's vectorised assignments.
target_compile_options(bochner_own_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror -Wno-missing-field-initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread>
  -fno-math-errno)
# GCC collects its garbage when its heap has grown by a third; with room for half a gigabyte a source takes a sixth less time.
target_compile_options(bochner_own_flags INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-expand=200 --param ggc-min-heapsize=524288>")
if(BOCHNER_UNITY)  # a private class of one source looks to GCC as if it were of a header; a local of one hides a constant of another
  target_compile_options(bochner_own_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()
target_compile_definitions(bochner_own_flags INTERFACE $<$<CONFIG:Release>:EIGEN_NO_DEBUG>)
# A write past the end of an array on the stack, or of a buffer that a C function is told of, ends the program.
target_compile_options(bochner_own_flags INTERFACE -fstack-protector-strong)
if(NOT BOCHNER_SANITIZER)  # which checks more, and has its own versions of these functions
  target_compile_options(bochner_own_flags INTERFACE $<$<CONFIG:Release>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
endif()
if(BOCHNER_SANITIZER)
  target_compile_options(bochner_own_flags INTERFACE -fsanitize=${BOCHNER_SANITIZER} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(bochner_own_flags INTERFACE -fsanitize=${BOCHNER_SANITIZER})
endif()
