# libbochner_cuda.so, which programs open when they are asked for a card (src/backend/open_device.cpp). nvcc is called by itself:
# CMake's CUDA language wants the same compiler settings for every target, and CMake 3.25 knows neither C++20 for CUDA nor CUDA 13.
set(BOCHNER_CUDA_ARCHITECTURES 90 CACHE STRING "compute capabilities of the cards to compile for, and PTX of the last one")
find_program(NVCC nvcc HINTS /usr/local/cuda/bin $ENV{CUDA_HOME}/bin)
if(NOT NVCC)
  message(FATAL_ERROR "BOCHNER_CUDA needs nvcc of CUDA 13, which is neither on the PATH nor in /usr/local/cuda/bin")
endif()
set(flags -std=c++20 -O3 --extended-lambda -Xcompiler=-fPIC,-Wall,-fvisibility=hidden -DBOCHNER_VERSION="${PROJECT_VERSION}"
  -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR})
foreach(number ${BOCHNER_CUDA_ARCHITECTURES})
  list(APPEND flags -gencode arch=compute_${number},code=sm_${number})
  set(last ${number})
endforeach()
list(APPEND flags -gencode arch=compute_${last},code=compute_${last})

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cuda/*.cu)
set(objects "")
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  set(object ${PROJECT_BINARY_DIR}/cuda/${name}.o)
  add_custom_command(OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/cuda
    COMMAND ${NVCC} ${flags} -MD -MF ${object}.d -c ${source} -o ${object} COMMENT "nvcc ${name}.cu" VERBATIM)
  list(APPEND objects ${object})
endforeach()
set(plugin ${PROJECT_BINARY_DIR}/lib/libbochner_cuda.so)
get_filename_component(cuda_bin ${NVCC} DIRECTORY)
add_custom_command(OUTPUT ${plugin} DEPENDS ${objects}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/lib
  COMMAND ${NVCC} -shared ${objects} -o ${plugin} -lcublas -lcublasLt -lcusolver
    "-Xlinker=-rpath,\$ORIGIN,-rpath,${cuda_bin}/../lib64,-z,relro,-z,now,-z,noexecstack"
  COMMENT "Linking libbochner_cuda.so" VERBATIM)
add_custom_target(bochner_cuda DEPENDS ${plugin})
install(FILES ${plugin} DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)
