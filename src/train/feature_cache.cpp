#include "train/feature_cache.h"

#include <ATen/ATen.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "core/atomic_file.h"
#include "core/output_file.h"
#include "core/sha256.h"
#include "sotto/core/error.h"

namespace sotto::train {
namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 8> kFeatureMagic = {'s', 'o', 't', 't', 'o', 'f', 't', '1'};

struct FeatureHeader {
  std::array<char, 8> magic = kFeatureMagic;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

fs::path environment_folder(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

std::string_view bytes_of(const at::Tensor& tensor) {
  return {static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()};
}

}  // namespace

fs::path cache_home() {
  if (auto own = environment_folder("SOTTO_CACHE"); !own.empty()) return own;
  const auto shared = environment_folder("XDG_CACHE_HOME");
  if (!shared.empty()) return shared / "sotto";
  const auto home = environment_folder("HOME");
  check_argument(!home.empty(), "no folder for cached features: set SOTTO_CACHE or HOME");
  return home / ".cache" / "sotto";
}

std::string content_key(const std::vector<at::Tensor>& tensors) {
  std::string hashes;
  for (const auto& tensor : tensors) {
    const at::Tensor values = tensor.detach().contiguous();
    hashes += detail::join_message(values.sizes()) + sha256_hex(bytes_of(values));
  }
  return sha256_hex(hashes);
}

fs::path FeatureCache::file_of(const std::string& key) const {
  return folder_ / (key + ".features");
}

std::optional<at::Tensor> FeatureCache::find(const std::string& key) const {
  std::ifstream file(file_of(key), std::ios::binary);
  FeatureHeader header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  if (header.rows < 0 || header.rows > kMost || header.columns < 0 || header.columns > kMost) {
    return std::nullopt;
  }
  std::error_code ignored;
  const auto size = fs::file_size(file_of(key), ignored);
  const auto values =
      static_cast<std::uintmax_t>(header.rows) * static_cast<std::uintmax_t>(header.columns);
  if (header.magic != kFeatureMagic || size != sizeof header + 4 * values) return std::nullopt;
  at::Tensor rows = at::empty({header.rows, header.columns});
  file.read(static_cast<char*>(rows.data_ptr()), static_cast<std::streamsize>(rows.nbytes()));
  if (!file) return std::nullopt;
  return rows;
}

void FeatureCache::store(const std::string& key, const at::Tensor& rows) const {
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_all);  // names tell which data were used
  AtomicFile target(file_of(key));
  fs::permissions(target.path(), fs::perms::owner_read | fs::perms::owner_write);
  const at::Tensor values = rows.contiguous();
  FeatureHeader header;
  header.rows = values.size(0);
  header.columns = values.size(1);
  OutputFile file(target.path(), target.path());
  file.stream().write(reinterpret_cast<const char*>(&header), sizeof header);
  file.stream().write(bytes_of(values).data(), static_cast<std::streamsize>(values.nbytes()));
  file.finish();
  target.commit();
}

}  // namespace sotto::train
