# What every target of ours is compiled with. Nothing of it reaches a consumer.
function(sotto_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Warns of "literal" + std::string inside the standard library (GCC bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  if(SOTTO_SANITIZE)
    set(kind address,undefined)
    if(SOTTO_SANITIZE STREQUAL "thread")
      set(kind thread)
    endif()
    target_compile_options(${target} PRIVATE
      -fsanitize=${kind} -fno-sanitize-recover=all -fno-omit-frame-pointer
      -Wno-maybe-uninitialized)  # GCC then warns of LibTorch's optionals
    target_link_options(${target} PUBLIC -fsanitize=${kind})
  endif()
endfunction()

# For what includes LibTorch.
function(sotto_torch_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # Warn of vector<bool>::reserve inside LibTorch's custom functions, where nothing is copied.
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# Compiles all sources of a target as one translation unit, to read headers once. Sources with options of
# their own are left out. Configure with -DSOTTO_COMPILE_TOGETHER=OFF to compile each file for itself.
option(SOTTO_COMPILE_TOGETHER "Compile the sources of an area as one file" ON)
function(sotto_compile_together target)
  if(SOTTO_COMPILE_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()
