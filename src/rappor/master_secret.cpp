#include "rappor/master_secret.h"

#include <filesystem>

#include "core/atomic_file.h"
#include "core/private_file.h"
#include "sotto/rappor/rappor.h"

namespace sotto::rappor {

MasterSecret::MasterSecret(const std::string& path) : path_(path) {
  wait_for_turn();
  made_ = !std::filesystem::exists(path) && create_private_file(path, fresh_secret_text());
  if (!made_) turn_.reset();
}

MasterSecret::~MasterSecret() {
  std::error_code ignored;
  if (made_) std::filesystem::remove(path_, ignored);
}

std::string MasterSecret::read() const {
  return parse_secret_text(read_private_file(path_), path_);
}

bool MasterSecret::keep() {
  const bool is_new = made_;
  made_ = false;
  turn_.reset();
  return is_new;
}

// A folder that cannot be locked may hold a secret, but get none.
void MasterSecret::wait_for_turn() {
  const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(path_));
  try {
    turn_.emplace(place.parent_path());
  } catch (const FileError&) {
    if (!std::filesystem::exists(path_)) throw;
  }
}

}  // namespace sotto::rappor
