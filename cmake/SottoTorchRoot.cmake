# TorchConfig looks for its libraries in the system's folders first: with PyPI's torch beside Debian's it
# would take the headers of one and the libraries of the other. Its own folder comes first if it is named.
find_path(sotto_torch_config TorchConfig.cmake
  HINTS ${Torch_DIR} ${CMAKE_PREFIX_PATH} ENV CMAKE_PREFIX_PATH
  PATH_SUFFIXES Torch share/cmake/Torch
  NO_DEFAULT_PATH NO_CACHE)
cmake_path(SET sotto_torch_root NORMALIZE "${sotto_torch_config}/../../..")
if(sotto_torch_config AND EXISTS ${sotto_torch_root}/lib/libtorch.so)
  set(Torch_ROOT ${sotto_torch_root})
endif()
