#include "data/idx.h"

#include <algorithm>
#include <array>

#include "core/counted.h"
#include "data/gzip.h"
#include "data/pixel.h"
#include "data/shared_files.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8U | static_cast<std::uint8_t>(byte);
  return value;
}

// Magic number: two zeros, 8 for "unsigned byte", the rank.
std::size_t rank_from_magic(std::string_view bytes, const std::string& name) {
  check_argument(bytes.size() >= 4, name, ": ", bytes.size(), " bytes are too few for IDX");
  const std::uint32_t magic = big_endian(bytes);
  const std::size_t rank = magic & 0xffU;
  check_argument(magic >> 8U == 8 && (rank == 1 || rank == 3 || rank == 4), name, ": magic number ",
                 magic, " is not IDX with unsigned bytes of rank 1, 3 or 4 (",
                 "2049, 2051 or 2052)");
  return rank;
}

std::vector<std::string> spellings(const std::string& name) {
  std::string dotted = name;
  const auto dash = dotted.find("-idx");
  if (dash != std::string::npos) dotted[dash] = '.';
  return {name, name + ".gz", dotted, dotted + ".gz"};
}

fs::path require_idx_file(const fs::path& folder, const std::string& name) {
  auto path = find_idx_file(folder, name);
  if (!path.empty()) return path;
  std::string names;
  for (const auto& spelling : spellings(name)) names += (names.empty() ? "" : ", ") + spelling;
  throw InvalidArgument(folder.string() + ": no such file; looked for " + names);
}

std::int64_t largest_label(const LabelledData& data) {
  return *std::max_element(data.labels.begin(), data.labels.end());
}

// Everything but the classes.
LabelledData read_pair(const fs::path& images_path, const fs::path& labels_path) {
  const std::string image_bytes = read_inflated(images_path);
  const std::string label_bytes = read_inflated(labels_path);
  const auto images = parse_idx(image_bytes, images_path.string());
  const auto labels = parse_idx(label_bytes, labels_path.string());
  check_argument(images.extents.size() >= 3, images_path.string(),
                 ": rank 1, images must have rank 3 or 4");
  check_argument(labels.extents.size() == 1, labels_path.string(), ": rank ", labels.extents.size(),
                 ", labels must have rank 1");
  check_argument(images.extents[0] == labels.extents[0], labels_path.string(), ": ",
                 counted(labels.extents[0], "label"), " for ", counted(images.extents[0], "image"),
                 " in ", images_path.string());
  LabelledData data;
  data.shape.assign(images.extents.begin() + 1, images.extents.end());
  if (data.shape.size() == 2) data.shape.insert(data.shape.begin(), 1);
  append_pixels(images.values, data.features);
  for (const char label : labels.values) data.labels.push_back(static_cast<std::uint8_t>(label));
  return data;
}

}  // namespace

IdxArray parse_idx(std::string_view bytes, const std::string& name) {
  const std::size_t rank = rank_from_magic(bytes, name);
  const std::size_t header = 4 + 4 * rank;
  check_argument(bytes.size() >= header, name, ": ", bytes.size(), " bytes, the header alone has ",
                 header);
  IdxArray array;
  array.values = bytes.substr(header);
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint64_t extent = big_endian(bytes.substr(4 + 4 * i));
    check_argument(extent > 0, name, ": extent ", i + 1, " is 0, must be positive");
    // Bounded by the file's size before each product: 2^31 values times 2^32 fit 64 bits.
    check_argument(product <= kLargestDataFile, name, ": the header promises more than ",
                   kLargestDataFile, " bytes");
    product *= extent;
    array.extents.push_back(static_cast<std::int64_t>(extent));
  }
  check_argument(array.values.size() == product, name, ": ", array.values.size(),
                 " bytes after the header, which promises ", product);
  return array;
}

LabelledData read_idx_pair(const fs::path& images, const fs::path& labels,
                           std::int64_t class_count) {
  check_argument(class_count >= 0, "class_count is ", class_count, ", must not be negative");
  auto data = read_pair(images, labels);
  data.class_names = numbered_classes(class_count > 0 ? class_count : largest_label(data) + 1);
  data.validate(labels.string());
  return data;
}

TrainTest read_idx_folder(const fs::path& folder, std::int64_t class_count) {
  check_argument(class_count >= 0, "class_count is ", class_count, ", must not be negative");
  const std::array<fs::path, 4> files{require_idx_file(folder, "train-images-idx3-ubyte"),
                                      require_idx_file(folder, "train-labels-idx1-ubyte"),
                                      require_idx_file(folder, "t10k-images-idx3-ubyte"),
                                      require_idx_file(folder, "t10k-labels-idx1-ubyte")};
  for (const auto part : {0U, 1U}) {
    check_argument(!share_a_file(files[part], files[part + 2]), folder.string(), ": ",
                   files[part + 2].filename().string(),
                   " is a training file; test records must be public ones");
  }
  TrainTest data{read_pair(files[0], files[1]), read_pair(files[2], files[3]), folder.string()};
  const auto inferred = std::max(largest_label(data.train), largest_label(data.test)) + 1;
  data.train.class_names = numbered_classes(class_count > 0 ? class_count : inferred);
  data.test.class_names = data.train.class_names;
  data.validate();
  return data;
}

fs::path find_idx_file(const fs::path& folder, const std::string& name) {
  for (const auto& spelling : spellings(name)) {
    if (fs::is_regular_file(folder / spelling)) return folder / spelling;
  }
  return {};
}

}  // namespace sotto::data
