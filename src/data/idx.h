// The IDX format of MNIST and its relatives: a magic number, big-endian extents, then bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/labelled_data.h"

namespace sotto::data {

struct IdxArray {
  std::vector<std::int64_t> extents;
  std::string_view values;  // prod(extents) unsigned bytes of the input, row-major
};

// Throws InvalidArgument, naming `name`, unless `bytes` are an IDX array of unsigned bytes of rank
// 1, 3 or 4 with positive extents and exactly as many values as these say.
IdxArray parse_idx(std::string_view bytes, const std::string& name);

// Images (n, h, w) or (n, c, h, w) and labels (n), each gzip or not, as samples (c, h, w) of
// pixels / 255. There are `class_count` classes, named by their numbers.
//
// The number of classes is treated as public. class_count = 0 takes it from the labels (largest
// label + 1), which is right only if everyone may know which classes occur.
LabelledData read_idx_pair(const std::filesystem::path& images, const std::filesystem::path& labels,
                           std::int64_t class_count);

// A folder with train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and
// t10k-labels-idx1-ubyte; also spelt train-images.idx3-ubyte, and with .gz. class_count as above,
// 0 over both parts.
TrainTest read_idx_folder(const std::filesystem::path& folder, std::int64_t class_count = 0);

// The file in `folder` that `name` ("train-images-idx3-ubyte") is stored as, or an empty path.
std::filesystem::path find_idx_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace sotto::data
