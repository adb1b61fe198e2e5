# cmake -P arch_test.cmake: for which processor is built when nobody says.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/processor.cmake)

function(expect processor wheel expected)
  bochner_default_arch(arch ${processor} "${wheel}")
  if(NOT arch STREQUAL expected)
    message(SEND_ERROR "on ${processor}, wheel '${wheel}': ${arch}, not ${expected}")
  endif()
endfunction()

expect(x86_64 2 x86-64-v3)
expect(AMD64 2 x86-64-v3)
expect(aarch64 2 armv8-a)
expect(riscv64 2 native)
expect(x86_64 "" native)
expect(aarch64 "" native)

bochner_required_features(some "#define __SSE4_1__ 1\n#define __AVX__ 1\n#define __AVX2__ 0\n#define __AES__ 1\n")
if(NOT some STREQUAL "sse4.1;avx")
  message(SEND_ERROR "required: ${some}")
endif()
