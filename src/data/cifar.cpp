#include "data/cifar.h"

#include <array>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "data/pixel.h"
#include "data/png_image.h"
#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPlane = 1024;
constexpr std::size_t kRecord = 1 + 3 * kPlane;
constexpr std::array<const char*, 6> kBatches{"data_batch_1", "data_batch_2", "data_batch_3",
                                              "data_batch_4", "data_batch_5", "test_batch"};

std::string stored_name(std::size_t batch, const char* ending) {
  return std::string(kBatches.at(batch)) + ending;
}

void check_label(unsigned label, std::size_t record, const std::string& name) {
  check_argument(label < cifar10_class_names().size(), name, ": record ", record, " has label ",
                 label, ", must be below 10");
}

std::vector<std::uint8_t> read_labels(const fs::path& path) {
  const auto json = read_shallow_json(path, 1);
  check_argument(json.is_array(), path.string(), ": must be a JSON array of labels");
  std::vector<std::uint8_t> labels;
  for (const auto& item : json) {
    check_argument(item.is_number_unsigned() && item.get<std::uint64_t>() < 10, path.string(),
                   ": label ", labels.size(), " is ", quoted_value(item.dump()),
                   ", must be in [0, 10)");
    labels.push_back(item.get<std::uint8_t>());
  }
  return labels;
}

// Hands out the labels of one sheet after another.
class LabelFile {
 public:
  explicit LabelFile(const fs::path& path) : path_(path), labels_(read_labels(path)) {}

  std::vector<std::uint8_t> take(std::int64_t count) {
    check_argument(static_cast<std::size_t>(count) <= labels_.size() - taken_, path_.string(), ": ",
                   labels_.size(), " labels are fewer than the images they belong to");
    const auto first = labels_.begin() + static_cast<std::ptrdiff_t>(taken_);
    taken_ += static_cast<std::size_t>(count);
    return {first, first + count};
  }

  void check_all_taken() const {
    check_argument(taken_ == labels_.size(), path_.string(), ": ", labels_.size(), " labels for ",
                   taken_, " images");
  }

 private:
  fs::path path_;
  std::vector<std::uint8_t> labels_;
  std::size_t taken_ = 0;
};

std::string read_sheet(const fs::path& path, LabelFile& labels) {
  const auto sheet = decode_png(read_file(path), path.string(), 3);
  return cifar10_batch_from_sheet(sheet, labels.take(sheet.height), path.string());
}

std::vector<std::string> read_binary(const fs::path& folder) {
  std::vector<std::string> batches;
  for (std::size_t i = 0; i < kBatches.size(); ++i) {
    batches.push_back(read_file(folder / stored_name(i, ".bin")));
  }
  return batches;
}

}  // namespace

const std::vector<std::string>& cifar10_class_names() {
  static const std::vector<std::string> names{"airplane", "automobile", "bird",  "cat",  "deer",
                                              "dog",      "frog",       "horse", "ship", "truck"};
  return names;
}

void append_cifar10_batch(std::string_view bytes, const std::string& name, LabelledData& data) {
  check_argument(!bytes.empty() && bytes.size() % kRecord == 0, name, ": ", bytes.size(),
                 " bytes, must be a positive multiple of ", kRecord);
  for (std::size_t record = 0; record * kRecord < bytes.size(); ++record) {
    const auto sample = bytes.substr(record * kRecord, kRecord);
    const auto label = static_cast<std::uint8_t>(sample[0]);
    check_label(label, record, name);
    data.labels.push_back(label);
    append_pixels(sample.substr(1), data.features);
  }
}

std::string cifar10_batch_from_sheet(const Image& sheet, const std::vector<std::uint8_t>& labels,
                                     const std::string& name) {
  check_argument(sheet.width == kPlane && sheet.channels == 3, name, ": ", sheet.width, " x ",
                 sheet.height, " pixels, must be 1024 wide and in colour");
  check_argument(static_cast<std::int64_t>(labels.size()) == sheet.height, name, ": ",
                 labels.size(), " labels for ", sheet.height, " images");
  std::string batch(labels.size() * kRecord, '\0');
  for (std::size_t i = 0; i < labels.size(); ++i) {
    check_label(labels[i], i, name);
    char* record = &batch[i * kRecord];
    const char* pixels = &sheet.pixels[i * 3 * kPlane];
    *record++ = static_cast<char>(labels[i]);
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t p = 0; p < kPlane; ++p) *record++ = pixels[3 * p + c];
    }
  }
  return batch;
}

std::vector<std::string> read_cifar10_sheets(const fs::path& folder) {
  LabelFile train_labels(folder / "train_lables.json");
  LabelFile test_labels(folder / "test_lables.json");
  std::vector<std::string> batches;
  for (std::size_t i = 0; i < kBatches.size(); ++i) {
    auto& labels = i + 1 < kBatches.size() ? train_labels : test_labels;
    batches.push_back(read_sheet(folder / stored_name(i, ".png"), labels));
  }
  train_labels.check_all_taken();
  test_labels.check_all_taken();
  return batches;
}

TrainTest read_cifar10_folder(const fs::path& folder) {
  const bool binary = fs::exists(folder / stored_name(0, ".bin"));
  check_argument(binary || fs::exists(folder / stored_name(0, ".png")), folder.string(),
                 ": no CIFAR-10; looked for data_batch_1.bin and data_batch_1.png");
  const auto batches = binary ? read_binary(folder) : read_cifar10_sheets(folder);
  const LabelledData none{{}, {}, {3, 32, 32}, cifar10_class_names()};
  TrainTest data{none, none, folder.string()};
  data.train.features.reserve((batches.size() - 1) * batches.front().size());
  for (std::size_t i = 0; i < batches.size(); ++i) {
    append_cifar10_batch(batches[i], (folder / stored_name(i, binary ? ".bin" : ".png")).string(),
                         i + 1 < batches.size() ? data.train : data.test);
  }
  data.validate();
  return data;
}

}  // namespace sotto::data
