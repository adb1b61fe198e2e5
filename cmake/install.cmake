# find_package(bochner) for other projects: link bochner::bochner, or one folder, say bochner::kernels.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(targets bochner bochner_flags)
foreach(folder ${BOCHNER_FOLDERS})
  string(REPLACE "/" "_" name ${folder})
  list(APPEND targets bochner_${name})
endforeach()
install(TARGETS ${targets} EXPORT bochner-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(BOCHNER_PROGRAM)
  install(TARGETS bochner_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY include/bochner DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT bochner-targets NAMESPACE bochner:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bochner)
configure_package_config_file(cmake/bochner-config.cmake.in ${PROJECT_BINARY_DIR}/bochner-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bochner)
install(FILES cmake/hdf5.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bochner RENAME bochner-hdf5.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bochner-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bochner-config.cmake ${PROJECT_BINARY_DIR}/bochner-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/bochner)
