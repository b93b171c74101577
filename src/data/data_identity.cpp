#include "data/data_identity.h"

#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "core/secret_file.h"
#include "core/streamed_hmac.h"
#include "data/folder_files.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

// Where nothing can be kept beside the data: packaged sets, and media that are only read.
std::string key_at_home() {
  const auto home = data_home();
  std::error_code error;
  fs::create_directories(home, error);
  if (error) throw FileError(home, "cannot make the folder", error.value());
  return read_or_draw_secret(home / DataIdentity::kKeyFile);
}

// What packages installed is not ours to add to, even if we may.
bool is_packaged(const fs::path& folder) {
  const auto name = folder.string() + '/';
  return name.starts_with("/usr/") && !name.starts_with("/usr/local/");
}

std::string key_for(const fs::path& folder) {
  if (is_packaged(folder)) return key_at_home();
  try {
    return read_or_draw_secret(folder / DataIdentity::kKeyFile);
  } catch (const FolderNotWritable&) {
    return key_at_home();
  }
}

void add_content(StreamedHmac& hmac, const fs::path& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) throw FileError(path, "cannot open", errno);
  std::string block(std::size_t{1} << 16U, '\0');
  while (input) {
    input.read(block.data(), static_cast<std::streamsize>(block.size()));
    hmac.add(std::string_view(block).substr(0, static_cast<std::size_t>(input.gcount())));
  }
  if (input.bad()) throw FileError(path, "cannot read", errno);
}

// Every part ends where the next begins: its size is added before it.
void add_part(StreamedHmac& hmac, const std::string& name, std::uintmax_t size) {
  hmac.add(std::to_string(name.size()) + ' ' + std::to_string(size) + ' ' + name);
}

std::string folder_hash(const fs::path& folder) {
  StreamedHmac hmac(key_for(folder));
  hmac.add("folder ");
  for (const auto& file : files_below(folder)) {
    add_part(hmac, file.lexically_relative(folder).generic_string(), fs::file_size(file));
    add_content(hmac, file);
  }
  return hmac.finish();
}

std::string file_hash(const fs::path& file) {
  StreamedHmac hmac(key_for(file.parent_path()));
  hmac.add("file ");
  add_content(hmac, file);
  return hmac.finish();
}

}  // namespace

DataIdentity DataIdentity::of(const fs::path& path) {
  std::error_code error;
  const auto real = fs::canonical(path, error);
  check_argument(!error, path.string(), ": not there, must be a file or a folder of data");
  return DataIdentity(fs::is_directory(real) ? folder_hash(real) : file_hash(real));
}

std::optional<DataIdentity> DataIdentity::of_keyed(const fs::path& path) {
  std::error_code error;
  const auto real = fs::canonical(path, error);
  check_argument(!error, path.string(), ": not there, must be a file or a folder of data");
  const auto folder = fs::is_directory(real) ? real : real.parent_path();
  const bool beside = fs::exists(folder / kKeyFile) && !is_packaged(folder);
  const bool only_at_home = is_packaged(folder) || access(folder.c_str(), W_OK) != 0;
  if (!beside && !(only_at_home && fs::exists(data_home() / kKeyFile))) return std::nullopt;
  return of(real);
}

std::optional<DataIdentity> DataIdentity::of(const DataSource& source) {
  const auto location = source.location();
  if (location.empty()) return std::nullopt;
  return of(location);
}

}  // namespace sotto::data
