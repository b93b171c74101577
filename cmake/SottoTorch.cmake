# LibTorch: Debian's, or another by CMAKE_PREFIX_PATH, such as that of PyPI's torch:
#   cmake -DCMAKE_PREFIX_PATH=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)') ...
include(SottoTorchRoot)
find_package(Torch 1.13 QUIET)
if(NOT Torch_FOUND)
  set(found "none was found")
  if(Torch_CONSIDERED_CONFIGS)
    list(TRANSFORM Torch_CONSIDERED_VERSIONS REPLACE "^$" "unknown" OUTPUT_VARIABLE versions)
    set(found "found were ${Torch_CONSIDERED_CONFIGS} (version ${versions})")
  endif()
  message(FATAL_ERROR
    "sotto needs LibTorch 1.13 or newer; ${found}. Install Debian's libtorch-dev (scripts/setup), or give "
    "the place of another as CMAKE_PREFIX_PATH.")
endif()
