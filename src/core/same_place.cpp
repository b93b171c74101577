#include "core/same_place.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;

// Links and ".." resolved as far as there is something.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  auto place = fs::weakly_canonical(fs::absolute(path), error);
  if (error) place = fs::absolute(path).lexically_normal();
  return place.has_filename() ? place : place.parent_path();  // "folder/"
}

}  // namespace

bool is_same_place(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored) || resolved(one) == resolved(other);
}

}  // namespace sotto
