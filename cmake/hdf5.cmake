# The target PkgConfig::HDF5, for the build and for projects that use the installed library.
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)

# Debian keeps libhdf5.so in a folder of its own: a link to the library proper, which is where the loader looks anyway. CMake
# would give that folder to every program as RUNPATH, and in a build folder an empty element behind it, to have room for an
# installed one. The loader takes the empty element for the current folder, and runs what it finds there.
get_target_property(libraries PkgConfig::HDF5 INTERFACE_LINK_LIBRARIES)
set(real "")
foreach(library ${libraries})
  if(IS_ABSOLUTE "${library}")
    file(REAL_PATH "${library}" library)
  endif()
  list(APPEND real "${library}")
endforeach()
set_target_properties(PkgConfig::HDF5 PROPERTIES INTERFACE_LINK_LIBRARIES "${real}" INTERFACE_LINK_DIRECTORIES "")
