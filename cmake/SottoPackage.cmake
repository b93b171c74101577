# Debian packages (scripts/package): sotto, the program, and libsotto-dev, to build with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sotto)
set(CPACK_PACKAGE_VENDOR "the sotto project")
set(CPACK_PACKAGE_CONTACT "the sotto project <sotto@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME sotto)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "Trains networks with a proven bound on what they reveal about any one record,
 makes private synthetic data, answers queries within a budget, and collects
 statistics under local privacy.")
# What the programs link is found by dpkg-shlibdeps; OpenBLAS and librsvg are loaded when they are needed.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libopenblas0-openmp, librsvg2-2, libcairo2, fonts-dejavu-core")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "dataset-fashion-mnist")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsotto-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, static libraries and the CMake package of sotto: private training of
 torch::nn models in C++.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libtorch-dev, libopenblas0-openmp, libhwy-dev, libssl-dev, libgcrypt20-dev, libboost-dev, libeigen3-dev, zlib1g-dev, libzip-dev, libpng-dev, libjpeg-dev, librsvg2-dev, pkg-config")
include(CPack)
