# `cmake --install`, and find_package(sotto) from another project. Two components: the program, and what
# others build with.
include(CMakePackageConfigHelpers)

set(development COMPONENT development)
foreach(area ${areas_without_torch})
  install(TARGETS sotto_area_${area} EXPORT sottoTargets ARCHIVE ${development})
endforeach()
install(TARGETS sotto_core EXPORT sottoTargets)
foreach(area ${areas_with_torch})
  install(TARGETS sotto_area_${area} EXPORT sottoTrainTargets ARCHIVE ${development})
endforeach()
install(TARGETS sotto EXPORT sottoTrainTargets)
install(DIRECTORY include/sotto DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development})
install(EXPORT sottoTargets NAMESPACE sotto:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto ${development})
install(EXPORT sottoTrainTargets NAMESPACE sotto::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto ${development})
configure_package_config_file(cmake/sottoConfig.cmake.in sottoConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)
write_basic_package_version_file(sottoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/sottoConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/sottoConfigVersion.cmake
              cmake/SottoTorchRoot.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sotto ${development})

install(TARGETS sotto_cli sotto_torch_cli RUNTIME COMPONENT program)

# Completions and manual pages, made of what the commands say of themselves.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(shell_files ${CMAKE_CURRENT_BINARY_DIR}/shell)
add_custom_command(OUTPUT ${shell_files}/man/sotto.1
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/packaging/shell_files.py
          $<TARGET_FILE:sotto_cli> ${shell_files} ${PROJECT_VERSION}
  DEPENDS sotto_cli sotto_torch_cli ${CMAKE_CURRENT_SOURCE_DIR}/packaging/shell_files.py
  COMMENT "Completions and manual pages")
add_custom_target(shell_files ALL DEPENDS ${shell_files}/man/sotto.1)
install(DIRECTORY ${shell_files}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${shell_files}/bash/sotto
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${shell_files}/zsh/_sotto
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${shell_files}/fish/sotto.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
