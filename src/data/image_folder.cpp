#include "data/image_folder.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "core/atomic_file.h"
#include "data/held_out_split.h"
#include "data/hidden_file.h"
#include "data/jpeg_image.h"
#include "data/pixel.h"
#include "data/png_image.h"
#include "data/quoted_value.h"
#include "data/shared_files.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

bool is_listed(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What is not in the declaration is a mistake in it, or not meant to be read.
void require_listed_folders(const fs::path& folder, const std::vector<std::string>& names) {
  check_argument(fs::is_directory(folder), folder.string(), ": no such folder of classes");
  std::set<std::string> unlisted;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (entry.is_directory() && !is_hidden(entry) && !is_listed(name, names)) unlisted.insert(name);
  }
  check_setting(unlisted.empty(), (folder / (unlisted.empty() ? "" : *unlisted.begin())).string(),
                ": a folder that ", the_setting("class_names"), " does not list");
}

std::vector<fs::path> image_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && !is_hidden(entry) && has_image_name(entry)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// (h, w, c) -> (c, h, w)
std::string planes_of(const Image& image) {
  const auto area = static_cast<std::size_t>(image.height * image.width);
  const auto channels = static_cast<std::size_t>(image.channels);
  std::string planes(image.pixels.size(), '\0');
  for (std::size_t i = 0; i < area; ++i) {
    for (std::size_t c = 0; c < channels; ++c) {
      planes[c * area + i] = image.pixels[i * channels + c];
    }
  }
  return planes;
}

void append_image(const fs::path& path, std::int64_t label, LabelledData& data) {
  const auto image = resize(read_image(path, data.shape[0]), data.shape[1], data.shape[2]);
  append_pixels(planes_of(image), data.features);
  data.labels.push_back(label);
}

void read_part(const fs::path& folder, LabelledData& data) {
  require_listed_folders(folder, data.class_names);
  for (std::size_t label = 0; label < data.class_names.size(); ++label) {
    for (const auto& file : image_files(folder / data.class_names[label])) {
      append_image(file, static_cast<std::int64_t>(label), data);
    }
  }
}

void read_and_split(const fs::path& folder, HeldOut held_out, TrainTest& data) {
  require_listed_folders(folder, data.train.class_names);
  const bool some = held_out == HeldOut::kOneInSix;
  for (std::size_t label = 0; label < data.train.class_names.size(); ++label) {
    const auto& name = data.train.class_names[label];
    for (const auto& file : image_files(folder / name)) {
      const bool is_test = some && file_is_held_out(name + "/" + file.filename().string());
      append_image(file, static_cast<std::int64_t>(label), is_test ? data.test : data.train);
    }
  }
}

void check_options(const ImageOptions& options) {
  check_argument(options.channels == 1 || options.channels == 3, "images: ", options.channels,
                 " channels asked for, must be 1 or 3");
  check_argument(std::min(options.height, options.width) >= 1 &&
                     std::max(options.height, options.width) <= kLargestImageSide,
                 "images: ", options.width, " x ", options.height,
                 " pixels asked for, must be in [1, ", kLargestImageSide, "] each way");
}

}  // namespace

bool has_image_name(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

Image read_image(const fs::path& path, std::int64_t channels) {
  const std::string bytes = read_file(path);
  if (is_png(bytes)) return decode_png(bytes, path.string(), channels);
  check_argument(is_jpeg(bytes), path.string(), ": neither a PNG nor a JPEG file");
  return decode_jpeg(bytes, path.string(), channels);
}

void check_class_names(const std::vector<std::string>& names) {
  check_argument(names.size() >= 2, "class names: ", names.size(), " given, at least 2 are needed");
  for (const auto& name : names) {
    const bool is_folder = !name.empty() && name.front() != '.' &&
                           name.find('/') == std::string::npos &&
                           name.find('\0') == std::string::npos;
    check_argument(is_folder, "class names: ", quoted_value(name), " cannot be that of a folder");
  }
  const std::set<std::string> distinct(names.begin(), names.end());
  check_argument(distinct.size() == names.size(), "class names: one is given twice");
}

TrainTest read_image_folder(const fs::path& folder, const ImageOptions& options, HeldOut held_out) {
  check_options(options);
  check_setting(!options.class_names.empty(), "images:", folder.string(), ": ",
                the_setting("class_names"),
                " must list the classes; the folders of private pictures "
                "would reveal something about single records");
  check_class_names(options.class_names);
  const bool has_parts = fs::is_directory(folder / "train");
  LabelledData none{{}, {}, {options.channels, options.height, options.width}, options.class_names};
  TrainTest data{none, none, folder.string(), has_parts ? TestPart::kPublic : TestPart::kHeldOut};
  if (has_parts) {
    check_argument(!share_a_file(folder / "train", folder / "test"), folder.string(),
                   ": train and test have a file in common; test pictures must be public ones");
    read_part(folder / "train", data.train);
    read_part(folder / "test", data.test);
  } else {
    read_and_split(folder, held_out, data);
  }
  data.validate();
  return data;
}

}  // namespace sotto::data
