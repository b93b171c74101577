// The files of the page, which are part of the program.
#pragma once

#include <span>
#include <string_view>

namespace sotto::explore {

struct PageFile {
  std::string_view path;  // as the browser asks for it: "/style.css"
  std::string_view type;  // its media type
  std::string_view content;
};

// src/explore/page/ and Chart.js, as they were when the program was built
// (cmake/SottoEmbedFiles.cmake).
std::span<const PageFile> page_files();

}  // namespace sotto::explore
