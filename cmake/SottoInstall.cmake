# `cmake --install`, and find_package(sotto) from another project.
include(CMakePackageConfigHelpers)

foreach(area ${areas_without_torch})
  install(TARGETS sotto_area_${area} EXPORT sottoTargets)
endforeach()
install(TARGETS sotto_core EXPORT sottoTargets)
foreach(area ${areas_with_torch})
  install(TARGETS sotto_area_${area} EXPORT sottoTrainTargets)
endforeach()
install(TARGETS sotto EXPORT sottoTrainTargets)
install(TARGETS sotto_cli sotto_torch_cli RUNTIME)
install(DIRECTORY include/sotto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT sottoTargets NAMESPACE sotto:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)
install(EXPORT sottoTrainTargets NAMESPACE sotto::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)
configure_package_config_file(cmake/sottoConfig.cmake.in sottoConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)
write_basic_package_version_file(sottoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sottoConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sottoConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)
