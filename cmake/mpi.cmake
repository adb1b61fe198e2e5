# libbochner_mpi.so, which the program opens when mpirun or srun has started it (src/backend/open_mpi.cpp). Nothing else links or
# needs MPI.
if(BOCHNER_SANITIZER AND BOCHNER_MPI STREQUAL "AUTO")
  return()  # MPI itself does not pass
endif()
find_package(MPI COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  if(BOCHNER_MPI STREQUAL "AUTO")
    return()
  endif()
  message(FATAL_ERROR "BOCHNER_MPI needs MPI with its headers: tools/setup.sh mpi installs Open MPI")
endif()
add_library(bochner_mpi MODULE ${PROJECT_SOURCE_DIR}/src/backend/mpi/transport.cpp)
set_target_properties(bochner_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib CXX_VISIBILITY_PRESET hidden)
target_compile_definitions(bochner_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # the old C++ interface, which newer MPIs lack
target_include_directories(bochner_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(bochner_mpi PRIVATE bochner_own_flags MPI::MPI_CXX)
install(TARGETS bochner_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} OPTIONAL)  # where it was built
