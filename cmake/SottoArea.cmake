# An area: src/<area>/*.cpp and include/sotto/<area>/*.h, a library of its own that sees nothing but itself
# and what it names. So a wrong include does not compile.
#
#   sotto_area(engine TORCH USES core plan LIBRARIES OpenMP::OpenMP_CXX)
#
# USES: areas whose headers it may include. LIBRARIES: of others, for its sources alone. TORCH: it includes
# LibTorch. OPTIMISED: its loops are worth -O3.
function(sotto_area area)
  cmake_parse_arguments(arg "TORCH;OPTIMISED" "" "USES;LIBRARIES" ${ARGN})
  set(target sotto_area_${area})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${target} STATIC ${sources})
  sotto_target(${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME area_${area})
  foreach(seen ${area} ${arg_USES})
    sotto_area_root(${seen} root)
    target_include_directories(${target} PRIVATE ${root})
  endforeach()
  foreach(used ${arg_USES})
    target_link_libraries(${target} PUBLIC $<LINK_ONLY:sotto_area_${used}>)
  endforeach()
  target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> PRIVATE ${arg_LIBRARIES})
  if(arg_TORCH)
    target_link_libraries(${target} PUBLIC torch)
    sotto_torch_warnings(${target})
  endif()
  if(NOT arg_OPTIMISED)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  endif()
  sotto_compile_together(${target})
endfunction()

# A folder from which nothing but the area's own headers can be included.
function(sotto_area_root area variable)
  set(root ${PROJECT_BINARY_DIR}/areas/${area})
  file(MAKE_DIRECTORY ${root}/sotto)
  if(NOT EXISTS ${root}/${area})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${area} ${root}/${area} SYMBOLIC)
  endif()
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/include/sotto/${area} AND NOT EXISTS ${root}/sotto/${area})
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/sotto/${area} ${root}/sotto/${area} SYMBOLIC)
  endif()
  set(${variable} ${root} PARENT_SCOPE)
endfunction()
