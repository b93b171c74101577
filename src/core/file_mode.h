// A file's permissions as chmod spells them.
#pragma once

#include <sys/stat.h>

#include <cstdio>
#include <string>

namespace sotto {

inline std::string octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777U));
  return text;
}

}  // namespace sotto
