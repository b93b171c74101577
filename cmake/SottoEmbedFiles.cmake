# Files as part of a program: run as a script, writes a C++ file that defines page_files().
#   cmake -DOUTPUT=x.cpp "-DFILES=/style.css|/path/of/style.css;..." -P SottoEmbedFiles.cmake
# Each entry is the address in the browser, a bar, and the file.
cmake_minimum_required(VERSION 3.25)

function(media_type file result)
  get_filename_component(ending ${file} LAST_EXT)
  set(type_.html "text/html; charset=utf-8")
  set(type_.css "text/css; charset=utf-8")
  set(type_.js "text/javascript; charset=utf-8")
  set(type_.svg "image/svg+xml")
  if(NOT DEFINED type_${ending})
    message(FATAL_ERROR "${file}: no media type for files that end in ${ending}")
  endif()
  set(${result} "${type_${ending}}" PARENT_SCOPE)
endfunction()

set(entries "")
foreach(entry IN LISTS FILES)
  string(REPLACE "|" ";" parts "${entry}")
  list(GET parts 0 address)
  list(GET parts 1 file)
  media_type(${file} type)
  file(READ ${file} content)
  if(content MATCHES "\\)sotto_file\"")
    message(FATAL_ERROR "${file}: holds the mark that ends embedded files")
  endif()
  string(APPEND entries
    "    {\"${address}\", \"${type}\", R\"sotto_file(${content})sotto_file\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by cmake/SottoEmbedFiles.cmake.
#include \"explore/page_files.h\"

namespace sotto::explore {

std::span<const PageFile> page_files() {
  static constexpr PageFile kFiles[] = {
${entries}  };
  return kFiles;
}

}  // namespace sotto::explore
")
