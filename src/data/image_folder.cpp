#include "sotto/data/image_folder.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "data/public_split.h"
#include "sotto/core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/data/jpeg_image.h"
#include "sotto/data/pixel.h"
#include "sotto/data/png_image.h"

namespace sotto::data {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool has_image_name(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

std::vector<std::string> class_names(const fs::path& folder) {
  check_argument(fs::is_directory(folder), folder.string(), ": no such folder of classes");
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && !is_hidden(entry)) {
      names.push_back(entry.path().filename().string());
    }
  }
  check_argument(!names.empty(), folder.string(), ": no folders, must have one for each class");
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<fs::path> image_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file() && !is_hidden(entry) && has_image_name(entry)) {
      files.push_back(entry.path());
    }
  }
  check_argument(!files.empty(), folder.string(),
                 ": no images, must hold .png, .jpg or .jpeg files");
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
  for (const auto& name : class_names(folder)) {
    const auto found = std::find(data.class_names.begin(), data.class_names.end(), name);
    check_argument(found != data.class_names.end(), (folder / name).string(),
                   ": a class that has no training folder");
    for (const auto& file : image_files(folder / name)) {
      append_image(file, found - data.class_names.begin(), data);
    }
  }
}

void read_and_split(const fs::path& folder, TrainTest& data) {
  for (std::size_t label = 0; label < data.train.class_names.size(); ++label) {
    const auto& name = data.train.class_names[label];
    for (const auto& file : image_files(folder / name)) {
      const bool is_test = name_goes_to_test(name + "/" + file.filename().string());
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

Image read_image(const fs::path& path, std::int64_t channels) {
  const std::string bytes = read_file(path);
  if (is_png(bytes)) return decode_png(bytes, path.string(), channels);
  check_argument(is_jpeg(bytes), path.string(), ": neither a PNG nor a JPEG file");
  return decode_jpeg(bytes, path.string(), channels);
}

TrainTest read_image_folder(const fs::path& folder, const ImageOptions& options) {
  check_options(options);
  const bool has_parts = fs::is_directory(folder / "train");
  LabelledData none{{},
                    {},
                    {options.channels, options.height, options.width},
                    class_names(has_parts ? folder / "train" : folder)};
  TrainTest data{none, none, folder.string()};
  if (has_parts) {
    read_part(folder / "train", data.train);
    read_part(folder / "test", data.test);
  } else {
    read_and_split(folder, data);
  }
  data.validate();
  return data;
}

}  // namespace sotto::data
